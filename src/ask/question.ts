/** What a person is asked, and what they answered. Plain data, kept in the state folder and shown by every channel. */

import type { ChannelName } from '../config/settings.ts'
import type { Act } from '../spec/act.ts'

export const SCOPES = ['once', 'session', 'project'] as const
/** How far a yes reaches: this call; equal calls of this session; equal calls in this project. */
export type GrantScope = (typeof SCOPES)[number]

export interface Question {
  id: string
  /** When it was asked, ISO. */
  at: string
  /** Until when the agent waits, ISO. Silence until then is a deny. */
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
  /** The input as it would run, without secrets; long texts are cut. */
  input: unknown
  /** What the call does, as far as it could be followed. */
  acts: readonly ShownAct[]
  /** SHA-256 of exactly what would run: tool, input, folder and the scripts below. */
  digest: string
  /** Files that the call would run, and the SHA-256 of each. */
  scripts: readonly Script[]
  /** Why it is asked: the hooks' own reason. */
  why: string
  hooks: readonly string[]
  /** Names of those who may answer; empty: the person at this machine. */
  approvers: readonly string[]
  /** How many different people must say yes. */
  approvals: number
  /** What happened in this session before, oldest first. */
  run_up: readonly Earlier[]
  /** An earlier question of this session with the same acts that was answered with no. */
  repeats?: string
  /** Channels by which a person is asked. */
  via: readonly ChannelName[]
  /** The process that waits. */
  waiter: number
  /** Nobody could be reached: it was refused at once, and only a late yes can answer it. */
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
  /** Who answered; `silence` when nobody did in time, `gone` when the agent did not wait so long. */
  by: string
  /** Where the same key or account has several names in the settings: all of them. */
  names?: readonly string[]
  /** What in the settings has proven the name. */
  proof?: string
  /** The channel. */
  via: string
  /** ISO. */
  at: string
  scope: GrantScope
  /** End of the grant, ISO; only of a scope beyond `once`. */
  until?: string
  /** The digest that the person was shown. */
  digest: string
  /** Those whose yes made it, with their signatures; for a rule of several people. */
  votes?: readonly Vote[]
  /** Of the approver's key where there is one, otherwise of this machine. */
  signature: string
}

export type Vote = Pick<Answer, 'by' | 'via' | 'at' | 'scope' | 'signature'>

export const SILENCE = 'silence'
/** In place of a name: the agent has gone before anybody answered. */
export const GONE = 'gone'
