/** Questions of the page and of `crosshook stats` to the sums of ten million events, against a plain count of records. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Journal } from '../src/journal/port.ts'
import { openJournal } from '../src/journal/sqlite/open.ts'
import { timeOf } from '../src/journal/sqlite/times.ts'
import { statsOf } from '../src/journal/stats.ts'
import { type Row, ratioOf } from './measure.ts'

const EVENTS = 10_000_000
/** Kept records for the plain count; what it takes grows with them, what sums take does not. */
const RECORDS = 100_000
const DAYS = 90
const KEPT_HOURS = 31 * 24

const HOOKS = Array.from({ length: 12 }, (_, i) => `hook-${i}`)
const AGENTS = ['one', 'two', 'three']
const TOOLS = ['Shell', 'ReadFile', 'WriteFile', 'EditFile', 'WebFetch']
const PROJECTS = ['/a', '/b', '/c', '/d']
const LIMIT_MS = 300

export async function statistics(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-bench-stats-'))
  const journal = openJournal(join(folder, 'state'), { limits: { records: 2 * RECORDS, bytes: 2 ** 31 } })
  try {
    fillRecords(journal)
    const db = new DatabaseSync(join(folder, 'state', 'journal.db'))
    fillSums(db)
    const since = (days: number) => new Date(Date.now() - days * 86_400_000)
    const { ratio, medians } = await ratioOf(
      {
        count: async () => db.prepare('SELECT count(*) FROM events WHERE decision != ?').get('none'),
        week: async () => statsOf(journal, { since: since(7), slices: 14 }),
        quarter: async () => statsOf(journal, { since: since(DAYS), slices: 90 }),
        hooksByDay: async () => journal.hookSums({ since: since(DAYS), by: ['hook', 'day'] }),
        oneByHour: async () => journal.hookSums({ since: since(30), by: ['hour'], hook: 'hook-3' }),
        cross: async () => journal.hookSums({ since: since(DAYS), by: ['tool', 'agent'], project: '/a' }),
        tools: async () => journal.hookSums({ since: since(30), by: ['tool'] }),
      },
      { rounds: 7, batch: 1 },
    )
    const slowest = Math.max(
      medians.week,
      medians.quarter,
      medians.hooksByDay,
      medians.oneByHour,
      medians.tools,
      medians.cross,
    )
    const of = `a plain count of ${RECORDS.toLocaleString('en')} records`
    return [
      { what: `stats of a week of 10 million events / ${of}`, ratio: ratio('week', 'count'), target: '' },
      {
        what: `stats of ${DAYS} days of 10 million events / ${of}`,
        ratio: ratio('quarter', 'count'),
        target: '',
      },
      { what: `each hook by day, ${DAYS} days / ${of}`, ratio: ratio('hooksByDay', 'count'), target: '' },
      { what: `one hook by hour, 30 days / ${of}`, ratio: ratio('oneByHour', 'count'), target: '' },
      { what: `hooks by tool, 30 days / ${of}`, ratio: ratio('tools', 'count'), target: '' },
      {
        what: `tools by agent in one project, ${DAYS} days / ${of}`,
        ratio: ratio('cross', 'count'),
        target: '',
      },
      { what: `the slowest of these / ${LIMIT_MS} ms`, ratio: slowest / LIMIT_MS, target: '< 1' },
    ]
  } finally {
    journal.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function fillRecords(journal: Journal): void {
  const entry = {
    event: 'before_tool',
    session_id: 's',
    work_dir: '/a',
    decision: 'allow',
    reason: null,
    stop: null,
    duration_ms: 1,
    source: 'library',
    hooks: [],
  } as const
  for (let done = 0; done < RECORDS; done += 5000)
    journal.appendTogether(() => {
      for (let i = 0; i < 5000; i++) journal.append({ ...entry, hooks: [] })
    })
  journal.countBy([])
}

/** The rows that ten million events of `DAYS` days leave behind. */
function fillSums(db: DatabaseSync): void {
  const now = Math.floor(Date.now() / 3_600_000)
  const hours = DAYS * 24
  const each = EVENTS / hours
  const addEvent = db.prepare('INSERT OR REPLACE INTO event_hours VALUES (?, ?, ?, ?, ?, ?, ?)')
  const addDay = db.prepare(
    'INSERT INTO event_days VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET events = events + excluded.events',
  )
  const addHook = db.prepare(
    'INSERT OR REPLACE INTO hook_sums VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, ?, ?)',
  )
  const combinations = AGENTS.length * TOOLS.length * PROJECTS.length
  db.exec('BEGIN')
  for (let back = 0; back < hours; back++) {
    const hour = now - back
    const day = hour - (hour % 24)
    const isDay = back % 24 === 0
    const isKept = back < KEPT_HOURS
    if (!isDay && !isKept) continue
    const scale = isKept ? 1 : 24
    for (const agent of AGENTS)
      for (const tool of TOOLS)
        for (const project of PROJECTS) {
          for (const decision of ['allow', 'deny'])
            for (const event of ['before_tool', 'after_tool']) {
              const count = Math.round((each * scale) / combinations / 4)
              if (isKept) addEvent.run(hour, agent, tool, decision, project, event, count)
              addDay.run(day, agent, tool, decision, project, event, count)
            }
          for (const hook of HOOKS) {
            const runs = Math.max(1, Math.round(each / combinations))
            const add = (level: string, span: number, at: number, times: number) => {
              const is = (name: string, value: string) => (level === name || level === 'all' ? value : '')
              const key = [is('agent', agent), is('tool', tool), is('project', project)]
              addHook.run(
                level,
                span,
                at,
                hook,
                ...key,
                runs * times,
                times,
                runs * 3,
                spread(runs * times, back),
              )
            }
            for (const level of ['hook', 'agent', 'tool', 'project']) {
              if (isKept) add(level, 1, hour, 1)
              if (isDay) add(level, 24, day, 24)
            }
            if (isDay) add('all', 24, day, 24)
          }
        }
  }
  db.exec('COMMIT')
}

/** Runs over a dozen slots around ten milliseconds. */
function spread(runs: number, seed: number): string {
  const times: Record<string, number> = {}
  for (let i = 0; i < 12; i++)
    times[timeOf(2 + ((seed * 7 + i * 13) % 97))] = Math.max(1, Math.round(runs / 12))
  return JSON.stringify(times)
}
