/** A question to a person and the answer. Plain data, stored in the state folder and shown by every channel. */

import type { ChannelName } from '../config/settings.ts'
import type { Act } from '../spec/act.ts'

export const SCOPES = ['once', 'session', 'project'] as const
/** Scope of a yes: this call; equal calls of this session; equal calls in this project. */
export type GrantScope = (typeof SCOPES)[number]

export interface Question {
  id: string
  /** When it was asked, ISO. */
  at: string
  /** When the agent stops waiting, ISO. No answer until then is a deny. */
  deadline: string
  agent: string
  agent_title: string
  session_id: string
  work_dir: string
  /** The root of the repository, or the folder itself. */
  project: string
  event: string
  tool_name: string
  /** One line: the command, path or address; without secrets. */
  summary: string
  /** The input as it would run, redacted; long texts are truncated. */
  input: unknown
  /** What the call does, as far as it could be followed. */
  acts: readonly ShownAct[]
  /** SHA-256 of exactly what would run: tool, input, folder and the scripts below. */
  digest: string
  /** Files that the call would run, and the SHA-256 of each. */
  scripts: readonly Script[]
  /** The hooks' reason for asking. */
  why: string
  hooks: readonly string[]
  /** Names of those who may answer; empty: the person at this machine. */
  approvers: readonly string[]
  /** How many different people must say yes. */
  approvals: number
  /** What happened earlier in this session, oldest first. */
  run_up: readonly Earlier[]
  /** An earlier question of this session with the same acts that was answered with no. */
  repeats?: string
  /** Channels by which a person is asked. */
  via: readonly ChannelName[]
  /** The process that waits. */
  waiter: number
  /** Nobody could be reached: refused at once, and only a late yes can answer it. */
  unheard?: true
}

export type ShownAct = Pick<Act, 'does' | 'certain'> &
  Partial<Pick<Act, 'path' | 'host' | 'program' | 'places'>>

export interface Script {
  path: string
  /** Null when it could not be read. */
  digest: string | null
}

export interface Earlier {
  at: string
  tool_name: string
  detail: string
  decision: string
}

export interface Answer {
  id: string
  decision: 'allow' | 'deny'
  /** The person's own words, for the model. */
  words: string
  /** Who answered; `silence` when nobody did in time, `gone` when the agent stopped waiting. */
  by: string
  /** All names that the same key or account has in the settings. */
  names?: readonly string[]
  /** What in the settings proved the name. */
  proof?: string
  /** The channel. */
  via: string
  /** ISO. */
  at: string
  scope: GrantScope
  /** End of the grant, ISO; only for a scope beyond `once`. */
  until?: string
  /** The digest that the person was shown. */
  digest: string
  /** The votes with their signatures, when several people must agree. */
  votes?: readonly Vote[]
  /** By the approver's key if there is one, otherwise by this machine. */
  signature: string
}

export type Vote = Pick<Answer, 'by' | 'via' | 'at' | 'scope' | 'signature'>

export const SILENCE = 'silence'
/** In place of a name: the agent left before anybody answered. */
export const GONE = 'gone'
