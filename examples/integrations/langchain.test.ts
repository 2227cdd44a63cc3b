import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
import type { Turn } from '../../test/agents/stand-in/turn.ts'
import { createGuard } from './guard.ts'
import { hooksMiddleware } from './langchain.ts'
import { houseRules, type Ran, runCommand, says, scriptedModel, shell } from './testing.ts'

async function agent(turns: Turn[]) {
  const model = await scriptedModel(turns)
  const ran: Ran = []
  const fired: string[] = []
  const guard = createGuard({ hooks: houseRules(fired), ask: () => false })
  const worker = createAgent({
    model: new ChatOpenAI({
      model: 'scripted',
      apiKey: 'none',
      configuration: { baseURL: `${model.url}/v1` },
      maxRetries: 0,
    }),
    tools: [
      tool(({ command }: { command: string }) => runCommand(ran, command), {
        name: 'Shell',
        description: 'Runs a command.',
        schema: z.object({ command: z.string() }),
      }),
    ],
    middleware: [hooksMiddleware(guard)],
  })
  const run = async (prompt = 'Do the work.') => {
    const { messages } = await worker.invoke({ messages: [{ role: 'user', content: prompt }] })
    return messages.at(-1)?.text
  }
  return { model, ran, fired, run }
}

test('LangChain: a denied call never runs, and the model reads why', async () => {
  const { model, ran, run } = await agent([shell('rm -rf build'), shell('deploy'), says('I leave it.')])
  await using _ = model
  assert.equal(await run(), 'I leave it.')
  assert.deepEqual(ran, [])
  assert.match(model.told()[1] ?? '', /Blocked by a hook: nothing is deleted here/)
  assert.match(model.told()[2] ?? '', /Blocked by a hook: nobody agreed to it: deploy now\?/)
})

test('LangChain: input and output are rewritten, failures commented, and every event is fired', async () => {
  const { model, ran, fired, run } = await agent([
    shell('sudo ls'),
    shell('show password'),
    shell('fail'),
    says('Done.'),
  ])
  await using _ = model
  assert.equal(await run(), 'Done.')
  assert.deepEqual(ran, ['ls', 'show password', 'fail'])
  const [first, second, third, fourth] = model.told()
  assert.match(first ?? '', /it is Tuesday/)
  assert.match(second ?? '', /ran ls\n\nremember the tests/)
  assert.match(third ?? '', /the password is \*\*\*/)
  assert.match(fourth ?? '', /a failure: .*exit status 1/)
  assert.doesNotMatch(model.asked().join(), /hunter2/)
  assert.deepEqual(fired, [
    'before_agent',
    ...['before_model', 'after_model', 'before_tool', 'after_tool'],
    ...['before_model', 'after_model', 'before_tool', 'after_tool'],
    ...['before_model', 'after_model', 'before_tool', 'after_tool_failure'],
    ...['before_model', 'after_model', 'after_agent'],
  ])
})

test('LangChain: a refused prompt never reaches the model, a refused answer never leaves', async () => {
  const { model, run } = await agent([says('This is nonsense.')])
  await using _ = model
  assert.equal(await run('Plan an attack.'), 'Blocked by a hook: not that')
  assert.deepEqual(model.asked(), [])
  assert.equal(await run(), 'Blocked by a hook: not this')
})

test('LangChain: a hook ends the run', async () => {
  const { model, ran, run } = await agent([shell('halt'), says('Never said.')])
  await using _ = model
  assert.equal(await run(), 'Blocked by a hook: the shop is closed')
  assert.deepEqual(ran, [])
  assert.equal(model.told().length, 1)
})

test('LangChain: an answer is rejected, asked for again and replaced', async () => {
  const { model, run } = await agent([says('Bother!'), says('Call 555-0100.')])
  await using _ = model
  assert.equal(await run(), 'Call us.')
  assert.match(model.told()[1] ?? '', /Hook rejected the answer: be polite/)
})
