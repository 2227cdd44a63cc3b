/** The meaning of `sandbox` in a hook's definition: the minimum that its program needs, plus what it declares. */

import { mkdirSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import type { Call } from '../../spec/executor.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Failure } from '../../spec/outcome.ts'
import { touchedPaths } from '../../spec/tool.ts'
import type { Start } from '../process.ts'
import { confinedStart, refused } from './confined-start.ts'
import { connections, type Folders, pathsOf } from './policy.ts'
import { interpreterFolders, systemFiles } from './system-files.ts'

const MEMORY_MB = 4096

/** Inherited beside what `env` lists and what the hook and its format set. */
const VARIABLES =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TERM|NO_COLOR|AGENT_\w+|CROSSHOOK_DEPTH)$/

/** Loaded only for hooks that have a sandbox. */
export function sandboxed(start: Start, call: Call): Start | Failure {
  const { hook, event } = call
  const wish = sandboxWish(hook)
  const state = start.env.AGENT_HOOK_STATE
  const temp = state === undefined ? undefined : join(state, 'tmp')
  // A program that runs as another user shares the folder's group.
  const mode = call.host.caller === undefined ? 0o700 : 0o770
  if (temp !== undefined) mkdirSync(temp, { recursive: true, mode })
  const folders: Folders = {
    work: event.work_dir,
    project: projectOf(event.work_dir, call),
    home: call.host.env.HOME,
    temp: temp === undefined ? [] : [temp],
    own: call.host.sockets ?? [],
  }
  const reach = connections(wish.connect, folders)
  if (typeof reach === 'string') return refused(reach)
  const missing = makeFolders(wish.write, folders)
  if (missing !== undefined) return refused(missing)
  const own = hook.origin.dir ?? dirname(hook.origin.file)
  const interpreters = interpreterFolders(start, [folders.home, ...folders.project, own])
  const read = [
    ...systemFiles(),
    ...interpreters,
    own,
    ...pathsOf(touchedPaths(inputOf(call)), folders),
    ...pathsOf(wish.read, folders),
  ]
  const env = environment(start.env, call, wish.env ?? [])
  if (temp !== undefined) env.TMPDIR = temp
  // A program found in a folder where it may not run would hide one further on.
  if (env.PATH !== undefined) env.PATH = env.PATH.split(delimiter).filter(isBelow(read)).join(delimiter)
  return confinedStart(
    { ...start, env },
    {
      ...reach,
      read,
      write: [...(state === undefined ? [] : [state]), ...pathsOf(wish.write, folders)],
      // When any socket is allowed, every visible one can be reached.
      hide: reach.sockets.length > 0 ? folders.own.flatMap(ownSockets) : [],
      memory_mb: wish.memory_mb ?? MEMORY_MB,
      stays_in_group: true,
    },
  )
}

/**
 * The files, not the folder: without a runtime folder they are in the state folder, which also holds hooks' own
 * folders.
 */
function ownSockets(folder: string): string[] {
  return ['daemon.sock', 'engine.sock'].map((name) => join(folder, name))
}

/** In the home folder itself there is no project around it. */
function projectOf(workDir: string, { host }: Call): string[] {
  return [...new Set([workDir, ...(host.projects?.(workDir) ?? [])])]
}

/** Only existing paths can be opened to a program: folders, written with a trailing slash, are created. */
function makeFolders(write: readonly string[] = [], folders: Folders): string | undefined {
  for (const path of pathsOf(
    write.filter((text) => text.endsWith('/')),
    folders,
  ))
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 })
    } catch (error) {
      return `the folder ${path} cannot be made (${(error as Error).message})`
    }
  return undefined
}

export type SandboxWish = Exclude<NonNullable<Hook['sandbox']>, boolean>

export function sandboxWish({ sandbox }: Hook): SandboxWish {
  return typeof sandbox === 'object' ? sandbox : {}
}

function isBelow(paths: readonly string[]) {
  return (folder: string) => paths.some((path) => folder === path || folder.startsWith(path + sep))
}

function environment(given: Record<string, string>, { hook, input }: Call, listed: readonly string[]) {
  const own = new Set([...Object.keys(hook.env ?? {}), ...Object.keys(input.env ?? {}), ...listed])
  return Object.fromEntries(Object.entries(given).filter(([name]) => VARIABLES.test(name) || own.has(name)))
}

function inputOf({ event }: Call): Record<string, unknown> {
  const { tool_input } = event
  return typeof tool_input === 'object' && tool_input !== null ? (tool_input as Record<string, unknown>) : {}
}
