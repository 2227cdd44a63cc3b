import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture, temporaryFolder } from './command-testing.ts'
import { moduleExecutor, runModule } from './module.ts'
import { callOf } from './testing.ts'

type Options = Parameters<typeof callOf>[1]

const run = (file: string, options: Options = {}) =>
  moduleExecutor.run(callOf({ type: 'module', file }, options))

test('a TypeScript file gets the event and its folders, and what it returns is the value', async () => {
  const host = { stateDir: () => '/state' }
  expect(await run(fixture('answers.ts'), { event: { tool_name: 'Shell' }, host })).toEqual({
    value: { reason: 'Shell in .', state: '/state', late: false },
  })
})

test('the state folder is made only for a hook that asks for it', async () => {
  const stateDir = () => {
    throw new Error('asked')
  }
  const file = join(temporaryFolder(), 'hook.js')
  writeFileSync(file, 'export default () => undefined')
  expect(await run(file, { host: { stateDir } })).toEqual({ value: undefined })
  expect(await run(fixture('answers.ts'), { host: { stateDir } })).toMatchObject({ message: 'asked' })
})

test.each([`new Map([['decision', 'deny']])`, `new (class { get decision() { return 'deny' } })()`])(
  'an answer that cannot be read is a failure, not silence: %s',
  async (answer) => {
    const file = join(temporaryFolder(), 'hook.js')
    writeFileSync(file, `export default () => ${answer}`)
    expect(await run(file)).toMatchObject({
      failed: true,
      message: expect.stringContaining('not an outcome'),
    })
  },
)

test('a changed file is loaded again, an unchanged one is not', async () => {
  const file = join(temporaryFolder(), 'hook.js')
  const write = (word: string) => writeFileSync(file, `let n = 0\nexport default () => '${word} ' + ++n`)
  write('first')
  expect(await run(file)).toEqual({ value: 'first 1' })
  expect(await run(file)).toEqual({ value: 'first 2' })
  write('changed')
  expect(await run(file)).toEqual({ value: 'changed 1' })
})

test('nothing is printed about a file below a package.json without a type', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, 'typed.ts'), 'export default (event: { n: number }) => event.n')
  writeFileSync(join(folder, 'plain.js'), 'export default (event) => event.n')
  writeFileSync(join(folder, 'common.js'), 'module.exports = (event) => event.n')
  const program = `
    const { runModule } = await import(${JSON.stringify(join(import.meta.dirname, 'module.ts'))})
    for (const file of ['typed.ts', 'plain.js', 'common.js']) console.log(await runModule('${folder}/' + file, { n: 7 }))`
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: '7\n7\n7\n', stderr: '' })
})

test.for([
  ['no-function.js', "exports no function: export it as default, 'hook' or 'run'"],
  ['broken.js', 'Cannot load'],
  ['not-there.js', 'Cannot load'],
])('%s is a failure that trying again does not mend', async ([name, message]) => {
  const file = fixture(name ?? '')
  expect(await run(file)).toMatchObject({
    failed: true,
    retryable: false,
    message: expect.stringContaining(message ?? ''),
  })
})

test('runModule can be called by itself', async () => {
  const { event, signal } = callOf({ type: 'module', file: '' }, { event: { tool_name: 'ReadFile' } })
  const context = { state_dir: 's', hook_dir: 'h', signal }
  expect(await runModule(fixture('answers.ts'), event, context)).toEqual({
    reason: 'ReadFile in h',
    state: 's',
    late: false,
  })
})
