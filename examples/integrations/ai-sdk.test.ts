import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, streamText, tool } from 'ai'
import { z } from 'zod'
import type { Turn } from '../../test/agents/stand-in/turn.ts'
import { hookedModel, hookedTools } from './ai-sdk.ts'
import { Blocked, createGuard } from './guard.ts'
import { houseRules, type Ran, runCommand, says, scriptedModel, shell } from './testing.ts'

async function agent(turns: Turn[], agrees?: boolean) {
  const model = await scriptedModel(turns)
  const ran: Ran = []
  const fired: string[] = []
  const guard = createGuard({
    hooks: houseRules(fired),
    ...(agrees === undefined ? {} : { ask: () => agrees }),
  })
  const provider = createOpenAICompatible({ name: 'stand-in', baseURL: `${model.url}/v1`, apiKey: 'none' })
  const Shell = tool({
    description: 'Runs a command.',
    inputSchema: z.object({ command: z.string() }),
    execute: ({ command }) => runCommand(ran, command),
  })
  const options = {
    model: hookedModel(guard, provider('scripted')),
    tools: hookedTools(guard, { Shell }),
    stopWhen: isStepCount(9),
    prompt: 'Do the work.',
    maxRetries: 0,
  }
  return { model, ran, fired, options }
}

test('AI SDK: a denied call never runs, and the model reads why', async () => {
  const { model, ran, options } = await agent([shell('rm -rf build'), says('I leave it.')])
  await using _ = model
  assert.equal((await generateText(options)).text, 'I leave it.')
  assert.deepEqual(ran, [])
  assert.match(model.told()[1] ?? '', /Blocked by a hook: nothing is deleted here/)
})

test('AI SDK: a rewritten input runs, a rewritten output is read, and context comes beside it', async () => {
  const { model, ran, fired, options } = await agent([
    shell('sudo ls'),
    shell('show password'),
    says('Done.'),
  ])
  await using _ = model
  await generateText(options)
  assert.deepEqual(ran, ['ls', 'show password'])
  const [first, second, third] = model.told()
  assert.match(first ?? '', /it is Tuesday/)
  assert.match(second ?? '', /ran ls\n\nremember the tests/)
  assert.match(third ?? '', /the password is \*\*\*/)
  assert.doesNotMatch(model.asked().join(), /hunter2/)
  assert.deepEqual(fired, [
    ...['before_model', 'after_model', 'before_tool', 'after_tool'],
    ...['before_model', 'after_model', 'before_tool', 'after_tool'],
    ...['before_model', 'after_model'],
  ])
})

test('AI SDK: a failure is commented', async () => {
  const { model, options } = await agent([shell('fail'), says('Oh.')])
  await using _ = model
  await generateText(options)
  assert.match(model.told()[1] ?? '', /exit status 1\n\na failure: exit status 1/)
})

test('AI SDK: the person decides when a hook asks, and nobody means no', async () => {
  for (const [agrees, expected] of [
    [true, ['deploy']],
    [false, []],
    [undefined, []],
  ] as const) {
    const { model, ran, options } = await agent([shell('deploy'), says('Done.')], agrees)
    await using _ = model
    await generateText(options)
    assert.deepEqual(ran, expected)
  }
})

test('AI SDK: a hook ends the run', async () => {
  const { model, ran, options } = await agent([shell('halt'), says('Never said.')])
  await using _ = model
  await assert.rejects(
    generateText(options),
    (error) => error instanceof Blocked && /closed/.test(error.message),
  )
  assert.deepEqual(ran, [])
  assert.equal(model.asked().length, 1)
})

test('AI SDK: an answer is rejected, asked for again and replaced', async () => {
  const { model, options } = await agent([says('Bother!'), says('Call 555-0100.')])
  await using _ = model
  assert.equal((await generateText(options)).text, 'Call us.')
  assert.match(model.told()[1] ?? '', /Hook rejected the answer: be polite/)
})

test('AI SDK: a streamed answer obeys the same hooks', async () => {
  const { model, ran, options } = await agent([shell('sudo ls'), says('Bother!'), says('Call 555-0100.')])
  await using _ = model
  assert.equal(await streamText(options).text, 'Call us.')
  assert.deepEqual(ran, ['ls'])
})
