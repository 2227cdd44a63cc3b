/** The interface of a journal. `sqlite/` is the only implementation. */

import type { Reply } from '../spec/dialect.ts'
import type { CrosshookError } from '../spec/errors.ts'
import type { Decision, HookReport } from '../spec/outcome.ts'

/** What records count. */
export const COUNTERS = [
  'executions',
  'failures',
  'retries',
  'dead_letters',
  'dead_letter_persist_failures',
] as const

export type Counts = Record<(typeof COUNTERS)[number], number>

/** Number of records, and the sums of their counts. */
export interface Summary {
  records: number
  counts: Partial<Counts>
}

export interface JournalEntry {
  event: string
  agent?: string
  session_id: string
  work_dir: string
  tool_name?: string
  subject?: string
  /** The command, path or address that the tool was given, without secrets: see the setting `journal.detail`. */
  detail?: string
  decision: Decision
  reason: string | null
  stop: string | null
  duration_ms: number
  /** How it came in. */
  source: 'cli' | 'hook' | 'library' | 'daemon'
  hooks: JournalHook[]
  /** Digest of the tool's input, to find equal calls without storing them. Absent when a text is longer than 1 MiB. */
  input_digest?: string
  /** The agent has no such event: what it was made of, where and why. */
  derived?: string
  /** Effects that the agent could not carry out. */
  dropped?: string[]
  /** A person's answer: who, where, when, its scope, and the signature. */
  approval?: Readonly<Record<string, unknown>>
  /** The agent's reply, unless it is a plain allow. */
  reply?: Reply
}

export type JournalHook = HookReport & { definition_digest?: string; invocation_digest?: string }

export interface JournalRecord extends JournalEntry {
  /** Grows with every record: pass it as `after` to read on. */
  seq: number
  id: string
  at: string
}

export interface JournalFilter {
  /** Number of newest records (default 100), listed oldest first. */
  limit?: number
  /** The oldest instead of the newest: to read on from `after` in pieces. */
  isOldestFirst?: boolean
  after?: number
  /** Only records before this one: for reading backwards page by page. */
  before?: number
  session?: string
  hook?: string
  decision?: Decision
  event?: string
  since?: Date
}

/** For searches by people. */
export interface SearchFilter {
  session?: string
  hook?: string
  decision?: Decision
  event?: string
  agent?: string
  tool?: string
  /** The working folder. */
  project?: string
  /** Anywhere in the record, ignoring case. */
  text?: string
  /** Whether a hook failed or ran out of time. */
  failed?: boolean
  since?: Date
  until?: Date
}

export interface SearchResult {
  /** Newest first. */
  records: JournalRecord[]
  /** Pass it as `before` to continue; null when everything was searched. */
  next: number | null
  /** Numbers of the oldest and newest stored record; none in between is missing. */
  first: number
  last: number
}

export interface LastCall {
  agent: string
  event: string
  /** For an older call: the beginning of its hour. */
  at: string
  /** Longest duration among the newest calls, in milliseconds; unknown for older ones. */
  slowest_ms?: number
}

/** Dimensions by which events can be counted. */
export type Dimension = 'hour' | 'day' | 'agent' | 'tool' | 'decision' | 'project' | 'event'

export interface EventCount {
  /** One value per requested dimension; hours and days as their beginning in ISO form. */
  by: Partial<Record<Dimension, string>>
  events: number
}

/** Dimensions by which hook runs can be summed. */
export const HOOK_DIMENSIONS = ['hook', 'agent', 'tool', 'project', 'day', 'hour'] as const
export type HookDimension = (typeof HOOK_DIMENSIONS)[number]

export interface StatsFilter {
  agent?: string
  tool?: string
  project?: string
}

export interface HookQuery extends StatsFilter {
  by: readonly HookDimension[]
  since: Date
  until?: Date
  hook?: string
}

export interface HookSum {
  /** One value per requested dimension; hours and days as their beginning in ISO form. */
  by: Partial<Record<HookDimension, string>>
  runs: number
  denies: number
  asks: number
  /** Of its questions: answered with yes, so that the tool ran. */
  overrides: number
  rewrites: number
  failures: number
  /** Cost of its models, in US dollars. */
  cost_usd: number
  /** In milliseconds, within about 10 %. Null when it never ran. */
  p50: number | null
  p95: number | null
  p99: number | null
}

