import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { untilOldEnough } from '../../config/fingerprint-testing.ts'
import { callOf } from '../../executors/testing.ts'
import { createModules, type ModuleLimits } from './modules.ts'
import { makeHome } from './testing.ts'

function setUp(limits: Partial<ModuleLimits> = {}) {
  const home = makeHome()
  const stuck: string[] = []
  const modules = createModules(join(home.folder, 'state'), limits, (sentence) => stuck.push(sentence))
  onTestFinished(async () => {
    await modules.close()
    expect(stuck).toEqual([])
  })
  const write = (name: string, text: string) => writeFileSync(join(home.folder, name), text)
  const run = (name: string, options: Parameters<typeof callOf>[1] = {}) => {
    const call = callOf({ type: 'module', file: join(home.folder, name) }, options)
    call.hook.origin = { file: join(home.folder, 'HOOK.md'), dir: home.folder }
    return modules.executor.run(call)
  }
  return { home, write, run }
}

test('a module is loaded once and answers from its thread', async () => {
  const { home, write, run } = setUp()
  write(
    'hook.ts',
    'let n = 0\nexport default (event: { tool_name: string }) => ({ reason: event.tool_name + ++n })',
  )
  await untilOldEnough(join(home.folder, 'hook.ts'), home.folder)
  expect(await run('hook.ts', { event: { tool_name: 'Shell' } })).toEqual({ value: { reason: 'Shell1' } })
  expect(await run('hook.ts', { event: { tool_name: 'Shell' } })).toEqual({ value: { reason: 'Shell2' } })
})

test('an edit counts for the very next event: the file, what it imports, what lies beside it', async () => {
  const { home, write, run } = setUp()
  mkdirSync(join(home.folder, 'data'))
  write('words.js', "export const word = 'a'")
  write('data/list.txt', 'x')
  write(
    'hook.js',
    "import { readFileSync } from 'node:fs'\nimport { word } from './words.js'\n" +
      "const list = readFileSync(new URL('./data/list.txt', import.meta.url), 'utf8')\nexport default () => word + list + 1",
  )
  expect(await run('hook.js')).toEqual({ value: 'ax1' })
  for (let i = 0; i < 4; i++) {
    if (i % 2 === 0) await untilOldEnough(join(home.folder, 'words.js'), join(home.folder, 'data/list.txt'))
    write('words.js', `export const word = '${i}'`)
    expect(await run('hook.js')).toEqual({ value: `${i}${i === 0 ? 'x' : i - 1}1` })
    write('data/list.txt', String(i))
    expect(await run('hook.js')).toEqual({ value: `${i}${i}1` })
  }
})

test('a module that throws, ends its thread or answers no data fails only that call', async () => {
  const { write, run } = setUp()
  write(
    'hook.js',
    `export default ({ tool_name: what }) => {
      if (what === 'throw') throw new Error('broken on purpose')
      if (what === 'later') setTimeout(() => { throw new Error('broken later') }, 1)
      if (what === 'exit') process.exit(3)
      if (what === 'function') return () => 1
      if (what === 'map') return new Map([['decision', 'deny']])
      return what === 'later' ? new Promise(() => {}) : { reason: 'fine' }
    }`,
  )
  const fire = (tool_name: string) => run('hook.js', { event: { tool_name } })
  expect(await fire('throw')).toMatchObject({ failed: true, message: 'broken on purpose' })
  expect(await fire('later')).toMatchObject({ failed: true, message: 'broken later' })
  expect(await fire('exit')).toMatchObject({ failed: true, message: expect.stringContaining('code 3') })
  expect(await fire('function')).toMatchObject({ failed: true, message: expect.stringContaining('not data') })
  expect(await fire('map')).toMatchObject({ failed: true, message: 'answered with a Map, not an outcome' })
  expect(await fire('fine')).toEqual({ value: { reason: 'fine' } })
})

test('a module that loops for ever is ended at its time limit, and other modules go on meanwhile', async () => {
  const { write, run } = setUp()
  write('loop.js', 'export default () => { for (;;); }')
  write('good.js', 'export default () => 1')
  await run('good.js')
  const limit = new AbortController()
  const looping = run('loop.js', { signal: limit.signal, timeout: 600 })
  expect(await run('good.js')).toEqual({ value: 1 })
  limit.abort()
  expect(await looping).toMatchObject({ failed: true, kind: 'timed_out' })
})

