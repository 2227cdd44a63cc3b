/** What an agent writes down of its own sessions, and how to read it: `history.ts` in its folder. */

export interface History {
  /** The native event that it fires before a tool runs. */
  readonly event: string
  /** What its transcripts leave out, or what its hooks see and transcripts do not; for the report. */
  readonly notes?: readonly string[]
  /** Where its transcripts are. */
  places(place: { home: string; env: NodeJS.ProcessEnv }): readonly TranscriptPlace[]
  /** Is this record one of this agent's? Asked of the first records of a file that lies elsewhere. */
  recognises(record: Record<string, unknown>, path: string): boolean
  /** What a record says of a request to the model; undefined where it says nothing of it. */
  turn?(record: Record<string, unknown>): TurnFacts | undefined
  /** The transcript of a session, where the agent does not say it to hooks and its name follows from the session's id. */
  fileOf?(place: { home: string; env: NodeJS.ProcessEnv }, session: string): string
  /** A reader for one file, which is given its records in their order. */
  reader(file: TranscriptFile): TranscriptReader
}

/** The last request to the model, as far as it is written down. */
export interface TurnFacts {
  model?: string
  usage?: TokenUsage
  /** Tokens that fit into the context of the model. */
  limit?: number
}

/** Of one request; what came from a cache is part of the prompt. */
export interface TokenUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
}

/** `lines`: JSON, one record a line. `document`: one JSON file is one record. `rows`: a SQLite database. */
export type TranscriptKind = 'lines' | 'document' | 'rows'

export interface TranscriptPlace {
  folder: string
  /** Tried on the path below the folder, with `/` between names. */
  files: RegExp
  kind: TranscriptKind
  /** For `rows`: what to read, one after another; what the database does not understand is passed over. `$since` stands for a time in milliseconds. */
  queries?: readonly string[]
}

export interface TranscriptFile {
  path: string
  /** A small file by its path from this one's folder; undefined where there is none or it cannot be read. */
  text(path: string): string | undefined
}

export interface TranscriptReader {
  read(record: Record<string, unknown>): Iterable<Recorded>
}

/** A call of a tool, or how an earlier one ended. */
export type Recorded = RecordedCall | RecordedEnd

export interface RecordedCall {
  /** Names the call within its file, so that its end is found. */
  call: string
  /** What the agent sends to a hook before this call. */
  payload: Record<string, unknown>
  /** ISO 8601. */
  at?: string
  /** What of the input the transcript does not have. */
  lacks?: string
}

export interface RecordedEnd {
  ended: string
  how: 'ran' | 'failed' | 'refused'
}
