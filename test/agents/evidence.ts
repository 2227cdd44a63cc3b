/** What a conversation left behind, in the questions that scenarios ask. */

import type { JournalRecord } from '../../src/journal/port.ts'
import type { AgentSide } from '../../src/spec/dialect.ts'
import type { Effect } from '../../src/spec/outcome.ts'
import type { Agent, Place } from './agents/agent.ts'
import type { Asked } from './stand-in/server.ts'

export interface Conversation {
  asked: readonly Asked[]
  journal: readonly JournalRecord[]
  exit: number | null
  stdout: string
  stderr: string
}

export interface Evidence extends Omit<Conversation, 'asked'> {
  agent: Agent
  project: string
  home: string
  asked(who: Asked['who']): Asked[]
  /** What the model was told after a step of its script. */
  told(step: string): string | undefined
  /** What the table of the dialect says. */
  can(event: string, effect: Effect): boolean
  denies(event: string): boolean
  /** Does the dialect make it of the transcript? */
  derives(event: string): boolean
  note(event: string): string | undefined
  /** Did the hook block something? */
  blockedBy(hook: string): boolean
  statusOf(hook: string): string
}

export function evidenceOf(
  agent: Agent,
  { project, home }: Place,
  { capabilities: table, derives }: Pick<AgentSide, 'capabilities' | 'derives'>,
  { asked, journal, ...rest }: Conversation,
): Evidence {
  const rows = (event: string) => Object.values(table).filter((row) => row.event === event)
  const statuses = (name: string) =>
    journal.flatMap((record) => record.hooks.filter((hook) => hook.name === name)).map((hook) => hook.status)
  return {
    ...rest,
    agent,
    project,
    home,
    journal,
    asked: (who) => asked.filter((question) => question.who === who),
    told(step) {
      const at = asked.findIndex((question) => question.step === step)
      if (at < 0) return undefined
      return asked.slice(at + 1).find((question) => question.who === asked[at]!.who)?.told
    },
    can: (event, effect) => rows(event).some((row) => row.effects.includes(effect)),
    denies: (event) => rows(event).some((row) => row.deny),
    derives: (event) => Object.hasOwn(derives ?? {}, event),
    note: (event) => rows(event).find((row) => row.note)?.note,
    blockedBy: (hook) => statuses(hook).includes('blocked'),
    statusOf: (hook) => statuses(hook).at(-1) ?? 'nothing of it',
  }
}
