/** An agent's own transcripts and how to read them: `history.ts` in its folder. */

export interface History {
  /** The native event that it fires before a tool runs. */
  readonly event: string
  /** What its transcripts omit, or what its hooks see and transcripts do not; for the report. */
  readonly notes?: readonly string[]
  /** Where its transcripts are. */
  places(place: { home: string; env: NodeJS.ProcessEnv }): readonly TranscriptPlace[]
  /** Is this record one of this agent's? Asked for the first records of a file outside its usual place. */
  recognises(record: Record<string, unknown>, path: string): boolean
  /** What a record says about a request to the model; undefined when it is about something else. */
  turn?(record: Record<string, unknown>): TurnFacts | undefined
  /** The transcript of a session, if the agent does not tell hooks and its name follows from the session's id. */
  fileOf?(place: { home: string; env: NodeJS.ProcessEnv }, session: string): string
  /** A reader for one file, called with its records in order. */
  reader(file: TranscriptFile): TranscriptReader
}

/** The last request to the model, as far as it is recorded. */
export interface TurnFacts {
  model?: string
  usage?: TokenUsage
  /** Size of the model's context in tokens. */
  limit?: number
}

/** Of one request; tokens from a cache count as prompt. */
export interface TokenUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
}

/** `lines`: JSON, one record a line. `document`: one JSON file is one record. `rows`: a SQLite database. */
export type TranscriptKind = 'lines' | 'document' | 'rows'

export interface TranscriptPlace {
  folder: string
  /** Matched against the path below the folder, with `/` as separator. */
  files: RegExp
  kind: TranscriptKind
  /**
   * For `rows`: the queries to run, in order; a query that the database does not understand is skipped. `$since`:
   * milliseconds.
   */
  queries?: readonly string[]
}

export interface TranscriptFile {
  path: string
  /** A small file relative to this one's folder; undefined when it is missing or unreadable. */
  text(path: string): string | undefined
}

export interface TranscriptReader {
  read(record: Record<string, unknown>): Iterable<Recorded>
}

/** A call of a tool, or how an earlier one ended. */
export type Recorded = RecordedCall | RecordedEnd

export interface RecordedCall {
  /** Identifies the call within its file, to find its end. */
  call: string
  /** What the agent sends to a hook before this call. */
  payload: Record<string, unknown>
  /** ISO 8601. */
  at?: string
  /** Parts of the input that the transcript does not have. */
  lacks?: string
}

export interface RecordedEnd {
  ended: string
  how: 'ran' | 'failed' | 'refused'
}
