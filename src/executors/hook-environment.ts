/** The environment and the working folder of a hook's process. */

import { lstatSync, mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { sha256Hex } from '../fast/digest.ts'
import { messageOf } from '../spec/errors.ts'
import type { Call, Host } from '../spec/executor.ts'
import { isHostile } from '../spec/hostile-variables.ts'

/** Inherited, then the common variables, then the hook's own, then those of its format. */
export function environment(call: Call): Record<string, string> {
  const { hook, event, input, host } = call
  const env = { ...inherited(host) }
  assign(env, {
    AGENT_NAME: event.agent ?? '',
    // A hook's folder is what a person has reviewed, so no caches are written there.
    PYTHONDONTWRITEBYTECODE: '1',
    // Depth of hooks that call agents that call hooks; limited by the pipeline's guard stage.
    CROSSHOOK_DEPTH: String(Number(host.env.CROSSHOOK_DEPTH ?? 0) + 1),
    AGENT_SESSION_ID: event.session_id,
    AGENT_WORK_DIR: event.work_dir,
    AGENT_HOOK_EVENT: event.event_type,
    AGENT_HOOK_DIR: hook.origin.dir ?? dirname(hook.origin.file),
    ...stateFolder(call),
  })
  assign(env, hook.env)
  assign(env, input.env)
  return env
}

/** The part of the event's environment that hooks inherit: nothing that would run somebody else's code in them. */
export function inherited({
  env: given,
  passes = NONE,
}: Pick<Host, 'env' | 'passes'>): Record<string, string> {
  const known = filtered.get(given)
  if (known?.passes === passes) return known.env
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (
      value === undefined ||
      (isHostile(name) && !passes.includes(name)) ||
      name.startsWith('CROSSHOOK_AGENT_')
    )
      continue
    env[name] = value
  }
  if (Object.isFrozen(given)) filtered.set(given, { passes, env })
  return env
}

const NONE: readonly string[] = []
/** Cache for environments that are reused unchanged. */
const filtered = new WeakMap<NodeJS.ProcessEnv, { passes: readonly string[]; env: Record<string, string> }>()

/** A hook whose state folder cannot be created still guards: it gets a temporary one. */
function stateFolder({ hook, event, host }: Call): Record<string, string> {
  try {
    return { AGENT_HOOK_STATE: host.stateDir(hook, event.session_id) }
  } catch (thrown) {
    host.debug(`hook '${hook.name}' may forget what it writes: ${messageOf(thrown)}`)
  }
  try {
    return { AGENT_HOOK_STATE: temporaryState(sha256Hex(`${hook.name}\0${event.session_id}`)) }
  } catch (thrown) {
    host.debug(`hook '${hook.name}' has no state folder: ${messageOf(thrown)}`)
    return {}
  }
}

/** The same folder at each event, and one that no other user can have created. */
function temporaryState(name: string): string {
  const user = process.getuid?.()
  const own = join(tmpdir(), `crosshook-state-${user ?? 'own'}`)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const { uid, mode } = lstatSync(own)
  // A link does not count as our folder: its mode lets everybody in.
  if (user !== undefined && (uid !== user || (mode & 0o077) !== 0))
    return mkdtempSync(join(tmpdir(), 'agent-hook-state-'))
  const folder = join(own, name.slice(0, 32))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** A variable cannot contain NUL: a process given one does not start, which would turn a guard off. */
function assign(env: Record<string, string>, more: Record<string, string> = {}): void {
  for (const [name, value] of Object.entries(more)) {
    if (name !== '' && !/[=\0]/.test(name)) env[name] = value.replaceAll('\0', '')
  }
}

export interface WorkFolder {
  path: string
  /** What to tell people when it is not the requested folder. */
  note?: string
}

/** The folder, or the nearest existing one above it: a guard must also judge calls in a folder that is gone. */
export function workFolder(wanted: string): WorkFolder {
  if (isFolder(wanted)) return { path: wanted }
  let path = isAbsolute(wanted) ? dirname(wanted) : '/'
  while (!isFolder(path) && path !== dirname(path)) path = dirname(path)
  return { path, note: `the working folder ${wanted} does not exist: the hook ran in ${path}` }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false // whatever the error, nothing can run there
  }
}
