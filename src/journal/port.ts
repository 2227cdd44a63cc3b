/** What a journal can do, whatever keeps it. `sqlite/` is the one there is. */

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

/** How many records there are, and what they count together. */
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
  /** The door it came in by. */
  source: 'cli' | 'hook' | 'library' | 'daemon'
  hooks: JournalHook[]
  /** Of the tool's input, so that equal calls can be found without keeping them. None where a text is longer than 1 MiB. */
  input_digest?: string
  /** Effects that the agent could not carry out. */
  dropped?: string[]
  /** Of a person's answer: who, where, when, how far it reaches, and the signature. */
  approval?: Readonly<Record<string, unknown>>
  /** What the agent was told, where that is more than to go on. */
  reply?: Reply
}

export type JournalHook = HookReport & { definition_digest?: string; invocation_digest?: string }

export interface JournalRecord extends JournalEntry {
  /** Grows with every record: give it back as `after` to read on. */
  seq: number
  id: string
  at: string
}

export interface JournalFilter {
  /** How many of the newest (100 unless said otherwise), listed oldest first. */
  limit?: number
  /** The oldest instead of the newest: to read on from `after` in pieces. */
  isOldestFirst?: boolean
  after?: number
  /** Only records before this one: for reading backwards, page by page. */
  before?: number
  session?: string
  hook?: string
  decision?: Decision
  event?: string
  since?: Date
}

/** For people who look for something. */
export interface SearchFilter {
  session?: string
  hook?: string
  decision?: Decision
  event?: string
  agent?: string
  tool?: string
  /** The working folder. */
  project?: string
  /** Anywhere in the record; capitals do not count. */
  text?: string
  /** Whether a hook failed or ran out of time. */
  failed?: boolean
  since?: Date
  until?: Date
}

export interface SearchResult {
  /** Newest first. */
  records: JournalRecord[]
  /** Give it as `before` to look on; null when everything was looked at. */
  next: number | null
  /** The numbers of the oldest and the newest record that are kept; none is missing between. */
  first: number
  last: number
}

export interface LastCall {
  agent: string
  event: string
  /** Of an older call: the beginning of its hour. */
  at: string
  /** The longest that one of the newest calls took, in milliseconds; not known of older ones. */
  slowest_ms?: number
}

/** By what events can be counted. */
export type Dimension = 'hour' | 'day' | 'agent' | 'tool' | 'decision' | 'project' | 'event'

export interface EventCount {
  /** One for each dimension that was asked for; hours and days as their beginning in ISO form. */
  by: Partial<Record<Dimension, string>>
  events: number
}

/** By what runs of hooks can be summed up. */
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
  /** One for each dimension that was asked for; hours and days as their beginning in ISO form. */
  by: Partial<Record<HookDimension, string>>
  runs: number
  denies: number
  asks: number
  /** Of its asks: the person said yes, so that the tool ran after all. */
  overrides: number
  rewrites: number
  failures: number
  /** What its models cost, in US dollars. */
  cost_usd: number
  /** In milliseconds; about 10 % exact. Null when it never ran. */
  p50: number | null
  p95: number | null
  p99: number | null
}

/** Of one hook since the state folder was made. */
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
  /** So many records are kept. */
  records: number
  /** So many bytes of records are kept. */
  bytes: number
  /** How long records are kept, in milliseconds. */
  age: number
  /** How long sums of hours and days are kept, in milliseconds. */
  statsAge: number
}

export interface JournalOptions {
  limits?: Partial<JournalLimits>
  /** `full`: each record is on the disk before its decision is answered. */
  durability?: 'normal' | 'full'
  /** A MAC with the key of the state folder; without one, the chain proves nothing against who can write it anew. */
  seal?: (text: string) => string
}

export interface Finding {
  /** `removed`, `altered`, `reordered`, `cut`, `unreadable`, `forged`, `dropped`. */
  what: 'removed' | 'altered' | 'reordered' | 'cut' | 'unreadable' | 'forged' | 'dropped'
  where: string
  message: string
}

export interface Verification {
  /** Nothing was removed, altered, reordered or cut. */
  ok: boolean
  records: number
  /** Records that older versions wrote without a chain. */
  unchained: number
  anchors: number
  findings: Finding[]
  /** What is worth knowing although it is no damage: writes that a crash cut off. */
  notes: string[]
}

export interface Answers {
  /** Undefined when there is none, it is not of the last `ttlSeconds`, or the store cannot be used: the hook runs. */
  get(key: string, ttlSeconds: number): unknown
  set(key: string, value: unknown, ttlSeconds: number): CrosshookError | undefined
}

export interface Journal {
  readonly stateDir: string
  /** Never throws. The id is that of the record, also when it could not be kept. */
  append(entry: JournalEntry, counts?: Partial<Counts>): { id: string; error?: CrosshookError }
  /** What `calls` appends becomes one write: many records for little more than the price of one. */
  appendTogether(calls: () => void): CrosshookError | undefined
  list(filter?: JournalFilter): JournalRecord[]
  /** Newest first, among at most `rows` records before `before`: whoever wants more asks again with `next`. */
  search(filter: SearchFilter, range: { before?: number; limit: number; rows: number }): SearchResult
  record(seq: number): JournalRecord | undefined
  /** When each agent called last for each event. */
  lastCalls(): LastCall[]
  /** Records as they come, from those after `after` (or from now on) until the signal. */
  follow(filter?: JournalFilter, signal?: AbortSignal): AsyncGenerator<JournalRecord>
  /** Of the database: one that takes the place of a damaged one numbers its records anew, and has another. */
  epoch(): string
  /** Totals since the state folder was made. */
  counts(): Counts
  /** Events by these dimensions, from hourly sums: also of records that are no longer kept. */
  countBy(
    dimensions: readonly Dimension[],
    since?: Date,
    filter?: StatsFilter & { until?: Date },
  ): EventCount[]
  /** Runs of hooks by these dimensions, the most first; times in order. `from` is the hour or day that they begin with. */
  hookSums(query: HookQuery): { from: Date; rows: HookSum[] }
  /** Every hook that ever ran. */
  hookTotals(): HookTotal[]
  verify(): Verification
  /** Answers of hooks that may be used again. */
  readonly answers: Answers
  /** Bytes that wait to be taken in, about. */
  readonly waiting: number
  /** So many bytes may wait while events come. */
  letWait(bytes: number): void
  /** Somebody else takes in what waits now. */
  forgetWaiting(): void
  /** Takes in what waits, bit by bit, until `leave` bytes are left or it is no longer wanted. Problems come back. */
  takeInSoon(leave?: number, isWanted?: () => boolean): Promise<string[]>
  /** New limits and durability, such as the settings of the event's hooks say. */
  use(options: JournalOptions): void
  /** What a person should know although work goes on; each sentence once. */
  warnings(): string[]
  /** Lets go of the files; a later call opens them again. A process that ends with `process.exit` need not. */
  close(): void
}
