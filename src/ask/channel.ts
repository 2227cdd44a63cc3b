/** A way to reach a person and get the answer. Each is one file in channels/ and a row in channels/list.ts. */

import type { ApprovalSettings, ChannelName } from '../config/settings.ts'
import type { Given } from './answer.ts'
import type { ChannelSecrets } from './channel-secrets.ts'
import type { Answer, Question } from './question.ts'

export interface Channel {
  /** Announces a question. Throws when that fails. */
  tell(question: Question): Promise<void>
  /** The question is closed: answered elsewhere, or expired. */
  over?(question: Question, answer: Answer): Promise<void>
  /** An agent asks too much: one message for everything that is refused without asking. */
  flood?(question: Question): Promise<void>
  /** Handles a request to the channel's own address. Throws for one that does not authenticate itself. */
  receive?(request: Received): Heard | Promise<Heard>
  close?(): void
}

export interface ChannelParts {
  settings: ApprovalSettings
  secrets: ChannelSecrets
  /** All names of the person with this proven name: see same-person.ts. */
  namesOf(name: string): Promise<string[]>
  /** URL for answers to this channel from outside; undefined without `public_url`. */
  answerUrl: string | undefined
  /** URL of this host's own page, if it serves one. */
  local?: (() => string | undefined) | undefined
  /** For channels that fetch their answers. */
  answer(id: string, given: Given): void
  trouble(sentence: string): void
}

export interface Received {
  headers: Readonly<Record<string, string | undefined>>
  body: string
}

/** An authenticated request. */
export interface Heard {
  id: string
  given: Given
  /** Response for the sender's service, if it needs more than the result. */
  reply?: unknown
}

/** Undefined when the settings lack what it needs. */
export type OpenChannel = (parts: ChannelParts) => Channel | undefined

export type { ChannelName }
