import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Agent,
  InputGuardrailTripwireTriggered,
  OpenAIProvider,
  OutputGuardrailTripwireTriggered,
  Runner,
} from '@openai/agents'
import { z } from 'zod'
import type { Turn } from '../../test/agents/stand-in/turn.ts'
import { createGuard } from './guard.ts'
import { hookedRunner, hookedTool } from './openai-agents.ts'
import { houseRules, type Ran, runCommand, says, scriptedModel, shell } from './testing.ts'

async function agent(turns: Turn[]) {
  const model = await scriptedModel(turns)
  const ran: Ran = []
  const fired: string[] = []
  const guard = createGuard({ hooks: houseRules(fired), ask: () => false })
  const tool = hookedTool(guard)
  const worker = new Agent({
    name: 'worker',
    model: 'scripted',
    tools: [
      tool({
        name: 'Shell',
        description: 'Runs a command.',
        parameters: z.object({ command: z.string() }),
        execute: ({ command }) => runCommand(ran, command),
      }),
    ],
  })
  const models = new OpenAIProvider({ baseURL: `${model.url}/v1`, apiKey: 'none', useResponses: false })
  const runner = new Runner({ ...hookedRunner(guard, models), tracingDisabled: true })
  return { model, ran, fired, run: (prompt = 'Do the work.') => runner.run(worker, prompt), runner, worker }
}

test('OpenAI Agents: a denied call never runs, and the model reads why', async () => {
  const { model, ran, run } = await agent([shell('rm -rf build'), shell('deploy'), says('I leave it.')])
  await using _ = model
  assert.equal((await run()).finalOutput, 'I leave it.')
  assert.deepEqual(ran, [])
  assert.match(model.told()[1] ?? '', /Blocked by a hook: nothing is deleted here/)
  assert.match(model.told()[2] ?? '', /Blocked by a hook: nobody agreed to it: deploy now\?/)
})

test('OpenAI Agents: input and output are rewritten, failures commented, and every event is fired', async () => {
  const { model, ran, fired, run } = await agent([
    shell('sudo ls'),
    shell('show password'),
    shell('fail'),
    says('Done.'),
  ])
  await using _ = model
  await run()
  assert.deepEqual(ran, ['ls', 'show password', 'fail'])
  const [first, second, third, fourth] = model.told()
  assert.match(first ?? '', /it is Tuesday/)
  assert.match(second ?? '', /ran ls\n\nremember the tests/)
  assert.match(third ?? '', /the password is \*\*\*/)
  assert.match(fourth ?? '', /a failure: exit status 1/)
  assert.doesNotMatch(model.asked().join(), /hunter2/)
  assert.deepEqual(fired, [
    'before_agent',
    ...['before_model', 'after_model', 'before_tool', 'after_tool'],
    ...['before_model', 'after_model', 'before_tool', 'after_tool'],
    ...['before_model', 'after_model', 'before_tool', 'after_tool_failure'],
    ...['before_model', 'after_model', 'after_agent'],
  ])
})

test('OpenAI Agents: a refused prompt never reaches the model, a refused answer never leaves', async () => {
  const { model, run } = await agent([says('This is nonsense.')])
  await using _ = model
  await assert.rejects(run('Plan an attack.'), InputGuardrailTripwireTriggered)
  assert.deepEqual(model.asked(), [])
  await assert.rejects(run(), OutputGuardrailTripwireTriggered)
})

test('OpenAI Agents: a hook ends the run', async () => {
  const { model, run } = await agent([shell('halt'), says('Never said.')])
  await using _ = model
  await assert.rejects(run(), /the shop is closed/)
  assert.equal(model.told().length, 1)
})

test('OpenAI Agents: an answer is rejected, asked for again and replaced', async () => {
  const { model, run } = await agent([says('Bother!'), says('Call 555-0100.')])
  await using _ = model
  assert.equal((await run()).finalOutput, 'Call us.')
  assert.match(model.told()[1] ?? '', /Hook rejected the answer: be polite/)
})

test('OpenAI Agents: a streamed answer obeys the same hooks', async () => {
  const { model, ran, runner, worker } = await agent([
    shell('sudo ls'),
    says('Bother!'),
    says('Call 555-0100.'),
  ])
  await using _ = model
  const stream = await runner.run(worker, 'Do the work.', { stream: true })
  let text = ''
  for await (const piece of stream.toTextStream()) text += piece
  assert.equal(text, 'Call us.')
  assert.equal(stream.finalOutput, 'Call us.')
  assert.deepEqual(ran, ['ls'])
})
