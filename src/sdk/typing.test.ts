/** Mistakes that the compiler must find: `npm run check` fails where an expected error is none. */

import { expect, expectTypeOf, it } from 'vitest'
import { CrosshookClient } from '../client.ts'
import { createHooks, type GivenEvent, type HandledEvent, type KnownEvent } from '../index.ts'

it('an event or a field that does not exist is an error of types', async () => {
  const hooks = createHooks()
  // @ts-expect-error there is no such event
  expect(() => hooks.on('before_toll', () => undefined)).toThrow('before_toll')
  hooks.on('before_tool', (event) => {
    // @ts-expect-error it is called tool_name
    void event.toolname
    // @ts-expect-error this event has no prompt
    void event.prompt
    void event.tool_input.command.length
    return { decision: 'allow' }
  })
  // @ts-expect-error a misspelled field of an answer
  hooks.on('before_tool', () => ({ decisoin: 'deny' }))
  // @ts-expect-error there is no such decision
  hooks.on('before_tool', () => ({ decision: 'refuse' }))
  // @ts-expect-error a misspelled condition
  hooks.on('before_tool', () => undefined, { matcher: { tools: 'Shell' } })
  // @ts-expect-error a misspelled field of the event that is fired
  await hooks.fire('before_tool', { tool_nam: 'Shell' })
  // @ts-expect-error before_agent has no tool
  await hooks.fire('before_agent', { tool_name: 'Shell' })
  expect(hooks.list().map(({ events }) => events[0])).toHaveLength(4)
})

it('every spelling of an event has the fields of the event', () => {
  expectTypeOf<HandledEvent<'PreToolUse'>['event_type']>().toEqualTypeOf<'before_tool'>()
  expectTypeOf<HandledEvent<'userPromptSubmit'>['prompt']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<GivenEvent<'Stop'>['stop_reason']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<'claude-code/PostToolBatch'>().toExtend<KnownEvent>()
  expectTypeOf<HandledEvent<'claude-code/PostToolBatch'>['anything']>().toEqualTypeOf<unknown>()
})

it('the same of crosshook/client', async () => {
  const client = new CrosshookClient({ hooks: createHooks() })
  // @ts-expect-error there is no such event
  await expect(client.registerHook('PreToolUsed', () => undefined)).rejects.toThrow('PreToolUsed')
  await client.registerHook('PreToolUse', (event) => {
    // @ts-expect-error it is called tool
    void event.toolName
    return { action: 'continue' }
  })
  // @ts-expect-error there is no such action
  void client.registerHook('PreToolUse', () => ({ action: 'stop' }))
  await client.close()
})
