/** A call that is killed at any of its processes takes the program of its hook, and all that it has started, along. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isAlive, processIds, until } from '../../src/executors/command-testing.ts'

const main = resolve(import.meta.dirname, '../../dist/cli/main.cjs')
const relay = resolve(import.meta.dirname, '../../dist/relay/crosshook-relay')
const library = resolve(import.meta.dirname, '../../dist/lib/index.js')

let home: string
let pids: string
let env: NodeJS.ProcessEnv

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'killed-')))
  pids = join(home, 'pids')
  const hook = join(home, '.config/agents/hooks/slow')
  mkdirSync(join(hook, 'scripts'), { recursive: true })
  writeFileSync(join(hook, 'HOOK.md'), '---\nname: slow\ndescription: d\ntrigger: before_tool\n---\n')
  writeFileSync(
    join(hook, 'scripts/run.sh'),
    `#!/bin/sh
echo $$ >> ${pids}
sh -c 'trap "" TERM; echo $$ >> ${pids}; sleep 300' &
setsid sh -c 'echo $$ >> ${pids}; sleep 300' &
if [ -e ${home}/leave ]; then until [ "$(wc -l < ${pids})" -ge 3 ]; do :; done; exit 0; fi
wait
`,
    { mode: 0o755 },
  )
  env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    CROSSHOOK_NO_DAEMON: '1',
    CROSSHOOK_MANAGED_DIR: join(home, 'none'),
  }
  const installed = spawnSync(process.execPath, [main, 'install', 'claude-code', '--yes'], { env })
  expect(installed.status).toBe(0)
})
beforeEach(() => rmSync(pids, { force: true }))
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))

const PAYLOAD = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
})

function begin(file: string, args: readonly string[]): ChildProcess {
  const child = spawn(file, args, { cwd: home, env, stdio: ['pipe', 'ignore', 'inherit'], detached: true })
  child.stdin?.end(PAYLOAD)
  return child
}

const entry = () => `--entry=${join(home, '.local/state/crosshook/install/entries/claude-code.entry')}`
const byRelay = () => begin(relay, ['hook', 'claude-code', 'PreToolUse', entry()])
const byLibrary = () =>
  begin(process.execPath, [
    '--input-type=module',
    '-e',
    `const { loadHooks } = await import(${JSON.stringify(library)}); const hooks = await loadHooks(); await hooks.fire('before_tool', { tool: 'Shell', input: { command: 'ls' } })`,
  ])
const byFire = () =>
  begin(process.execPath, [main, 'fire', 'before_tool', '--tool', 'Shell', '--input', '{"command":"ls"}'])

/** The process that runs hooks: Node below the relay, or the process itself. */
function nodeBelow(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return children.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('main.cjs')) ?? pid
}

describe.skipIf(process.platform !== 'linux')('a hook whose call is killed', () => {
  const WAYS: [string, () => ChildProcess, (pid: number) => void][] = [
    ['by kill -9 of the relay', byRelay, (pid) => process.kill(pid, 'SIGKILL')],
    ['by TERM of the relay', byRelay, (pid) => process.kill(pid, 'SIGTERM')],
    ['by kill -9 of the whole group', byRelay, (pid) => process.kill(-pid, 'SIGKILL')],
    ['by kill -9 of Node', byRelay, (pid) => process.kill(nodeBelow(pid), 'SIGKILL')],
    ['by kill -9 of fire', byFire, (pid) => process.kill(pid, 'SIGKILL')],
    ['by kill -9 of a program that uses the library', byLibrary, (pid) => process.kill(pid, 'SIGKILL')],
  ]
  it.each(WAYS)('ends with all its processes: %s', async (_, start, kill) => {
    const child = start()
    const ids = await processIds(pids, 3)
    expect(ids.map(isAlive)).toEqual([true, true, true])
    kill(child.pid!)
    await until(() => !ids.some(isAlive), 5000)
  })

  it.each([
    ['the relay', byRelay],
    ['fire', byFire],
    ['the library', byLibrary],
  ] as const)('and that has ended leaves nothing but services behind: %s', async (_, start) => {
    writeFileSync(join(home, 'leave'), '')
    start()
    const ids = await processIds(pids, 3)
    await until(() => ids.filter(isAlive).length === 1, 5000)
    const [service] = ids.filter(isAlive)
    expect(readFileSync(`/proc/${service}/stat`, 'utf8').split(' ')[5]).toBe(`${service}`)
    process.kill(-service!, 'SIGKILL')
    rmSync(join(home, 'leave'))
  })
})
