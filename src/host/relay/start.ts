/** Starts the warm engine for later calls, in the background. A start that fails changes no answer. */

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../../config/paths.ts'
import { scopeOf } from './accepts.ts'

/** What a relay says of its call when another engine would help: see relay/PROTOCOL.md. */
const WANTS_ENGINE = new Set(['absent', 'leaving', 'silent', 'unproven'])

/** Beside the scope. The rest comes with each event; what one agent's project sets must not reach another's. */
const KEPT = ['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'USER', 'LOGNAME', 'SSL_CERT_FILE', 'SSL_CERT_DIR']

/** Small rather than quick to grow: an event makes little that lives on. What is left over is cleared when idle. */
export const FLAGS = [
  '--max-semi-space-size=1',
  '--max-old-space-size=512',
  '--single-threaded',
  // Marking bit by bit would go on while a large payload is read: see serve.ts.
  '--no-incremental-marking',
  // The largest compiler's own pages are more memory than its code saves time; the middle one stays.
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

/** For a process that outlives the call and answers others, too. */
export function plainEnvironment(env: NodeJS.ProcessEnv, more: readonly string[] = []): NodeJS.ProcessEnv {
  const kept = [...KEPT, ...more].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return { ...Object.fromEntries(kept), ...scopeOf(env) }
}

/** Calls that come together start one engine, not one each. */
function takeTurn(folder: string): boolean {
  const mark = markOf(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = statSync(mark, { throwIfNoEntry: false })
    // Also one of the future: the clock was set back since.
    if (found && Math.abs(Date.now() - found.mtimeMs) > START_LIMIT_MS) rmSync(mark, { force: true })
    closeSync(openSync(mark, 'wx', 0o600))
    return true
  } catch {
    return false // somebody else's turn, or a folder that cannot hold a socket either
  }
}

export function endTurn(folder: string): void {
  rmSync(markOf(folder), { force: true })
}

function markOf(folder: string): string {
  return join(folder, 'engine.starting')
}
