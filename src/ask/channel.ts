/** A way to reach a person and to hear the answer. Each is one file in channels/, and a row in channels/list.ts. */

import type { ApprovalSettings, ChannelName } from '../config/settings.ts'
import type { Given } from './answer.ts'
import type { Answer, Question } from './question.ts'
import type { ChannelSecrets } from './secrets.ts'

export interface Channel {
  /** Tells of a question. Throws when it could not. */
  tell(question: Question): Promise<void>
  /** The question is over: answered elsewhere, or nobody answered in time. */
  over?(question: Question, answer: Answer): Promise<void>
  /** An agent asks too much: one message for all that is refused without asking. */
  flood?(question: Question): Promise<void>
  /** What was sent to the channel's own address. Throws for whatever does not prove where it comes from. */
  receive?(request: Received): Heard | Promise<Heard>
  close?(): void
}

export interface ChannelParts {
  settings: ApprovalSettings
  secrets: ChannelSecrets
  /** All names of the person who has proven this one: see same-person.ts. */
  namesOf(name: string): Promise<string[]>
  /** Where answers to this channel can be posted from elsewhere; undefined without `public_url`. */
  answerUrl: string | undefined
  /** The address of this host's own page, where it serves one. */
  local?: (() => string | undefined) | undefined
  /** For channels that fetch their answers. */
  answer(id: string, given: Given): void
  trouble(sentence: string): void
}

export interface Received {
  headers: Readonly<Record<string, string | undefined>>
  body: string
}

/** Of a request that has proven itself. */
export interface Heard {
  id: string
  given: Given
  /** What the sender's service is told, when it wants more than the result. */
  reply?: unknown
}

/** Undefined where the settings do not name what it needs. */
export type OpenChannel = (parts: ChannelParts) => Channel | undefined

export type { ChannelName }
