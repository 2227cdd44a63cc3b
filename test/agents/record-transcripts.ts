/**
 * Small recordings of the transcripts that a run left behind: `node record-transcripts.ts AGENT HOME`, with a home folder of
 * `KEEP_SCRATCH=1 node run.ts`. Long texts are cut, secrets and the places of this machine taken out.
 */

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { paths } from '../../src/config/paths.ts'
import type { PastCall } from '../../src/history/call.ts'
import { readHistory } from '../../src/history/read.ts'
import { homeOf, readCalls } from '../../src/history/testing.ts'
import { historians } from '../../src/history/transcripts.ts'
import { journalOf } from '../../src/pipeline/journal.ts'
import { redact } from '../../src/redact/redact.ts'

const MAX_TEXT_CHARS = 160
const MAX_RECORD_CHARS = 4000
const MAX_ITEMS = 40
/** The tables of databases that readers ask. */
const TABLES = ['session', 'part', 'event', 'sessions', 'messages']

async function record(id: string, home: string): Promise<void> {
  const env = { HOME: home }
  const target = resolve(import.meta.dirname, '../../src/dialects', id, 'fixtures/transcripts')
  rmSync(target, { recursive: true, force: true })
  const journal = await journalOf(paths(env))
  const calls: PastCall[] = []
  for await (const call of readHistory({ env, journal, agents: [id] }).calls) calls.push(call)
  journal.close()
  const bySession = Map.groupBy(calls, ({ event }) => event.session_id)
  const [session] = [...bySession].sort((a, b) => b[1].length - a[1].length)[0]!
  const files = new Set(bySession.get(session)!.flatMap(({ file }) => file ?? []))
  const [{ history }] = (await historians([id])) as [Awaited<ReturnType<typeof historians>>[number]]
  const clean = cleaner(dirname(bySession.get(session)![0]!.event.work_dir))
  const shortened = (json: string) => short(JSON.parse(json), clean)
  for (const place of history.places({ home, env }))
    for (const file of files) {
      const name = relative(place.folder, file)
      if (name.startsWith('..') || !place.files.test(name)) continue
      const put = (path: string, text: string) => {
        const to = join(target, clean(relative(place.folder, path)))
        mkdirSync(dirname(to), { recursive: true })
        writeFileSync(to, text)
      }
      const text = (path: string) => {
        const beside = join(dirname(file), path)
        try {
          const found = readFileSync(beside, 'utf8')
          put(beside, path.endsWith('.json') ? JSON.stringify(shortened(found), null, 1) : clean(found))
          return found
        } catch {
          return undefined
        }
      }
      const reader = history.reader({ path: file, text })
      if (place.kind === 'rows') put(`${file}.json`, JSON.stringify(dump(file, shortened), null, 1))
      else if (place.kind === 'document') {
        const document = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
        for (const _ of reader.read(document));
        put(file, JSON.stringify(shortened(JSON.stringify(document)), null, 1))
      } else {
        const lines = readFileSync(file, 'utf8').trim().split('\n')
        for (const _ of reader.read(JSON.parse(lines[0]!) as Record<string, unknown>));
        const kept = lines
          .map((line) => JSON.stringify(shortened(line)))
          .filter((line) => line.length < MAX_RECORD_CHARS)
        put(file, `${kept.join('\n')}\n`)
      }
    }
  const { calls: read } = await readCalls(id, await homeOf(id))
  const live = bySession.get(session)!.filter(({ became }) => became.isJournaled).length
  if (read.length < live) throw new Error(`${id}: ${read.length} of ${live} calls are in the recording`)
  writeFileSync(join(target, 'expected.json'), `${JSON.stringify(read, null, 1)}\n`)
  console.log(`${id}: ${read.length} calls, ${files.size} files`)
}

/** Texts with the places of a person called dev, and without secrets. Ids, which are no sentences, stay. */
function cleaner(scratch: string): (text: string) => string {
  const dashed = scratch.replaceAll(/[^A-Za-z0-9]/g, '-')
  return (text) => {
    const moved = text
      .replaceAll(`${scratch}/project`, '/home/dev/project')
      .replaceAll(`${scratch}/home`, '/home/dev')
      .replaceAll(scratch, '/home/dev')
      .replaceAll(encodeURIComponent(scratch), encodeURIComponent('/home/dev'))
      .replaceAll(dashed, '-home-dev')
      .replaceAll(scratch.slice(1).replaceAll('/', '-'), 'home-dev')
    return moved.includes(' ') ? redact(moved) : moved
  }
}

function short(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value.slice(0, 5000)).slice(0, MAX_TEXT_CHARS)
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((each) => short(each, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [clean(key), short(each, clean)]))
}

/** What builds the tables again, with their rows. */
function dump(file: string, shortened: (json: string) => unknown): unknown {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = TABLES.flatMap((name) => {
    const columns = database
      .prepare(`SELECT name FROM pragma_table_info(?)`)
      .all(name)
      .map((row) => String(row.name))
    if (columns.length === 0) return []
    const rows = database
      .prepare(
        columns.includes('data') && name !== 'session'
          ? `SELECT * FROM ${name} WHERE data LIKE '%"type":"tool"%'`
          : `SELECT * FROM ${name}`,
      )
      .all()
      .map((row) =>
        Object.values(row).map((each) => {
          if (isJson(each)) return JSON.stringify(shortened(each))
          return typeof each === 'string' ? String(shortened(JSON.stringify(each))) : each
        }),
      )
    return [{ name, columns, rows: rows.slice(0, 70) }]
  })
  database.close()
  return tables
}

function isJson(value: unknown): value is string {
  return typeof value === 'string' && /^(?:\{"|\[\{)/.test(value)
}

const [id = '', home = ''] = process.argv.slice(2)
if (!statSync(home).isDirectory()) throw new Error(`${home} is no folder`)
await record(id, resolve(home))
