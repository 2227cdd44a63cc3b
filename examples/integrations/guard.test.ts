import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHooks } from 'crosshook'
import { askModel, Blocked, type Changes, callTool, createGuard } from './guard.ts'

const call = { name: 'Shell', input: { command: 'make' } }
const question = { model: 'm', prompt: 'p', tools: ['Shell', 'ReadFile'] }

test('guard: a tool runs again as often as hooks ask for it, but not for ever', async () => {
  const hooks = createHooks()
  const guard = createGuard({ hooks })
  let runs = 0
  const run = async () => ({ output: `run ${++runs}`, failed: false })
  const off = hooks.on('after_tool', ({ tool_output }) =>
    tool_output === 'run 1' ? { retry: 1 } : undefined,
  )
  assert.equal((await callTool(guard, call, run)).output, 'run 2')
  off()
  hooks.on('after_tool', () => ({ retry: 1 }))
  runs = 0
  await callTool(guard, call, run)
  assert.equal(runs, 4)
})

test('guard: a call for which it is never time is blocked', async () => {
  const hooks = createHooks()
  hooks.on('before_tool', () => ({ retry: 1, reason: 'another build runs' }))
  let ran = false
  const result = await callTool(createGuard({ hooks }), call, async () => {
    ran = true
    return { output: '', failed: false }
  })
  assert.deepEqual([ran, result.failed], [false, true])
  assert.match(String(result.output), /another build runs \(it is not yet time\)/)
})

test('guard: a block after the fact is told to the model, and a failed hook blocks only where it is told to', async () => {
  const hooks = createHooks()
  const guard = createGuard({ hooks })
  const run = async () => ({ output: 'done', failed: false })
  hooks.on('after_tool', () => ({ decision: 'deny', reason: 'the tests are red' }))
  const broken = () => {
    throw new Error('broken')
  }
  const off = hooks.on('before_tool', broken)
  assert.deepEqual(await callTool(guard, call, run), {
    output: 'done',
    failed: false,
    replaced: false,
    notes: ['[Hook feedback: the tests are red]'],
  })
  off()
  hooks.on('before_tool', broken, { on_failure: 'closed' })
  assert.match(String((await callTool(guard, call, run)).output), /^Blocked by a hook: /)
})

test('guard: hooks leave out tools, change the system prompt, and their remarks stay', async () => {
  const hooks = createHooks()
  const guard = createGuard({ hooks })
  const asked: Changes[] = []
  const ask = async (changes: Changes) => {
    asked.push(structuredClone(changes))
    return 'yes'
  }
  hooks.on('before_model', () => ({ updated_input: { tools: ['ReadFile'], system_prompt: 'Be brief.' } }))
  hooks.on('after_model', () => ({ additional_context: ['that was long'] }))
  await askModel(guard, question, ask, String)
  await askModel(guard, question, ask, String)
  assert.deepEqual(asked, [
    { messages: [], tools: ['ReadFile'], system_prompt: 'Be brief.' },
    { messages: [{ role: 'user', text: 'that was long' }], tools: ['ReadFile'], system_prompt: 'Be brief.' },
  ])
})

test('guard: a refused question is never asked, and endless rejections end', async () => {
  const hooks = createHooks()
  const guard = createGuard({ hooks })
  let asked = 0
  const ask = async () => `answer ${++asked}`
  const off = hooks.on('before_model', () => ({ decision: 'deny', reason: 'the budget is spent' }))
  await assert.rejects(askModel(guard, question, ask, String), new Blocked('the budget is spent'))
  assert.equal(asked, 0)
  off()
  hooks.on('after_model', () => ({ decision: 'deny', reason: 'no' }))
  await assert.rejects(askModel(guard, question, ask, String), new Blocked('no'))
  assert.equal(asked, 4)
})
