import { closeSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { commandExecutor } from './command.ts'
import { commandCall, fixture, shell, temporaryFolder } from './command-testing.ts'
import { openInput } from './input-file.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

function inFolders(runtime: string, temporary: string): void {
  vi.stubEnv('XDG_RUNTIME_DIR', runtime)
  vi.stubEnv('TMPDIR', temporary)
}

test('the input has no name once it is open', () => {
  const folder = temporaryFolder()
  inFolders('', folder)
  const descriptor = openInput('text', process.env) as number
  expect(readdirSync(folder)).toEqual([])
  expect(readFileSync(descriptor, 'utf8')).toBe('text')
  closeSync(descriptor)
})

test('the runtime folder is preferred, and one that is gone is passed over', () => {
  const folder = temporaryFolder()
  inFolders(join(folder, 'runtime'), folder)
  const descriptor = openInput('text', process.env) as number
  expect(descriptor).toBeTypeOf('number')
  closeSync(descriptor)
  mkdirSync(join(folder, 'runtime'))
  inFolders(join(folder, 'runtime'), join(folder, 'gone'))
  closeSync(openInput('text', process.env) as number)
})

test('without any folder a hook still gets its input, through a pipe', async () => {
  const gone = join(temporaryFolder(), 'gone')
  inFolders(gone, gone)
  const call = commandCall(shell('cat'), { input: { text: 'hello' }, event: { work_dir: '/' } })
  const large = commandCall(
    { type: 'command', argv: [fixture('never-reads.sh')] },
    { input: { text: 'x'.repeat(64 * 1024 * 1024) }, event: { work_dir: '/' } },
  )
  expect(openInput('text', process.env)).toBeUndefined()
  expect(await commandExecutor.run(call)).toMatchObject({ exit_code: 0, stdout: 'hello' })
  expect(await commandExecutor.run(large)).toMatchObject({ exit_code: 3, stdout: '{"decision": "allow"}\n' })
})
