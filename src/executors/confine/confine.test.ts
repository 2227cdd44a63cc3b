import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hook, Sandbox } from '../../spec/hook.ts'
import { isFailure } from '../../spec/outcome.ts'
import { commandExecutor } from '../command.ts'
import { commandCall, shell, temporaryFolder } from '../command-testing.ts'
import { findHelper, visible } from './helper.ts'
import { seatbeltProfile } from './seatbelt.ts'

const helper = findHelper()
const works = helper !== undefined && spawnSync(helper, ['--level']).status === 0

async function run(
  line: string,
  sandbox: true | Sandbox,
  more: { work_dir?: string; env?: NodeJS.ProcessEnv; input?: object; hook?: Partial<Hook> } = {},
) {
  const {
    work_dir = temporaryFolder(),
    env = { PATH: '/usr/bin:/bin', HOME: temporaryFolder() },
    input = {},
  } = more
  const call = commandCall(shell(line), {
    event: { work_dir, tool_input: input },
    hook: { sandbox, ...more.hook },
    env,
  })
  const state = temporaryFolder()
  const result = await commandExecutor.run({ ...call, host: { ...call.host, stateDir: () => state } })
  if (isFailure(result)) throw new Error(result.message)
  return result
}

describe.runIf(works)('a confined hook', () => {
  let server: Server
  let port: number
  beforeAll(async () => {
    server = createServer((socket) => socket.end('hello'))
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    port = (server.address() as { port: number }).port
  })
  afterAll(() => server.close())

  test('reads its own folder and the files that the event names, and no other of the project', async () => {
    const folder = temporaryFolder()
    const own = temporaryFolder()
    writeFileSync(join(folder, 'named'), 'named ')
    writeFileSync(join(folder, 'other'), 'other ')
    writeFileSync(join(own, 'data'), 'data')
    const result = await run(`cat named other ${own}/data`, true, {
      work_dir: folder,
      input: { path: 'named' },
      hook: { origin: { file: join(own, 'HOOK.md'), dir: own } },
    })
    expect(result.stdout).toBe('named data')
    expect(result.stderr).toContain('other: Permission denied')
  })

  test('writes its state folder and a temporary folder of its own, and nothing else', async () => {
    const folder = temporaryFolder()
    const line =
      'echo x > "$AGENT_HOOK_STATE/n" && f=$(mktemp) && echo y > "$f" && echo done; echo z > out; echo z > /tmp/out-$$'
    const result = await run(line, true, { work_dir: folder })
    expect(result.stdout).toBe('done\n')
    expect(existsSync(join(folder, 'out'))).toBe(false)
  })

  test('has what it names beyond that, by path or by word', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a'), 'text')
    const result = await run('cat a && echo b > b && echo done', { write: ['project'] }, { work_dir: folder })
    expect(result).toMatchObject({ exit_code: 0, stdout: 'textdone\n' })
    expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('b\n')
  })

  test('reaches the network only where it says so', async () => {
    const line = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`
    expect(await run(line, true)).toMatchObject({ exit_code: 1, stdout: '' })
    expect(await run(line, { connect: ['*'] })).toMatchObject({ stdout: 'hello' })
  })

  test('gets the documented variables and those that it lists', async () => {
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: '/h',
      LANG: 'C',
      TOKEN: 'secret',
      WANTED: 'yes',
      NODE_OPTIONS: '-r x',
    }
    const line = 'env | grep -E "TOKEN|WANTED|NODE_OPTIONS|LANG|AGENT_WORK_DIR" | sed "s/=.*//" | sort'
    expect((await run(line, true, { env })).stdout).toBe('AGENT_WORK_DIR\nLANG\n')
    expect((await run(line, { env: ['WANTED'] }, { env })).stdout).toBe('AGENT_WORK_DIR\nLANG\nWANTED\n')
  })

  test('keeps its exit code, and finds interpreters that lie outside the system folders', async () => {
    const tools = temporaryFolder()
    mkdirSync(join(tools, 'bin'))
    symlinkSync(realpathSync(process.execPath), join(tools, 'bin/node'))
    const own = temporaryFolder()
    mkdirSync(join(own, 'scripts'))
    writeFileSync(join(own, 'scripts/run'), '#!/usr/bin/env node\nconsole.error("no"); process.exit(2)\n', {
      mode: 0o755,
    })
    const call = commandCall(
      { type: 'command', entry: own },
      {
        event: { work_dir: temporaryFolder() },
        hook: { sandbox: true, origin: { file: join(own, 'HOOK.md'), dir: own } },
        env: { PATH: `${tools}/bin:/usr/bin:/bin`, HOME: temporaryFolder() },
      },
    )
    expect(await commandExecutor.run(call)).toMatchObject({ exit_code: 2, stderr: 'no\n' })
  })

  test('is not run when what it asks for cannot be expressed', async () => {
    const folder = temporaryFolder()
    await expect(
      run('touch ran', { connect: ['example.com'], write: ['project'] }, { work_dir: folder }),
    ).rejects.toThrow('was not run')
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })
})

test('hidden paths below a readable folder are not readable, and their siblings are', () => {
  const folder = realpathSync(temporaryFolder())
  for (const path of ['a', 'b/c', 'b/d/e']) mkdirSync(join(folder, path), { recursive: true })
  expect(visible([folder], [join(folder, 'b/d')])).toEqual([join(folder, 'a'), join(folder, 'b/c')])
  expect(visible([folder], [])).toEqual([folder])
  expect(visible([join(folder, 'b')], [folder])).toEqual([])
})

test('the profile for macOS denies by default, and hides after it allows', () => {
  const profile = seatbeltProfile({
    read: ['/usr', '/a "b"'],
    write: ['/w'],
    hide: ['/usr/secret'],
    network: false,
    sockets: ['/run/x.sock'],
    memory_mb: 0,
    stays_in_group: true,
  })
  const lines = profile.trim().split('\n')
  expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)'])
  expect(lines).toContain('(allow file-read* (subpath "/usr") (subpath "/a \\"b\\""))')
  expect(lines).toContain('(allow network-outbound (literal "/run/x.sock"))')
  expect(profile).not.toContain('remote ip')
  expect(lines.indexOf('(deny file-read* file-write* (subpath "/usr/secret"))')).toBeGreaterThan(
    lines.indexOf('(allow file-read* file-write* (subpath "/w"))'),
  )
})
