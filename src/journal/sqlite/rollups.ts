/** Sums per hour and day, made when records are taken in, so that totals need no counting and outlive the records. */

import type { DatabaseSync } from 'node:sqlite'
import { eventRow } from '../../spec/event.ts'
import type { JournalEntry } from '../port.ts'
import { prepared } from './database.ts'
import type { Line } from './intake-line.ts'
import {
  added,
  addRecord,
  HOUR,
  type HookSums,
  newSums,
  type OfPlace,
  SUMS,
  sumOf,
  type Texts,
  text,
  type Where,
} from './record-sums.ts'
import type { Times } from './times.ts'

export interface Rollups {
  add(line: Line): void
  /** Call inside a transaction. */
  write(): void
}

/** Hours covered by a row of `hook_sums`; 0: all time. */
export const SPANS = { hour: 1, day: 24, ever: 0 } as const

/**
 * What a row of `hook_sums` distinguishes beside the hook. Most queries use one dimension, which has few rows of its
 * own. Queries on several read the rows of `all`, which has only days.
 */
export const LEVELS = ['hook', 'agent', 'tool', 'project', 'all'] as const
export type Level = (typeof LEVELS)[number]

/** level, span, at, hook, agent, tool, project */
type Key = readonly [Level, number, number, string, string, string, string]

/** `sums`: of earlier records, to be written with the others. */
export function createRollups(db: DatabaseSync, sums = newSums()): Rollups {
  const asked = createAsked(db)
  return {
    add({ at, entry }) {
      addRecord(sums, at, entry)
      for (const { at: when, ...where } of asked.see(entry, at))
        sumOf(sums, Math.floor(when / HOUR), where).overrides++
    },
    write() {
      for (const { columns, count } of sums.events.values()) {
        const [hour, ...others] = columns as [number, ...string[]]
        prepared(db, addEvents('event_hours')).run(hour, ...others, count)
        prepared(db, addEvents('event_days')).run(hour - (hour % 24), ...others, count)
      }
      for (const { key, sum } of rowsOf(sums.hooks.values())) addHookSums(db, key, sum)
      asked.write()
    },
  }
}

/** Each place counts in ten rows of the table. They are added up only here: many records share a place. */
function rowsOf(places: Iterable<OfPlace>): Iterable<{ key: Key; sum: HookSums }> {
  const rows = new Map<string, { key: Key; sum: HookSums }>()
  for (const { hour, texts, sum } of places)
    for (const key of keysOf(hour, texts)) {
      const name = key.join('\0')
      const row = rows.get(name)
      if (!row) rows.set(name, { key, sum: { ...sum, times: { ...sum.times } } })
      else {
        for (const each of SUMS) row.sum[each] += sum[each]
        added(row.sum.times, sum.times)
      }
    }
  return rows.values()
}

function keysOf(hour: number, [hook, agent, tool, project]: Texts): Key[] {
  const day = hour - (hour % 24)
  const keys: Key[] = [
    ['hook', SPANS.ever, 0, hook, '', '', ''],
    ['all', SPANS.day, day, hook, agent, tool, project],
  ]
  for (const [span, at] of [
    [SPANS.hour, hour],
    [SPANS.day, day],
  ] as const)
    keys.push(
      ['hook', span, at, hook, '', '', ''],
      ['agent', span, at, hook, agent, '', ''],
      ['tool', span, at, hook, '', tool, ''],
      ['project', span, at, hook, '', '', project],
    )
  return keys
}

function addHookSums(db: DatabaseSync, key: Key, { times, ...sums }: HookSums): void {
  const before = prepared(db, TIMES).get(...key)
  const all = before ? added(JSON.parse(String(before.times)) as Times, times) : times
  prepared(db, ADD_HOOK).run(...key, ...SUMS.map((name) => sums[name]), JSON.stringify(all))
}

function addEvents(table: 'event_hours' | 'event_days'): string {
  return `INSERT INTO ${table} (hour, agent, tool, decision, project, event, events) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET events = events + excluded.events`
}

const TIMES =
  'SELECT times FROM hook_sums WHERE level = ? AND span = ? AND at = ? AND hook = ? AND agent = ? AND tool = ? AND project = ?'
