/**
 * Stage 3: selects the hooks that may apply to the event, as the steps of a plan. Hooks are read again when a file
 * changes.
 */

import { join } from 'node:path'
import { isCurrent, isRacy, type Watch, watchInputs } from '../config/fingerprint.ts'
import { type HookSet, loadHookSet } from '../config/load.ts'
import { paths } from '../config/paths.ts'
import { isForAgentsOnly, selfProtection } from '../config/self-protection.ts'
import type { SourceSetting } from '../config/settings.ts'
import { isMac, mac, readStateKey, stateKey } from '../config/state-key.ts'
import type { TrustStore } from '../config/trust.ts'
import { writeWhole } from '../config/write-whole.ts'
import { FOLDER_FORMAT } from '../dialects/list.ts'
import { type Planned, plan, type Step } from '../engine/plan.ts'
import { sha256Hex } from '../fast/digest.ts'
import { rememberEnvironment } from '../fast/event-environment.ts'
import { within } from '../fast/within.ts'
import type { Dialect } from '../spec/dialect.ts'
import { eventRow } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import { readText } from '../spec/read-file.ts'
import type { Context } from './context.ts'
import { type Active, activate } from './select/active.ts'

/** Returns a promise only when files have to be read. */
export function select(context: Context): Promise<void> | undefined {
  const { event, services } = context
  rememberEnvironment(event, context.env)
  const known = services.hooksOf(event.work_dir, startOf(context))
  return known instanceof Promise ? known.then((read) => choose(context, read)) : choose(context, known)
}

function choose(context: Context, { set, active }: Known): Promise<void> | undefined {
  context.set = set
  context.active = active
  const found = active.candidates(context.event)
  if (found instanceof Promise) return found.then((ready) => planFor(context, ready))
  planFor(context, found)
  return undefined
}

/** Made once for each list of candidates, which is itself cached per kind of event, and each agent. */
export function planFor(context: Context, found: readonly Planned[]): void {
  const id = context.agent?.id ?? ''
  let byAgent = plans.get(found)
  if (!byAgent) plans.set(found, (byAgent = new Map()))
  let steps = byAgent.get(id)
  if (!steps) byAgent.set(id, (steps = plan(found.filter(appliesTo(context)))))
  context.steps = steps
}

const plans = new WeakMap<readonly Planned[], Map<string, readonly Step[]>>()

function appliesTo({ agent, services, set }: Context): (planned: Planned) => boolean {
  if (!agent) return ({ hook }) => !isForAgentsOnly(hook)
  const isItsOwn = runsItself(agent, { home: services.paths.home, projects: set!.projects })
  return ({ hook }) => !isItsOwn(hook)
}

/** Only agents have sessions that move between folders. */
export function startOf({ agent, event, services }: Context): string | undefined {
  if (!agent) return undefined
  const { begins } = eventRow(event.event_type)
  const isNew = begins === 'session' && (event.source ?? NEW_SESSION) === NEW_SESSION
  return services.starts.of(event.session_id, event.work_dir, isNew)
}

/** Agents also report a beginning when they resume or compact a session, wherever it has gone to by then. */
const NEW_SESSION = 'startup'

/**
 * Remembers the folder in which a session began. That project's hooks apply for the whole session: a `cd` to another
 * folder, or to a repository inside this one, removes no guard.
 */
export interface SessionStarts {
  /** The folder in which the session began; the given one at its first event. */
  of(sessionId: string, workDir: string, isBeginning: boolean): string
}

const MAX_SESSIONS = 1000

export function openSessionStarts(stateDir: string): SessionStarts {
  const known = new Map<string, string>()
  return {
    of(sessionId, workDir, isBeginning) {
      if (sessionId === '') return workDir
      const kept = isBeginning ? undefined : (known.get(sessionId) ?? readStart(stateDir, sessionId))
      const start = kept ?? workDir
      if (known.size > MAX_SESSIONS) known.clear()
      known.set(sessionId, start)
      if (kept === undefined) writeStart(stateDir, sessionId, start)
      return start
    },
  }
}

function startFile(stateDir: string, sessionId: string): string {
  return within(stateDir, `sessions/${sha256Hex(sessionId).slice(0, 32)}/start`)
}

function readStart(stateDir: string, sessionId: string): string | undefined {
  try {
    const [proof, start = ''] = readText(startFile(stateDir, sessionId)).split('\n')
    const key = readStateKey(stateDir)
    return key && isMac(proof, key, 'session', `${sessionId}\0${start}`) ? start : undefined
  } catch {
    return undefined // first event, or an unreadable state folder
  }
}

function writeStart(stateDir: string, sessionId: string, start: string): void {
  try {
    const proof = mac(stateKey(stateDir), 'session', `${sessionId}\0${start}`)
    writeWhole(startFile(stateDir, sessionId), `${proof}\n${start}\n`)
  } catch {
    // The journal reports a state folder that cannot be written; this process keeps the folder in memory.
  }
}