/** Totals of one hook since the state folder was created. */
export interface HookTotal {
  hook: string
  runs: number
  denies: number
  asks: number
  overrides: number
  rewrites: number
  failures: number
  cost_usd: number
  total_ms: number
  /** How many runs took at most this many milliseconds. */
  upTo(bounds: readonly number[]): number[]
}

export interface JournalLimits {
  /** Most records to keep. */
  records: number
  /** Most bytes of records to keep. */
  bytes: number
  /** How long records are kept, in milliseconds. */
  age: number
  /** How long sums of hours and days are kept, in milliseconds. */
  statsAge: number
}

export interface JournalOptions {
  limits?: Partial<JournalLimits>
  /** `full`: each record is on disk before its decision is answered. */
  durability?: 'normal' | 'full'
  /**
   * A MAC with the state folder's key. Without it, the chain proves nothing against somebody who can rewrite all of it.
   */
  seal?: (text: string) => string
}

export interface Finding {
  what: 'removed' | 'altered' | 'reordered' | 'cut' | 'unreadable' | 'forged' | 'dropped'
  where: string
  message: string
}

export interface Verification {
  /** Nothing was removed, altered, reordered or cut. */
  ok: boolean
  records: number
  /** Records written by older versions without a chain. */
  unchained: number
  anchors: number
  findings: Finding[]
  /** Not damage, but worth knowing: writes cut off by a crash. */
  notes: string[]
}

export interface Answers {
  /** Undefined when there is none, it is older than `ttlSeconds`, or the store is unusable: the hook then runs. */
  get(key: string, ttlSeconds: number): unknown
  set(key: string, value: unknown, ttlSeconds: number): CrosshookError | undefined
}

export interface Journal {
  readonly stateDir: string
  /** Never throws. Returns the record's id even if it could not be stored. */
  append(entry: JournalEntry, counts?: Partial<Counts>): { id: string; error?: CrosshookError }
  /** Everything that `calls` appends becomes one write: many records for little more than the cost of one. */
  appendTogether(calls: () => void): CrosshookError | undefined
  list(filter?: JournalFilter): JournalRecord[]
  /** Newest first, among at most `rows` records before `before`; call again with `next` for more. */
  search(filter: SearchFilter, range: { before?: number; limit: number; rows: number }): SearchResult
  record(seq: number): JournalRecord | undefined
  /** When each agent called last for each event. */
  lastCalls(): LastCall[]
  /** New records, starting after `after` (or from now on), until the signal. */
  follow(filter?: JournalFilter, signal?: AbortSignal): AsyncGenerator<JournalRecord>
  /** Identifies the database: one that replaces a damaged one numbers its records anew and has another epoch. */
  epoch(): string
  /** Totals since the state folder was created. */
  counts(): Counts
  /** Events by these dimensions, from hourly sums, which include records that are no longer stored. */
  countBy(
    dimensions: readonly Dimension[],
    since?: Date,
    filter?: StatsFilter & { until?: Date },
  ): EventCount[]
  /** Hook runs by these dimensions, most first; times in order. `from` is the hour or day that they begin with. */
  hookSums(query: HookQuery): { from: Date; rows: HookSum[] }
  /** Every hook that ever ran. */
  hookTotals(): HookTotal[]
  verify(): Verification
  /** Cached answers of hooks. */
  readonly answers: Answers
  /** Approximate number of bytes that wait to be taken in. */
  readonly waiting: number
  /** More waits than may while events come, and nobody takes it in yet: `takeInSoon` has something to do. */
  readonly isOverfull: boolean
  /** Most bytes that may wait while events come. */
  letWait(bytes: number): void
  /** Another process takes in what waits now. */
  forgetWaiting(): void
  /** Takes in what waits, piece by piece, until `leave` bytes are left or `isWanted` is false. Returns problems. */
  takeInSoon(leave?: number, isWanted?: () => boolean): Promise<string[]>
  /** New limits and durability, from the settings of the event's hooks. */
  use(options: JournalOptions): void
  /** What a person should know although work goes on; each sentence once. */
  warnings(): readonly string[]
  /** Closes the files; a later call opens them again. Not needed before `process.exit`. */
  close(): void
}