const ADD_HOOK = `INSERT INTO hook_sums (level, span, at, hook, agent, tool, project, ${SUMS.join(', ')}, times)
  VALUES (?, ?, ?, ?, ?, ?, ?, ${SUMS.map(() => '?').join(', ')}, ?)
  ON CONFLICT DO UPDATE SET ${SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}, times = excluded.times`

interface Overridden extends Where {
  /** Time of the question, in milliseconds. */
  at: number
}

interface Asked {
  /** The hooks that asked about a tool call which, by this record, took place. */
  see(entry: JournalEntry, at: number): Overridden[]
  write(): void
}

/** Questions to people, so that a later record of the tool's end shows that the answer was yes. */
function createAsked(db: DatabaseSync): Asked {
  const fresh = new Map<string, { at: number; agent: string; project: string; hooks: string[] } | undefined>()
  let hasOld: boolean | undefined
  const keyOf = ({ session_id, tool_name, detail }: JournalEntry) =>
    JSON.stringify([text(session_id), text(tool_name), text(detail)])
  return {
    see(entry, at) {
      if (entry.tool_name === undefined) return []
      const { block, tool } = eventRow(entry.event)
      if (!tool) return []
      if (block === 'prevents') {
        const hooks = entry.hooks.filter(({ asked }) => asked)
        if (hooks.length === 0) return []
        const names = hooks.map(({ name }) => text(name))
        const [agent, project] = [text(entry.agent), text(entry.work_dir)]
        if (entry.decision === 'ask') fresh.set(keyOf(entry), { at, agent, project, hooks: names })
        // Answered outside the agent: by a person, or by an earlier grant.
        if (entry.decision === 'allow')
          return names.map((hook) => ({ at, hook, agent, tool: entry.tool_name, project }))
        return []
      }
      if (block !== 'feedback') return []
      hasOld ??= hasQuestions(db)
      if (fresh.size === 0 && !hasOld) return []
      const key = keyOf(entry)
      const found = fresh.has(key) ? fresh.get(key) : hasOld ? kept(db, key) : undefined
      if (!found) return []
      fresh.set(key, undefined)
      const { agent, project } = found
      return found.hooks.map((hook) => ({ at: found.at, hook, agent, tool: entry.tool_name, project }))
    },
    write() {
      for (const [key, value] of fresh) {
        const columns = JSON.parse(key) as [string, string, string]
        if (value === undefined)
          prepared(db, 'DELETE FROM asked WHERE session = ? AND tool = ? AND detail = ?').run(...columns)
        else
          prepared(db, 'INSERT OR REPLACE INTO asked VALUES (?, ?, ?, ?, ?, ?, ?)').run(
            ...columns,
            ...[value.at, value.agent, value.project, JSON.stringify(value.hooks)],
          )
      }
    },
  }
}

/** Is any question to a person open? */
export function hasQuestions(db: DatabaseSync): boolean {
  return prepared(db, 'SELECT 1 AS one FROM asked LIMIT 1').get() !== undefined
}

function kept(db: DatabaseSync, key: string) {
  const row = prepared(db, 'SELECT * FROM asked WHERE session = ? AND tool = ? AND detail = ?').get(
    ...(JSON.parse(key) as string[]),
  )
  return (
    row && {
      at: Number(row.at_ms),
      agent: String(row.agent),
      project: String(row.project),
      hooks: JSON.parse(String(row.hooks)) as string[],
    }
  )
}

/** Hourly sums older than this are kept only as daily sums. */
export const KEPT_HOURS = 31 * 24
/** A question without a result by then was not answered with yes. */
const ANSWERED_WITHIN_MS = 86_400_000

/** Call inside a transaction. `age` in milliseconds. */
export function dropOldSums(db: DatabaseSync, age: number, now = Date.now()): void {
  const oldest = Math.floor((now - age) / HOUR)
  const oldestHour = Math.max(oldest, Math.floor(now / HOUR) - KEPT_HOURS)
  db.prepare('DELETE FROM event_hours WHERE hour < ?').run(oldestHour)
  db.prepare('DELETE FROM event_days WHERE hour < ?').run(oldest - 23)
  for (const level of LEVELS) {
    const remove = db.prepare('DELETE FROM hook_sums WHERE level = ? AND span = ? AND at < ?')
    remove.run(level, SPANS.hour, oldestHour)
    remove.run(level, SPANS.day, oldest - 23)
  }
  db.prepare('DELETE FROM asked WHERE at_ms < ?').run(now - ANSWERED_WITHIN_MS)
}
