/** The cases of the Agent Hooks conformance list that only an agent can show, with hooks that are scripts. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Line, scriptedModel } from './scripted-model.ts'
import { makeAgent, makePlace, scriptHooks } from './testing.ts'

let place: ReturnType<typeof makePlace>
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

const shell = (command: string): Line => ({ calls: [{ tool: 'Shell', input: { command } }] })
const done: Line = { text: 'Done.' }
const block = (trigger: string, reason = 'no') => ({ trigger, script: `echo ${reason} >&2; exit 2` })
const note = (trigger: string, file: string) => ({
  trigger,
  script: `echo x >> '${join(place.workDir, file)}'`,
})

describe('the Agent Hooks conformance list, as an agent carries it out', () => {
  it('AH129 a block before a tool keeps it from running', async () => {
    const hooks = await scriptHooks(place.workDir, { a: block('before_tool') })
    const { agent, contents } = makeAgent(place.workDir, hooks, [shell('touch made'), done])
    await agent.prompt('go')
    expect(existsSync(join(place.workDir, 'made'))).toBe(false)
    expect(contents()).toContain('tool: Blocked by a hook: no')
  })

  it('AH130 after_tool comes after success only, after_tool_failure after failure only', async () => {
    const hooks = await scriptHooks(place.workDir, {
      a: note('after_tool', 'good'),
      b: note('after_tool_failure', 'bad'),
    })
    const good = makeAgent(place.workDir, hooks, [shell('true'), done])
    await good.agent.prompt('go')
    expect([existsSync(join(place.workDir, 'good')), existsSync(join(place.workDir, 'bad'))]).toEqual([
      true,
      false,
    ])
    const bad = makeAgent(place.workDir, hooks, [shell('rm good; false'), done])
    await bad.agent.prompt('go')
    expect([existsSync(join(place.workDir, 'good')), existsSync(join(place.workDir, 'bad'))]).toEqual([
      false,
      true,
    ])
  })

  it('AH131 a block before the agent keeps the prompt from it', async () => {
    const hooks = await scriptHooks(place.workDir, { a: block('before_agent', 'not that') })
    const { agent, contents } = makeAgent(place.workDir, hooks, [done])
    expect(await agent.prompt('do it')).toEqual({ ended: 'refused', text: '', reason: 'not that' })
    expect(contents()).toEqual([])
  })

  it('AH132 a block before the stop, by exit code or by JSON, makes the agent go on', async () => {
    for (const script of ['exit 2', 'echo \'{"decision": "deny", "reason": "by JSON"}\'']) {
      const once = join(place.workDir, 'once')
      const hooks = await scriptHooks(place.workDir, {
        a: {
          trigger: 'before_stop',
          script: `if rm '${once}' 2>/dev/null; then exit 0; fi; touch '${once}'; ${script}`,
        },
      })
      const { agent } = makeAgent(place.workDir, hooks, [done, { text: 'Now it is.' }])
      expect(await agent.prompt('go')).toEqual({ ended: 'done', text: 'Now it is.' })
    }
  })

  it('AH133 the reason of a blocked stop enters the context as [Hook blocked stop: …]', async () => {
    const hooks = await scriptHooks(place.workDir, { a: block('before_stop', '测试通过前不能完成任务') })
    const { agent, contents } = makeAgent(place.workDir, hooks, [done])
    await agent.prompt('go')
    expect(contents()[2]).toBe('user: [Hook blocked stop: 测试通过前不能完成任务]')
  })

  it('AH134 a stop is blocked at most three times in a turn, then there is a warning', async () => {
    const hooks = await scriptHooks(place.workDir, { a: block('before_stop') })
    const { agent, events, happenings } = makeAgent(place.workDir, hooks, [done])
    expect(await agent.prompt('go')).toMatchObject({ ended: 'done' })
    expect(events().filter((event) => event === 'before_stop')).toHaveLength(4)
    expect(happenings).toContainEqual({
      kind: 'warning',
      text: 'before_stop hooks blocked the stop 4 times, which is more than 3; the agent stops.',
    })
    await agent.prompt('once more')
    expect(events().filter((event) => event === 'before_stop')).toHaveLength(8)
  })

  it('AH135 hooks run whatever the reason of the stop, but only the end of the work can go on', async () => {
    const hooks = await scriptHooks(place.workDir, { a: block('before_stop') })
    const rejected = makeAgent(place.workDir, hooks, [shell('true'), done], { ask: () => false })
    expect(await rejected.agent.prompt('go')).toMatchObject({ ended: 'tool_rejected' })
    expect(rejected.events().filter((event) => event === 'before_stop')).toHaveLength(1)
    const endless = makeAgent(place.workDir, hooks, [shell('true'), shell('true'), shell('true')], {
      limits: { steps: 2 },
    })
    expect(await endless.agent.prompt('go')).toMatchObject({ ended: 'max_steps' })
    expect(endless.events().filter((event) => event === 'before_stop')).toHaveLength(1)
  })

  it('AH136 after the fact a block is told; at the start of a session it refuses', async () => {
    const hooks = await scriptHooks(place.workDir, {
      a: block('session_end', 'too-late'),
      b: block('after_agent', 'think-again'),
      c: block('after_tool', 'look-closer'),
    })
    const { agent, contents, happenings } = makeAgent(place.workDir, hooks, [shell('echo hi'), done])
    await agent.prompt('go')
    await agent.end()
    expect(contents()[2]).toBe('tool: hi\n[Hook feedback: look-closer]')
    expect(contents().at(-1)).toBe('system: [Hook feedback: think-again]')
    expect(happenings.at(-1)).toEqual({ kind: 'warning', text: 'too-late' })
    const refusing = await scriptHooks(join(place.workDir, 'other'), { d: block('session_start', 'closed') })
    expect(await makeAgent(place.workDir, refusing, []).agent.start()).toEqual({
      started: false,
      reason: 'closed',
    })
  })

  it('AH137 a block at the start of a subagent keeps it from starting', async () => {
    const hooks = await scriptHooks(place.workDir, { a: block('subagent_start') })
    let started = false
    const delegate: Line = { calls: [{ tool: 'Subagent', input: { prompt: 'x' } }] }
    const { agent, contents } = makeAgent(place.workDir, hooks, [delegate, done], {
      subagentModel() {
        started = true
        return scriptedModel([done])
      },
    })
    await agent.prompt('go')
    expect(started).toBe(false)
    expect(contents()).toContain('tool: Blocked by a hook: no')
  })

  it('AH138 a block before compaction skips it', async () => {
    const hooks = await scriptHooks(place.workDir, { a: block('pre_compact') })
    const { agent, contents } = makeAgent(place.workDir, hooks, [shell('echo 1'), shell('echo 2'), done])
    await agent.prompt('go')
    const before = contents()
    expect(await agent.compact()).toBe(false)
    expect(contents()).toEqual(before)
  })

  it('AH139 in which table before_stop stands has no effect: it comes before after_agent, once', async () => {
    const hooks = await scriptHooks(place.workDir, {
      a: note('before_stop', 'stop'),
      b: note('after_agent', 'after'),
    })
    const { agent, events } = makeAgent(place.workDir, hooks, [done])
    await agent.prompt('go')
    expect(events().slice(-2)).toEqual(['before_stop', 'after_agent'])
  })
})