/** Hooks that the agent runs itself from settings that it also reads: running them here would run them twice. */
export function runsItself(
  { id, format, agent }: Dialect,
  { home, projects }: { home: string; projects: readonly string[] },
): (hook: Hook) => boolean {
  const files = { user: format?.files.user ?? [], project: format?.files.project ?? [] }
  const also = agent?.alsoRuns ?? { user: [], project: [] }
  const isAmong = (file: string, base: string, patterns: readonly string[]) =>
    patterns.some((pattern) => matches(file, join(base, pattern)))
  return ({ format: written, scope, origin: { file } }) => {
    if (written === FOLDER_FORMAT || (scope !== 'user' && scope !== 'project')) return false
    const isOfProject = (patterns: readonly string[]) =>
      projects.some((project) => isAmong(file, project, patterns))
    if (written === id && (isAmong(file, home, files.user) || isOfProject(files.project))) return true
    return isAmong(file, home, also.user) || isOfProject(also.project)
  }
}

/** `*` matches a name within one folder. */
function matches(file: string, pattern: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return file === pattern
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)]
  return (
    file.length >= head.length + tail.length &&
    file.startsWith(head) &&
    file.endsWith(tail) &&
    !file.slice(head.length).includes('/')
  )
}

export interface HookSetOptions {
  env: NodeJS.ProcessEnv
  trust: TrustStore
  sources?: readonly SourceSetting[]
  /** Further hooks, read at each event: those of SDK processes. */
  registered?: () => readonly Hook[]
  /** Only managed hooks. */
  managedOnly?: boolean
  /** Only the hooks of this name. */
  only?: string
  /** Many events at once: events in one turn of the event loop share one check of the files. */
  busy?: boolean
  /** A resident process where each event has a connection of its own: see `watchInputs`. */
  stays?: boolean
}

export interface Known {
  set: HookSet
  active: Active
  /** Read within the resolution of the change time, so a second change could go unnoticed: used for one event only. */
  racy?: boolean
  readAt: number
  registered: readonly Hook[]
  watch: Watch
}

/** Returns a promise only when files have to be read. */
export type HooksOfFolder = (workDir: string, startDir?: string) => Known | Promise<Known>

const NONE: readonly Hook[] = []
const MAX_FOLDERS = 200

export function createHookSets(options: HookSetOptions): HooksOfFolder {
  const { env, trust, sources, only, busy } = options
  const sets = new Map<string, Known>()
  /** Folders whose files were checked in this turn of the event loop. */
  const proven = new Set<string>()

  function current(workDir: string, startDir = workDir): Known | Promise<Known> {
    const registered = options.registered?.() ?? NONE
    const place = startDir === workDir ? workDir : `${workDir}\0${startDir}`
    const known = sets.get(place)
    if (!known || isGoodForOne(known) || !(proven.has(place) || known.watch.isCurrent()))
      return load({ place, workDir, startDir }, registered)
    if (busy && proven.size === 0) setImmediate(() => proven.clear())
    if (busy) proven.add(place)
    if (known.registered === registered) return known
    return remember(place, { ...known, registered, active: activateAll(known.set, registered) })
  }

  async function load(
    { place, workDir, startDir }: { place: string; workDir: string; startDir: string },
    registered: readonly Hook[],
  ): Promise<Known> {
    const at = Date.now()
    const before = sets.get(place)?.set
    const set = await loadHookSet({
      env,
      workDir,
      ...(startDir === workDir ? {} : { startDir }),
      ...(sources ? { sources } : {}),
      ...(options.managedOnly ? { managedOnly: true } : {}),
      ...(before ? { before } : {}),
    })
    const { inputs } = set
    return remember(place, {
      set,
      active: activateAll(set, registered),
      readAt: at,
      registered,
      watch: options.stays ? watchInputs(inputs) : { isCurrent: () => isCurrent(inputs) },
    })
  }

  function isGoodForOne(known: Known): boolean {
    known.racy ??= isRacy(known.set.inputs, known.readAt)
    return known.racy
  }

  function remember(place: string, known: Known): Known {
    if (sets.size > MAX_FOLDERS) sets.clear()
    sets.set(place, known)
    return known
  }

  const protection = sources ? [] : selfProtection(paths(env))
  const builtIn = ({ settings }: HookSet) => (settings.self_protection ? protection : [])

  function activateAll(set: HookSet, registered: readonly Hook[]): Active {
    const wanted = [...set.hooks, ...set.broken, ...registered, ...builtIn(set)].filter(
      ({ name }) => only === undefined || name === only,
    )
    return activate(wanted, { trust, settings: set.settings })
  }

  return current
}
