/** Is an agent wired, does the wiring answer, and was the agent used without calling? */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ownEnvironment } from '../host/environment.ts'
import type { DaemonStatus } from '../host/status-file.ts'
import { messageOf } from '../spec/errors.ts'
import { EVENTS } from '../spec/event.ts'
import type { Entry, EntryProblem, Place, SettingsFile } from '../spec/installer.ts'
import type { Canary } from './canary.ts'
import { commandLine } from './command-line.ts'
import { genuine, type Maker } from './genuine.ts'
import { type Hearing, hearingOf } from './hearing.ts'
import { httpProblems } from './http-problems.ts'
import { settingsFiles } from './install.ts'
import { findProgram, isPresent, type KnownAgent, type Presence, presence } from './known.ts'
import { lacks } from './limits.ts'
import { possibleEvents } from './possible.ts'
import { readBytes, targetOf, toText } from './settings-bytes.ts'
import { silence } from './silence.ts'
import { type Wanted, wants } from './wanted.ts'

/**
 * `obeyed`: the canary got the deny in the agent's format. `wired`: nothing to stop, crosshook only listens. `cannot`:
 * it listens, but this agent cannot be stopped here. `off`: crosshook does not listen, and the note says why.
 */
export type EventState = 'obeyed' | 'wired' | 'cannot' | 'off' | 'missing' | 'broken'

export interface EventCheck {
  event: string
  canonical: string
  state: EventState
  /** What is wrong, or what the agent cannot do here. */
  detail: string | null
  last_called: string | null
  /** How long the agent waits for our answer, in milliseconds. */
  limit_ms: number
}

export interface Checkup {
  agent: KnownAgent
  found: Presence
  isWired: boolean
  files: { path: string; level: Place['level']; entries: number }[]
  /** Our entries as they are in the settings. */
  commands: string[]
  events: EventCheck[]
  /** Events that hooks listen to and that it does not tell of itself. */
  unheard: (Hearing & { canonical: string })[]
  problems: EntryProblem[]
  last_called: string | null
}

export interface Circumstances {
  places: readonly Place[]
  canary: Canary
  maker: Maker
  /** The running daemon. */
  daemon: DaemonStatus | undefined
  /** The events that some hook listens to. */
  wanted: Wanted
  /** Those among them that hooks listen to. Left out: nothing is said of events that the agent does not have. */
  listened?: readonly string[]
  /** Hooks that wait for a share of the context, where no setting says how many tokens fit into it. */
  unmeasured?: readonly string[]
  /** When the agent last called, for a canonical event or at all. */
  lastCalled(agent: string, event?: string): string | undefined
  /** When crosshook was installed into it. */
  installedAt(agent: string): string | undefined
}

type Ours = Entry & { isGenuine: boolean }

interface Looked {
  file: SettingsFile
  place: Place
  entries: Ours[]
  problems: readonly EntryProblem[]
  /** It could not be read. */
  isBroken?: true
}

export async function checkAgent(agent: KnownAgent, around: Circumstances): Promise<Checkup> {
  const { places, lastCalled } = around
  const looked = places.flatMap((place) =>
    settingsFiles(agent, place).map((file) => look(agent, file, place, around.maker)),
  )
  const hooks = looked.filter(({ file }) => file.consent === undefined)
  const entries = hooks.flatMap((each) => each.entries)
  const wired = looked.filter((each) => each.entries.length > 0)
  const isWired = entries.length > 0
  const events = isWired ? await checkEvents(agent, entries, around) : []
  return {
    agent,
    found: presence(agent, places[0]!),
    isWired,
    files: wired.map(({ file, place, entries }) => ({
      path: file.path,
      level: place.level,
      entries: entries.length,
    })),
    commands: [...new Set(entries.map(({ command }) => command))],
    events,
    unheard: isWired ? unheardIn(agent, around) : [],
    problems: [
      ...(isWired ? unmeasuredIn(agent, around) : []),
      ...settingsProblems(looked, isWired),
      ...hooks.flatMap(({ file, entries }) => httpProblems(agent, file.path, entries, around)),
      ...(isWired ? [...twice(hooks), ...silence(agent, around)] : []),
    ],
    last_called: lastCalled(agent.id) ?? null,
  }
}

export function isWorthChecking({ found, isWired }: Checkup): boolean {
  return isWired || isPresent(found)
}

function unheardIn({ dialect }: KnownAgent, { listened = [] }: Circumstances): Checkup['unheard'] {
  return listened
    .filter((event) => !event.includes('/'))
    .map((canonical) => ({ canonical, ...hearingOf(dialect, canonical) }))
    .filter(({ how }) => how !== 'native')
}

/** Hooks that would never run, for want of a number that only a person knows. */
function unmeasuredIn(agent: KnownAgent, around: Circumstances): EntryProblem[] {
  const { unmeasured = [] } = around
  const event = unheardIn(agent, around).find(({ how, limit }) => how === 'derived' && !limit)
  if (!event || unmeasured.length === 0) return []
  return [
    {
      level: 'warning',
      message: `${unmeasured.join(', ')} cannot run at ${event.canonical}: the transcript of ${agent.title} does not say how many tokens fit into the context`,
      fix: 'Say it in config.toml, such as [context] limits = { "MODEL" = 200000 }, or let the hook wait for matcher.token_count.',
    },
  ]
}

/** What two files say about a third is reported once. */
function settingsProblems(looked: readonly Looked[], isWired: boolean): EntryProblem[] {
  const found = new Map<string, EntryProblem>()
  for (const { file, problems, isBroken } of looked) {
    if (!isWired && !isBroken) continue
    for (const problem of problems)
      if (!found.has(problem.message))
        found.set(problem.message, { ...problem, message: `${file.path}: ${problem.message}` })
  }
  return [...found.values()]
}