test('a module is told of its time limit', async () => {
  const { home, write, run } = setUp()
  write(
    'waits.js',
    `import { writeFileSync } from 'node:fs'
    const note = (what) => writeFileSync(${JSON.stringify(join(home.folder, ''))} + '/' + what, '')
    export default (_, { signal }) => new Promise((resolve) => {
      signal.addEventListener('abort', () => (note('told'), resolve()))
      note('waits')
    })`,
  )
  const noted = (what: string) => existsSync(join(home.folder, what))
  const limit = new AbortController()
  const waiting = run('waits.js', { signal: limit.signal, timeout: 500 })
  await expect.poll(() => noted('waits')).toBe(true)
  limit.abort()
  expect(await waiting).toMatchObject({ kind: 'timed_out' })
  await expect.poll(() => noted('told')).toBe(true)
})

test.for([
  ['the heap', 'const kept = []\nexport default () => { for (;;) kept.push({ n: kept.length }) }'],
  ['a string', "export default () => { let all = []; for (;;) all.push('x'.repeat(1e6) + all.length) }"],
])('one that fills %s is ended, and the engine lives', async ([, text]) => {
  const { write, run } = setUp({ memory: 24 })
  write('leak.js', text!)
  write('good.js', 'export default () => 1')
  expect(await run('leak.js', { signal: AbortSignal.timeout(20_000), timeout: 20_000 })).toMatchObject({
    failed: true,
    message: expect.stringContaining('memory'),
  })
  expect(await run('good.js')).toEqual({ value: 1 })
})

test.for([
  ['buffers', 'Buffer.alloc(9 << 20, 1)', [1, 2, 3, 1, 2]],
  ['memory of WebAssembly', 'new WebAssembly.Memory({ initial: 144 })', [1, 2, 3, 1, 2]],
  // Noticed one call later.
  ['shared buffers', 'new SharedArrayBuffer(9 << 20)', [1, 2, 3, 4, 1]],
] as const)('a module that keeps too much in %s is started again', async ([, made, expected]) => {
  const { home, write, run } = setUp({ memory: 24 })
  write('keeps.js', `const kept = []\nexport default () => kept.push(${made})`)
  await untilOldEnough(join(home.folder, 'keeps.js'), home.folder)
  const counts: unknown[] = []
  for (let i = 0; i < 5; i++) counts.push(await run('keeps.js'))
  expect(counts).toEqual(expected.map((value) => ({ value })))
})

test('each call sees its own environment and folder', async () => {
  const { write, run } = setUp()
  write(
    'env.js',
    `const seen = () => [process.env.MARK, process.env.ONLY ?? '-', process.cwd()].join(' ')
    export default async () => {
      const first = seen()
      await new Promise((resolve) => setTimeout(resolve, 5))
      return [first, seen()]
    }`,
  )
  const call = (i: number) =>
    run('env.js', {
      event: { work_dir: `/w${i}` },
      host: { env: { MARK: `m${i}`, ...(i === 1 ? { ONLY: 'here' } : {}) } },
    })
  const expected = (i: number) => {
    const line = `m${i} ${i === 1 ? 'here' : '-'} /w${i}`
    return { value: [line, line] }
  }
  for (const i of [0, 1, 2, 0]) expect(await call(i)).toEqual(expected(i))
  expect(await Promise.all([0, 1, 2, 3].map(call))).toEqual([0, 1, 2, 3].map(expected))
})

test('output that a module prints is dropped', async () => {
  const { write, run } = setUp()
  write('prints.js', "export default () => { console.log('x'.repeat(200000)); console.error('y'); return 1 }")
  expect(await run('prints.js')).toEqual({ value: 1 })
})

test('a module may keep things for its session', async () => {
  const { home, write, run } = setUp()
  write('state.js', 'export default (_, context) => [context.state_dir, context.hook_dir]')
  const { value } = (await run('state.js')) as { value: [string, string] }
  expect(value[0].startsWith(join(home.folder, 'state', 'sessions'))).toBe(true)
  expect(value[1]).toBe(home.folder)
})
