/** For tests: a home folder with recorded transcripts of an agent. */

import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TranscriptPlace } from '../spec/history.ts'
import { createTally, type Reading } from './reading.ts'
import { historians, transcriptCalls } from './transcripts.ts'

const DIALECTS = resolve(import.meta.dirname, '../dialects')

export function recordings(id: string): string {
  return join(DIALECTS, id, 'fixtures/transcripts')
}

/** Agents with recorded transcripts. */
export function recorded(): string[] {
  return globSync('*/fixtures/transcripts', { cwd: DIALECTS })
    .map((path) => path.split('/')[0]!)
    .sort()
}

export async function homeOf(...ids: string[]): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'history-'))
  for (const { id, history } of await historians(ids)) {
    const [{ folder, kind }] = history.places({ home, env: {} }) as unknown as [TranscriptPlace]
    mkdirSync(dirname(folder), { recursive: true })
    cpSync(recordings(id), folder, { recursive: true })
    rmSync(join(folder, 'expected.json'), { force: true })
    if (kind === 'rows') for (const name of globSync('*.db.json', { cwd: folder })) build(join(folder, name))
  }
  return home
}

interface Table {
  name: string
  columns: string[]
  rows: (string | number | null)[][]
}

function build(dump: string): void {
  const database = new DatabaseSync(dump.replace(/\.json$/, ''))
  database.exec('BEGIN')
  for (const { name, columns, rows } of JSON.parse(readFileSync(dump, 'utf8')) as Table[]) {
    database.exec(`CREATE TABLE "${name}" (${columns.map((column) => `"${column}"`).join(', ')})`)
    const insert = database.prepare(`INSERT INTO "${name}" VALUES (${columns.map(() => '?').join(', ')})`)
    for (const row of rows) insert.run(...row)
  }
  database.exec('COMMIT')
  database.close()
  rmSync(dump)
}

export interface ReadCall {
  at: string
  tool: unknown
  native: unknown
  input: unknown
  folder: string
  session: string
  ended: string | null
}

/** What the readers find in the transcripts below a home folder, oldest first. */
export async function readCalls(id: string, home: string): Promise<{ calls: ReadCall[]; reading: Reading }> {
  const tally = createTally()
  const calls: ReadCall[] = []
  for await (const { event, became } of transcriptCalls({ home, env: {}, tally, agents: [id] }))
    calls.push({
      at: event.timestamp,
      tool: event.tool_name,
      native: event.native_tool_name,
      input: event.tool_input,
      folder: event.work_dir.replace(home, '/home/dev'),
      session: event.session_id,
      ended: became.ended ?? null,
    })
  return { calls: calls.sort((a, b) => (a.at < b.at ? -1 : 1)), reading: tally }
}

export function expectedCalls(id: string): ReadCall[] | undefined {
  const file = join(recordings(id), 'expected.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ReadCall[]) : undefined
}
