/** Starts the warm engine in the background for later calls. A failed start changes no answer. */

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../../config/paths.ts'

/** Reasons, sent by the relay, for which a new engine would help: see relay/PROTOCOL.md. */
const WANTS_ENGINE = new Set(['absent', 'leaving', 'silent', 'unproven'])

/** Variables that select hooks, trust and settings. An engine answers for one set of values. */
export const SCOPE = [
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'CROSSHOOK_MANAGED_DIR',
  'CROSSHOOK_TRUST',
] as const

/** Kept beside the scope variables. The rest comes with each event: what one project sets must not reach another. */
const KEPT = ['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'USER', 'LOGNAME', 'SSL_CERT_FILE', 'SSL_CERT_DIR']

/** Prefers little memory to fast growth: an event leaves little behind. Garbage is collected when idle. */
export const FLAGS = [
  '--max-semi-space-size=1',
  '--max-old-space-size=512',
  '--single-threaded',
  // Incremental marking would run while a large payload is read: see warm-server.ts.
  '--no-incremental-marking',
  // The optimising compiler takes more memory than its code saves time; the middle tier stays.
  '--no-opt',
  '--optimize-for-size',
  '--expose-gc',
  '--disable-warning=ExperimentalWarning',
]

const START_LIMIT_MS = 10_000

export function startEngine(env: NodeJS.ProcessEnv, why: string): void {
  const main = process.argv[1]
  if (!WANTS_ENGINE.has(why) || main === undefined || env.CROSSHOOK_NO_DAEMON === '1') return
  const { runtime } = paths(env)
  if (!takeTurn(runtime)) return
  const args = [...FLAGS, main, 'engine', ...(why === 'silent' || why === 'unproven' ? ['--replace'] : [])]
  const child = spawn(process.execPath, args, {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: plainEnvironment(env),
    windowsHide: true,
  })
  child.on('error', () => endTurn(runtime)) // the next cold call tries again
  child.unref()
}

/** Environment for a process that outlives the call and answers others. */
export function plainEnvironment(env: NodeJS.ProcessEnv, more: readonly string[] = []): NodeJS.ProcessEnv {
  const names = [...KEPT, ...SCOPE, ...more]
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

/** Lets concurrent calls start one engine instead of one each. */
function takeTurn(folder: string): boolean {
  const mark = markOf(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = statSync(mark, { throwIfNoEntry: false })
    // A time in the future counts as well: the clock was set back.
    if (found && Math.abs(Date.now() - found.mtimeMs) > START_LIMIT_MS) rmSync(mark, { force: true })
    closeSync(openSync(mark, 'wx', 0o600))
    return true
  } catch {
    return false // another process's turn, or a folder that cannot hold a socket either
  }
}

export function endTurn(folder: string): void {
  rmSync(markOf(folder), { force: true })
}

function markOf(folder: string): string {
  return join(folder, 'engine.starting')
}
