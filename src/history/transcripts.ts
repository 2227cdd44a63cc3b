/** Reads calls from agents' transcripts. */

import { lstatSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import type { AgentSide } from '../spec/dialect.ts'
import { messageOf } from '../spec/errors.ts'
import { eventRow } from '../spec/event.ts'
import type {
  History,
  Recorded,
  RecordedCall,
  RecordedEnd,
  TranscriptKind,
  TranscriptPlace,
} from '../spec/history.ts'
import { readText } from '../spec/read-file.ts'
import type { PastCall } from './call.ts'
import { isTooDeep } from './depth.ts'
import { documentOf } from './document.ts'
import { records } from './json-lines.ts'
import type { Tally } from './reading.ts'
import { rows } from './rows.ts'
import { filesBelow, type OpenFile, openFile } from './transcript-files.ts'

export interface TranscriptOptions {
  home: string
  env: NodeJS.ProcessEnv
  tally: Tally
  /** Calls before it are left out. */
  since?: Date
  /** Only these agents. */
  agents?: readonly string[]
  /** These files and folders instead of the agents' own. */
  paths?: readonly string[]
  /** Told before each file. */
  onFile?(path: string): void
}

export interface Historian {
  id: string
  agent: AgentSide
  history: History
}

/** Agents whose transcripts can be read. */
export async function historians(only?: readonly string[]): Promise<Historian[]> {
  const ids = Object.keys(DIALECTS).filter((id) => only?.includes(id) ?? true)
  const found = await Promise.all(
    ids.map(async (id) => {
      const { agent } = await loadDialect(id)
      const history = await agent?.history?.()
      return history ? [{ id, agent: agent!, history }] : []
    }),
  )
  return found.flat()
}

export async function* transcriptCalls(options: TranscriptOptions): AsyncGenerator<PastCall> {
  const readers = await historians(options.agents)
  if (options.paths) {
    for (const path of options.paths) yield* given(resolve(path), readers, options)
    return
  }
  for (const reader of readers)
    for (const place of reader.history.places(options))
      for await (const name of filesBelow(place.folder, options.tally))
        if (place.files.test(name)) yield* callsOf(join(place.folder, name), place, [reader], options)
}

/** The calls of one transcript. */
export function fileCalls(
  path: string,
  place: Pick<TranscriptPlace, 'kind' | 'queries'>,
  reader: Historian,
  options: TranscriptOptions,
): AsyncGenerator<PastCall> {
  return callsOf(path, place, [reader], options)
}

/** Files in other places: their content says whose they are. */
async function* given(
  path: string,
  readers: readonly Historian[],
  options: TranscriptOptions,
): AsyncGenerator<PastCall> {
  const isFolder = statSync(path).isDirectory()
  const paths = isFolder ? filesBelow(path, options.tally) : [path]
  for await (const name of paths) {
    const file = resolve(path, name)
    const kind = kindOf(file)
    if (kind) yield* callsOf(file, { kind }, readers, options)
    else if (!isFolder) options.tally.leaveOut('it is no transcript by its name', file)
  }
}

function kindOf(path: string): TranscriptKind | undefined {
  if (path.endsWith('.jsonl')) return 'lines'
  if (path.endsWith('.json')) return 'document'
  return /\.(?:db|sqlite\d?)$/.test(path) ? 'rows' : undefined
}

async function* callsOf(
  path: string,
  place: Pick<TranscriptPlace, 'kind' | 'queries'>,
  readers: readonly Historian[],
  options: TranscriptOptions,
): AsyncGenerator<PastCall> {
  const { tally, since } = options
  const file = await openFile(path, tally)
  if (!file) return
  options.onFile?.(path)
  try {
    if (since && file.changed < since.getTime()) return
    tally.files++
    const recording = createRecording(path, readers, file, options)
    for await (const record of recordsOf(path, file, place, readers, options)) {
      try {
        yield* recording.read(record)
      } catch (error) {
        // A shape that no version of the agent writes.
        tally.unreadable++
        tally.leaveOut(`a record cannot be understood: ${messageOf(error)}`, path)
      }
    }
    yield* recording.end()
  } catch (error) {
    tally.leaveOut(`it cannot be read: ${messageOf(error)}`, path)
  } finally {
    await file.handle.close()
  }
}

function recordsOf(
  path: string,
  file: OpenFile,
  { kind, queries }: Pick<TranscriptPlace, 'kind' | 'queries'>,
  readers: readonly Historian[],
  { tally, since, home, env }: TranscriptOptions,
): AsyncIterable<Record<string, unknown>> | Iterable<Record<string, unknown>> {
  if (kind === 'lines') return records(file, path, tally)
  if (kind === 'document') return documentOf(file, path, tally)
  const places = readers.flatMap(({ history }) => history.places({ home, env }))
  const known = queries ?? [...new Set(places.flatMap((place) => place.queries ?? []))]
  return rows(path, file, known, { tally, since })
}

interface Recording {
  read(record: Record<string, unknown>): Iterable<PastCall>
  end(): Iterable<PastCall>
}

/** Most calls waiting for their result. */
const MAX_WAITING = 256
/** Most records kept until one says which agent it is. */
const MAX_UNKNOWN = 100

function createRecording(
  path: string,
  readers: readonly Historian[],
  file: OpenFile,
  { tally, since, env, home }: TranscriptOptions,
): Recording {
  const sinceText = since?.toISOString() ?? ''
  const changed = new Date(file.changed).toISOString()
  const waiting = new Map<string, PastCall>()
  let unknown: Record<string, unknown>[] | undefined = []
  let owner: Historian | undefined
  let reader: ReturnType<History['reader']> | undefined
  if (readers.length === 1) own(readers[0]!)

  function own(found: Historian): void {
    owner = found
    reader = found.history.reader({ path, text: (name) => textBeside(path, name) })
  }

  function* read(record: Record<string, unknown>): Generator<PastCall> {
    if (reader) {
      for (const found of reader.read(record)) yield* take(found)
      return
    }
    if (!unknown) return
    unknown.push(record)
    const whose = readers.find(({ history }) => history.recognises(record, path))
    if (whose) {
      own(whose)
      const before = unknown
      unknown = undefined
      for (const each of before) yield* read(each)
    } else if (unknown.length >= MAX_UNKNOWN) unknown = undefined
  }

  function* take(found: Recorded): Generator<PastCall> {
    if (isEnd(found)) {
      const call = waiting.get(found.ended)
      if (!call) return
      waiting.delete(found.ended)
      call.became.ended = found.how
      if (found.how === 'refused') call.became.decision = 'deny'
      yield call
      return
    }
    const call = pastCall(owner!, found, { path, changed, env, home })
    if (call.event.timestamp < sinceText) return
    if (isTooDeep(call.event.tool_input)) {
      tally.unreadable++
      tally.leaveOut('the input of a call is nested too deep', path)
      return
    }
    const known = waiting.get(found.call)
    if (known) {
      waiting.delete(found.call)
      yield known
    }
    waiting.set(found.call, call)
    if (waiting.size <= MAX_WAITING) return
    const [oldest, first] = waiting.entries().next().value!
    waiting.delete(oldest)
    yield first
  }

  return {
    read,
    *end() {
      if (!reader) tally.leaveOut('no agent is known that writes such files', path)
      yield* waiting.values()
      waiting.clear()
    },
  }
}

function isEnd(found: Recorded): found is RecordedEnd {
  return 'ended' in found
}

/** A folder in which no call was. */
const UNKNOWN_FOLDER = '/\0'

function pastCall(
  { agent, history }: Historian,
  { payload, at, lacks }: RecordedCall,
  { path, changed, env, home }: { path: string; changed: string; env: NodeJS.ProcessEnv; home: string },
): PastCall {
  const event = agent.decode(payload, { event: history.event, env, cwd: UNKNOWN_FOLDER })
  event.timestamp = isoTime(at) ?? changed
  const isSomewhere = event.work_dir === UNKNOWN_FOLDER
  if (isSomewhere) event.work_dir = home
  if (eventRow(event.event_type).tool && typeof event.tool_input !== 'object') event.tool_input = {}
  return {
    event,
    source: 'transcript',
    file: path,
    became: { decision: 'allow', isJournaled: false },
    lacks: [lacks ?? [], isSomewhere ? 'the transcript does not say in which folder it was' : []].flat(),
  }
}

function isoTime(text: string | undefined): string | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** Bytes of a file beside a transcript. */
const MAX_OTHER_FILE_BYTES = 1024 * 1024

function textBeside(path: string, name: string): string | undefined {
  const file = join(dirname(path), name)
  try {
    const found = lstatSync(file)
    return found.isFile() && found.size <= MAX_OTHER_FILE_BYTES ? readText(file) : undefined
  } catch {
    return undefined
  }
}
