/** Updates the entries of wired agents after hooks were added or removed. */

import { paths } from '../config/paths.ts'
import { eventsToken } from '../host/access-tokens.ts'
import type { Entry, Place } from '../spec/installer.ts'
import { coldProgram, programOf } from './command-line.ts'
import { isChange } from './edit.ts'
import type { Fail } from './entry-file.ts'
import { carryOut, type Done, plan, type Work } from './install.ts'
import { agentNamed, type KnownAgent, placeOf } from './known.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { readBytes, targetOf, toText } from './settings-bytes.ts'
import { wantedIn } from './wanted.ts'

export interface Rewired {
  agent: KnownAgent
  done: Done[]
  /** Native events that are added, and those that are removed. */
  more: string[]
  less: string[]
}

/** Returns what changed. Nothing when no agent is wired, or all events were requested. */
export async function rewire(folder: string, env: NodeJS.ProcessEnv): Promise<Rewired[]> {
  const rewired: Rewired[] = []
  for (const work of await changesIn(folder, env, { keeps: true })) {
    const { agent, ledger } = work
    const before = eventsIn(agent, work.place)
    // Consent to crosshook's entries covers these, too.
    const isAgreed = ({ target }: { target: string }) => ledger.find(agent.id, target) !== undefined
    const done = carryOut(work, isAgreed)
    const after = eventsIn(agent, work.place)
    rewired.push({ agent, done, more: without(after, before), less: without(before, after) })
  }
  return rewired
}

/** Native events that hooks listen to and that an agent has no entry for. Changes nothing. */
export async function unwired(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ agent: KnownAgent; more: string[] }[]> {
  const works = await changesIn(folder, env, { keeps: false })
  return works.flatMap((work) => {
    const planned = plan(work)
      .filter(({ file }) => file.consent === undefined)
      .flatMap(({ entries }) => entries.map(({ event }) => event))
    const more = without([...new Set(planned)], eventsIn(work.agent, work.place))
    return more.length > 0 ? [{ agent: work.agent, more }] : []
  })
}

async function changesIn(folder: string, env: NodeJS.ProcessEnv, keeps: { keeps: boolean }): Promise<Work[]> {
  const ledger = openLedger(paths(env).state)
  if (ledger.records.length === 0) return []
  const wanted = await wantedIn(folder, env, keeps)
  const works: Work[] = []
  for (const id of new Set(ledger.records.map(({ agent }) => agent))) {
    const agent = await agentNamed(id)
    for (const level of ['user', 'project'] as const) {
      const found = workFor(agent, placeOf(env, folder, level), ledger)
      const work = found && { ...found, wanted }
      if (work && plan(work).some((edit) => isChange(edit) && !edit.error)) works.push(work)
    }
  }
  return works
}

/** In the form in which it was installed. Undefined when it was not, or for all events. */
function workFor(agent: KnownAgent, place: Place, ledger: Ledger): Work | undefined {
  const where = paths(place.env)
  const records = agent.installer
    .files(place)
    // Consent may be in one file for both levels.
    .filter(({ consent }) => consent === undefined)
    .flatMap(({ path }) => ledger.find(agent.id, targetOf(path)) ?? [])
  if (records.length === 0 || records.some(({ all_events }) => all_events)) return undefined
  const ours = entriesIn(agent, place)
  const origin = records.find(({ http }) => http)?.http?.origin
  const isOpen = ({ command, args, argv }: Entry) =>
    [command, ...(args ?? []), ...(argv ?? [])].join(' ').includes('--fail=open')
  const fail: Fail = ours.some(isOpen) ? 'open' : 'closed'
  return {
    agent,
    place,
    ledger,
    program: programOf(where),
    ...(origin === undefined ? {} : { http: { origin, token: eventsToken(where.state) } }),
    fixed: {
      state: where.state,
      data: where.data,
      env: place.env,
      cold: coldProgram(),
      fail,
      isKept: true,
    },
  }
}

function eventsIn(agent: KnownAgent, place: Place): string[] {
  return [...new Set(entriesIn(agent, place).map(({ event }) => event))]
}

function entriesIn(agent: KnownAgent, place: Place): Entry[] {
  return agent.installer
    .files(place)
    .filter(({ consent }) => consent === undefined)
    .flatMap((file) => {
      const bytes = readBytes(targetOf(file.path))
      return bytes === undefined ? [] : file.find(toText(bytes, file.path)).filter(({ ours }) => ours)
    })
}

function without(these: readonly string[], those: readonly string[]): string[] {
  return these.filter((event) => !those.includes(event))
}
