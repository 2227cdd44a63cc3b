import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Hook } from '../spec/hook.ts'
import { commandExecutor } from './command.ts'
import { commandCall, shell, temporaryFolder } from './command-testing.ts'

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', 'true']).status === 0
function run(line: string, sandbox: NonNullable<Hook['sandbox']>, work_dir: string, env = process.env) {
  const call = commandCall(shell(line), { event: { work_dir }, hook: { sandbox }, env })
  const state = temporaryFolder()
  return commandExecutor.run({ ...call, host: { ...call.host, stateDir: () => state } })
}

describe.runIf(works)('a hook in a sandbox', () => {
  test('reads the project, writes nothing there, and keeps its exit code', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a'), 'text')
    expect(await run('cat a; echo x > b; exit 2', true, folder)).toMatchObject({
      exit_code: 2,
      stdout: 'text',
    })
    expect(existsSync(join(folder, 'b'))).toBe(false)
  })

  test('writes where it may, and in its state folder', async () => {
    const folder = temporaryFolder()
    const result = await run(
      'echo x > out && echo y > "$AGENT_HOOK_STATE/n" && echo done',
      { write: ['.'] },
      folder,
    )
    expect(result).toMatchObject({ exit_code: 0, stdout: 'done\n' })
    expect(existsSync(join(folder, 'out'))).toBe(true)
  })

  test('reads only what it names', async () => {
    const secret = join(temporaryFolder(), 'secret')
    writeFileSync(secret, 'hidden')
    expect(await run(`cat ${secret} 2>/dev/null || echo no`, { read: [] }, temporaryFolder())).toMatchObject({
      stdout: 'no\n',
    })
  })

  test('reaches no network', async () => {
    let seen = 0
    const server = createServer((socket) => {
      seen++
      socket.end()
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const { port } = server.address() as { port: number }
    const line = `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached || echo not`
    expect(await run(line, true, temporaryFolder())).toMatchObject({ stdout: 'not\n' })
    expect(seen).toBe(0)
    expect(await run(line, { net: ['*'] }, temporaryFolder())).toMatchObject({ stdout: 'reached\n' })
    server.close()
  })
})

describe('a sandbox that cannot be had', () => {
  test('is a failure: the hook is not run', async () => {
    const folder = temporaryFolder()
    const result = await run('touch ran', true, folder, { PATH: join(folder, 'none') })
    expect(result).toMatchObject({
      failed: true,
      retryable: false,
      message: expect.stringContaining('was not run'),
    })
    expect(await run('touch ran', { net: ['example.com'] }, folder)).toMatchObject({ failed: true })
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })
})