function look(agent: KnownAgent, file: SettingsFile, place: Place, maker: Maker): Looked {
  try {
    const bytes = readBytes(targetOf(file.path))
    const text = bytes === undefined ? undefined : toText(bytes, file.path)
    const entries = text === undefined ? [] : ourEntries(agent, file, text, maker)
    // A file without our entries may disable those in another.
    const problems = text === undefined ? [] : (file.problems?.(text, place) ?? [])
    return { file, place, entries, problems }
  } catch (error) {
    const problem: EntryProblem = {
      level: 'error',
      message: messageOf(error).replace(/ ?Nothing was changed\.$/, ''),
      fix: 'Correct the file: the agent may not be able to read it either.',
    }
    return { file, place, entries: [], problems: [problem], isBroken: true }
  }
}

/** An entry that looks like ours but was not written by crosshook is not run here either. */
function ourEntries(agent: KnownAgent, file: SettingsFile, text: string, maker: Maker): Ours[] {
  const isGenuine = genuine(agent, file, text, maker)
  return file
    .find(text)
    .filter(({ ours }) => ours)
    .map((entry) => ({ ...entry, isGenuine: isGenuine(entry) }))
}

async function checkEvents(
  agent: KnownAgent,
  entries: readonly Ours[],
  { canary, maker, places, lastCalled, wanted }: Circumstances,
): Promise<EventCheck[]> {
  const command = commandLine({ agent, state: maker.state, fail: 'closed' }, maker.programs[0]!)
  const possible = possibleEvents(settingsFiles(agent, places[0]!), command)
  const { capabilities } = agent.agent
  const hasAll = maker.ledger.records.some((record) => record.agent === agent.id && record.all_events)
  const isWanted = wants(agent, hasAll ? 'all' : wanted)
  const isListenedTo = (event: string) =>
    possible.has(event) || entries.some((entry) => entry.event === event)
  const heard = new Set(
    Object.keys(capabilities)
      .filter(isListenedTo)
      .map((event) => capabilities[event]!.event),
  )
  // An agent with two names for one event uses one of them; its own events without a note are left out.
  const rows = Object.entries(capabilities).filter(
    ([event, { event: canonical, note }]) =>
      isListenedTo(event) ||
      (!heard.has(canonical) && (note !== undefined || Object.hasOwn(EVENTS, canonical))),
  )
  const checks = await inTurns(rows, async ([event, capability]): Promise<Omit<EventCheck, 'limit_ms'>> => {
    const { event: canonical, deny, note } = capability
    const own = entries.filter((entry) => entry.event === event)
    const check = { event, canonical, last_called: lastCalled(agent.id, canonical) ?? null }
    if (own.length === 0)
      return possible.has(event)
        ? isWanted(event)
          ? { ...check, state: 'missing', detail: `there is no entry for it: crosshook install ${agent.id}` }
          : { ...check, state: 'off', detail: 'no hook listens to it' }
        : { ...check, state: 'off', detail: note ?? null }
    for (const entry of own) {
      const isCanary = deny && isCall(entry)
      const wrong =
        missingProgram(entry) ??
        (entry.isGenuine
          ? undefined
          : `this crosshook did not write it, and does not run it: ${entry.command}`) ??
        (isCanary ? await canary.fire(agent, entry) : undefined)
      if (wrong !== undefined) return { ...check, state: 'broken', detail: wrong }
    }
    const state = deny ? 'obeyed' : lacks(capability, 'deny') ? 'cannot' : 'wired'
    return { ...check, state, detail: note ?? null }
  })
  return checks.map((check) => ({
    ...check,
    limit_ms: 1000 * (agent.installer.waitSeconds?.(check.event) ?? DEFAULT_WAIT_SECONDS),
  }))
}

/** Default for agents: see `Installer`. */
const DEFAULT_WAIT_SECONDS = 600

/** Some settings only name our plugin; the calls are in the plugin. */
function isCall({ command, argv }: Entry): boolean {
  return argv !== undefined || /^https?:|\shook\s|\/install\/entries\//.test(command)
}

/** The program that the entry starts, if it is missing. */
function missingProgram(entry: Entry): string | undefined {
  const { command, argv = entry.args && [entry.command, 'hook', ...entry.args] } = entry
  if (/^https?:/.test(command)) return undefined
  if (command.startsWith('file:'))
    return existsSync(fileURLToPath(command)) ? undefined : `${command} is not there any more`
  if (!isCall(entry)) return undefined
  const words = argv ?? shellWords(command)
  const at = words.indexOf('hook')
  const files = words.slice(0, at < 0 ? 1 : at).filter((word) => word.startsWith('/'))
  const gone = files.find((file) => !existsSync(file))
  if (gone !== undefined) return `${gone} is not there any more`
  const [first = ''] = files.length > 0 ? files : words
  return findProgram(first, ownEnvironment()) === undefined ? `${first} cannot be started` : undefined
}

/** Without quotes; a word may have several quoted parts, as a path with an apostrophe has. */
function shellWords(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
  )
}

/** An agent that reads two of our entries would run every hook twice. */
function twice(looked: readonly Looked[]): EntryProblem[] {
  const levels = new Set(looked.filter((each) => each.entries.length > 0).map(({ place }) => place.level))
  if (levels.size < 2) return []
  return [
    {
      level: 'warning',
      message: 'it is wired in your settings and in those of this project, so every hook runs twice',
      fix: 'Take one out: crosshook uninstall AGENT, or with --project.',
    },
  ]
}

/** A few at a time, because each starts a process. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const at = next++
      results[at] = await work(items[at]!)
    }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return results
}
