import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { COMPILE_CACHE } from '../../test/compile-cache.ts'
import { PROGRAM } from '../../test/program.ts'

/** Nothing is closed to root, so that root asks as somebody else. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

interface Done {
  code: number
  stdout: string
  stderr: string
}

function crosshook(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Done> {
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [PROGRAM, ...args],
      { env, cwd: env.HOME!, ...NOBODY },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  )
}

function home() {
  const root = mkdtempSync(join(tmpdir(), 'crosshook-unreadable-'))
  chmodSync(root, 0o755)
  const hooks = join(root, '.config/agents/hooks')
  const closed: string[] = []
  onTestFinished(() => {
    for (const path of closed) chmodSync(path, 0o700)
    rmSync(root, { recursive: true, force: true })
  })
  for (const name of ['guard', 'other']) {
    mkdirSync(join(hooks, name), { recursive: true })
    const head = `name: ${name}\ndescription: Says no.\ntrigger: before_tool`
    writeFileSync(
      join(hooks, name, 'HOOK.md'),
      `---\n${head}\noutcome:\n  decision: deny\n  reason: ${name} says no\n---\n`,
    )
  }
  const close = (path: string, mode = 0) => {
    chmodSync(path, mode)
    closed.unshift(path)
  }
  const env = {
    ...COMPILE_CACHE,
    PATH: process.env.PATH,
    HOME: root,
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CACHE_HOME: join(root, 'cache'),
    CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
    CROSSHOOK_NO_DAEMON: '1',
  }
  return { env, hooks, close, managed: env.CROSSHOOK_MANAGED_DIR }
}

test('a hook folder that may not be read is an error with a fix, in validate, list and fire', async () => {
  const { env, hooks, close } = home()
  const guard = join(hooks, 'guard')
  close(guard)
  const validated = await crosshook(env, 'validate', '--json')
  expect(validated.code).toBe(1)
  expect(JSON.parse(validated.stdout)).toMatchObject({
    errors: 1,
    hooks: 1,
    problems: [
      {
        level: 'error',
        file: guard,
        message: expect.stringContaining('EACCES'),
        fix: expect.stringContaining(`ls -ld ${guard}`),
      },
    ],
  })
  const listed = await crosshook(env, 'list')
  expect(listed.stdout).toMatch(/hooks\/guard .*does not load/)
  expect(listed.stdout).toContain('EACCES')
  const fired = await crosshook(env, 'fire', 'before_tool', '--tool', 'Shell', '--json')
  expect(JSON.parse(fired.stdout)).toMatchObject({ decision: 'deny', reason: 'other says no' })
  expect(fired.stderr).toContain('EACCES')
})

test.for([
  ['whose entries may not be looked at', 'hooks', 0o644],
  ['that may not be read', 'hooks', 0],
  ['below one that may not be entered', '..', 0],
] as const)('a folder of hooks %s is an error', async ([, which, mode]) => {
  const { env, hooks, close } = home()
  const folder = which === 'hooks' ? hooks : dirname(hooks)
  close(folder, mode)
  const { code, stdout } = await crosshook(env, 'validate', '--json')
  expect(code).toBe(1)
  const { problems, hooks: loaded } = JSON.parse(stdout)
  expect(loaded).toBe(0)
  expect(problems.length).toBeGreaterThan(0)
  for (const problem of problems)
    expect(problem).toMatchObject({ level: 'error', message: expect.stringContaining('EACCES') })
  const given = await crosshook(env, 'validate', hooks)
  expect(given.code).toBe(1)
  expect(given.stdout + given.stderr).toContain('EACCES')
})

test('settings that may not be looked at are an error, not absent', async () => {
  const { env, managed, close } = home()
  mkdirSync(managed)
  writeFileSync(join(managed, 'crosshook.toml'), 'managed_only = true\n')
  close(managed)
  const { code, stdout } = await crosshook(env, 'validate', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout).problems).toContainEqual(
    expect.objectContaining({
      file: join(managed, 'crosshook.toml'),
      message: expect.stringContaining('EACCES'),
    }),
  )
})
