/** Entries outlive the package that wrote them: started by npx, upgraded, removed. */

import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VERSION } from '../src/version.ts'
import { calledBefore } from './compile-cache.ts'

const ROOT = join(import.meta.dirname, '..')

let home: string
let env: NodeJS.ProcessEnv

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'shim-')))
  env = calledBefore({
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    CROSSHOOK_NO_DAEMON: '1',
  })
  const guard = join(home, '.config/agents/hooks/guard')
  mkdirSync(guard, { recursive: true })
  writeFileSync(
    join(guard, 'HOOK.md'),
    '---\nname: guard\ndescription: Refuses.\ntrigger: before_tool\nmatcher:\n  tool: Shell\noutcome:\n  decision: deny\n  reason: not here\n---\n',
  )
})
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))

/** The package as a package manager lays it out. */
function unpack(folder: string, { hasRelay = true } = {}): string {
  for (const part of [
    'dist/cli',
    'dist/shared',
    'gallery',
    'package.json',
    ...(hasRelay ? ['dist/relay'] : []),
  ])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  return join(folder, 'dist/cli/main.cjs')
}

function crosshook(main: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: home,
    env,
    encoding: 'utf8',
  })
  return { status, text: stdout + stderr }
}

function settings(): { hooks: Record<string, { hooks: { command: string; args: string[] }[] }[]> } {
  return JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'))
}

/** As Claude Code calls it. */
function call(event = 'PreToolUse'): { status: number | null; text: string } {
  const { command, args } = settings().hooks[event]![0]!.hooks[0]!
  const input = JSON.stringify({
    session_id: 's',
    cwd: home,
    hook_event_name: event,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: '1',
  })
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: home, env, input, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

describe('entries that npx wrote', () => {
  const cases = [
    ['npx', '.npm/_npx/1a2b3c/node_modules/crosshook'],
    ['pnpm dlx', '.cache/pnpm/dlx/9f/node_modules/crosshook'],
    ['bunx', 'tmp/bunx-0-crosshook@latest/node_modules/crosshook'],
  ] as const
  it.each(cases)('%s: hold when its folder is emptied', (_, folder) => {
    const main = unpack(join(home, folder))
    expect(crosshook(main, 'install', 'claude-code', '--yes').status).toBe(0)
    rmSync(join(home, folder), { recursive: true })
    expect(JSON.stringify(settings())).not.toContain(folder)
    expect(call().text).toContain('not here')
    expect(call().text).not.toContain('cannot check')
  })

  it('are taken out by a later npx, with the copy of the program', () => {
    const main = unpack(join(home, '.npm/_npx/1a/node_modules/crosshook'))
    crosshook(main, 'install', 'claude-code', '--yes')
    expect(existsSync(join(home, '.local/share/crosshook/program'))).toBe(true)
    expect(crosshook(main, 'uninstall', '--yes').status).toBe(0)
    expect(existsSync(join(home, '.local/share/crosshook'))).toBe(false)
    expect(existsSync(join(home, '.claude'))).toBe(false)
  })

  it('call the next version after its install, and keep at most the version before it', () => {
    for (const version of ['1', '2', '3']) {
      const folder = join(home, `.npm/_npx/${version}/node_modules/crosshook`)
      const main = unpack(folder)
      appendFileSync(main, `// ${version}\n`)
      expect(crosshook(main, 'install', 'claude-code', '--yes').status).toBe(0)
      rmSync(folder, { recursive: true })
      expect(call().text).toContain('not here')
    }
    expect(readdirSync(join(home, '.local/share/crosshook/program'))).toHaveLength(2)
  })
})

describe('after the package was removed', () => {
  it.each([true, false])('entries refuse, say so and how to clean up (relay: %s)', (hasRelay) => {
    const folder = join(home, 'lib/node_modules/crosshook')
    const main = unpack(folder, { hasRelay })
    expect(crosshook(main, 'install', 'claude-code', '--yes').status).toBe(0)
    rmSync(folder, { recursive: true })
    const { text } = call()
    expect(text).toContain('"permissionDecision":"deny"')
    expect(text).toContain(`it was removed (${main} is gone)`)
    expect(text).toContain('npx crosshook uninstall claude-code')
    // Nothing to refuse at the end of a session.
    expect(call('SessionEnd').text).toContain('it was removed')
    // As npx does it.
    const again = unpack(join(home, '.npm/_npx/2/node_modules/crosshook'), { hasRelay })
    expect(crosshook(again, 'uninstall', '--yes').status).toBe(0)
    expect(existsSync(join(home, '.claude'))).toBe(false)
  })
})

describe('after an upgrade in place', () => {
  it('the first calls are answered, and bring the relay of the new version', () => {
    const { CROSSHOOK_NO_DAEMON: _, ...warm } = env
    env = warm
    const main = unpack(join(home, 'lib/node_modules/crosshook'))
    crosshook(main, 'install', 'claude-code', '--yes')
    const shim = join(home, '.local/share/crosshook/bin/crosshook-relay')
    // A relay of another version: the engine declines it.
    const other = readFileSync(shim, 'latin1').replaceAll(VERSION, '0.0.9'.padEnd(VERSION.length, '9'))
    writeFileSync(shim, other, 'latin1')
    for (let calls = 0; calls < 50 && readFileSync(shim, 'latin1') === other; calls++)
      expect(call().text).toContain('not here')
    expect(
      readFileSync(shim).equals(
        readFileSync(join(home, 'lib/node_modules/crosshook/dist/relay/crosshook-relay')),
      ),
    ).toBe(true)
  })
})

it('uninstall --purge leaves nothing, although an engine runs that keeps its caches when it ends', async () => {
  const main = unpack(join(home, 'crosshook'))
  mkdirSync(join(home, '.claude'))
  delete env.CROSSHOOK_NO_DAEMON
  expect(crosshook(main, 'install', 'claude-code', '--yes').status).toBe(0)
  call()
  const pids = join(home, '.local/state/crosshook')
  await expect.poll(() => readdirSync(pids).some((name) => name.startsWith('engine.pid.')), WITHIN).toBe(true)
  const purged = crosshook(main, 'uninstall', '--purge', '--yes')
  expect(purged.status, purged.text).toBe(0)
  const left = readdirSync(home, { recursive: true, encoding: 'utf8' })
  expect(left.filter((path) => /crosshook/.test(path) && !path.startsWith('crosshook'))).toEqual([])
})

const WITHIN = { timeout: 30_000 }
