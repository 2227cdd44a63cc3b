/** The settings file, `config.toml`: what a user or an administrator sets for all hooks. */

import { isSystemError, messageOf } from '../spec/errors.ts'
import type { Problem } from '../spec/hook.ts'
import { readText } from '../spec/read-file.ts'
import { firstUnsafeAround } from './ownership.ts'
import { isThere } from './there.ts'

export interface SourceSetting {
  /** Left out: the format's own files in the home folder and the project. */
  path?: string
  format?: string
}

export const CHANNELS = ['agent', 'page', 'terminal', 'webhook', 'ntfy', 'slack', 'hub'] as const
/** Where a person can be asked. `agent` is the agent's own dialog. */
export type ChannelName = (typeof CHANNELS)[number]

/** Somebody who may answer from another device. */
export interface Approver {
  name: string
  /** Ed25519 public key, as `crosshook key` prints it. */
  key?: string
  /** Credential id and public key of a passkey, both in base64url, separated by a dot. */
  passkey?: string
  /** Member id in Slack. */
  slack?: string
}

/** How people are asked. docs/approvals.md lists the defaults. */
export interface ApprovalSettings {
  via?: ChannelName[]
  /** Longest time in seconds that a question waits. */
  wait?: number
  /** Most questions of one session per minute. */
  per_minute?: number
  /** Local time, such as `22:00-07:00`, without notifications. */
  quiet?: string
  /** Questions a day above which `crosshook stats` says that there are too many. */
  per_day?: number
  /** URL at which approvers and services reach the HTTP API from outside. */
  public_url?: string
  webhook?: { url: string }
  ntfy?: { url: string; answers?: string }
  slack?: { url: string }
  approvers?: Approver[]
}

/** Read-only once loaded. Plain data, so that it can be cached with the plan. */
export interface Settings {
  sources: SourceSetting[]
  allowed_hosts: string[]
  /** Dangerous variables (hostile-variables.ts) that hooks inherit all the same. */
  pass_env: string[]
  disabled: string[]
  /** Hooks that only record what they would have decided. */
  shadow: string[]
  models: Record<string, unknown>
  journal: {
    enabled?: boolean
    max_records?: number
    max_bytes?: number
    /** Such as `90d`. */
    max_age?: string
    stats_age?: string
    detail?: 'full' | 'subject' | 'none'
    durability?: 'normal' | 'full'
  }
  /** For agents that do not say themselves how full the context of the model is. */
  context: { warn_percent?: number; limits?: Record<string, number> }
  daemon: Record<string, unknown>
  approvals: ApprovalSettings
  /** Settings of packs, by the pack's name. */
  packs: Record<string, Record<string, unknown>>
  updates: { cooldown_days?: number }
  /** A project may not bring hooks of its own. */
  managed_only: boolean
  /** The built-in guards of crosshook itself. */
  self_protection: boolean
}

export const NO_SETTINGS: Settings = {
  sources: [],
  allowed_hosts: [],
  pass_env: [],
  disabled: [],
  shadow: [],
  models: {},
  journal: {},
  context: {},
  daemon: {},
  approvals: {},
  packs: {},
  updates: {},
  managed_only: false,
  self_protection: true,
}

export interface ReadSettings {
  settings: Settings
  problems: Problem[]
  /** Problems that may hide guards: it is unknown which `sources` the file lists. */
  lost: Problem[]
}

/** `parseSettings` of settings-schema.ts. */
type Parse = (
  text: string,
  file: string,
  home: string,
) => { settings: Partial<Settings>; problems: Problem[] }

/** Managed settings come last and win. A broken file is reported and counts as empty. */
export async function readSettings(files: readonly string[], home: string): Promise<ReadSettings> {
  // Whoever has no settings pays nothing for reading them.
  const parse = files.some((file) => mayBeThere(file)) ? await loadParse() : notLoaded
  return readSettingsBy(parse, files, home)
}

/** The same at once, for whoever has loaded the parser. */
export function readSettingsBy(parse: Parse, files: readonly string[], home: string): ReadSettings {
  let settings = NO_SETTINGS
  const problems: Problem[] = []
  const lost: Problem[] = []
  for (const file of files) {
    let into = lost
    try {
      if (!isThere(file)) continue
      const unsafe = firstUnsafeAround(file, home)
      if (unsafe) {
        const { message, fix, path } = unsafe
        lost.push({
          level: 'error',
          file,
          message: `${message}: until it is fixed ${path === file ? 'it' : file} counts as empty`,
          fix,
          // The file itself does not show whether the folder has been fixed.
          ...(path === file ? {} : { unread: true as const }),
        })
        continue
      }
      const text = readText(file)
      // A text without the word lists no sources, however damaged it is.
      into = /sources/.test(text) ? lost : problems
      const found = parse(text, file, home)
      for (const problem of found.problems)
        (problem.field?.startsWith('sources') ? lost : problems).push(problem)
      settings = combine(settings, found.settings)
    } catch (error) {
      into.push({
        level: 'error',
        file,
        message: messageOf(error),
        fix: 'Correct the file; until then it counts as empty.',
        ...(isSystemError(error) ? { unread: true as const } : {}),
      })
    }
  }
  return { settings, problems: [...problems, ...lost], lost }
}

/** What cannot be told is read, and said to be unreadable there. */
function mayBeThere(file: string): boolean {
  try {
    return isThere(file)
  } catch {
    return true
  }
}

async function loadParse(): Promise<Parse> {
  try {
    return (await import('./settings-schema.ts')).parseSettings
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const notLoaded: Parse = () => {
  throw new Error('the settings appeared while they were read')
}

function combine(low: Settings, high: Partial<Settings>): Settings {
  return {
    sources: [...low.sources, ...(high.sources ?? [])],
    allowed_hosts: [...low.allowed_hosts, ...(high.allowed_hosts ?? [])],
    pass_env: [...low.pass_env, ...(high.pass_env ?? [])],
    disabled: [...low.disabled, ...(high.disabled ?? [])],
    shadow: [...low.shadow, ...(high.shadow ?? [])],
    models: { ...low.models, ...high.models },
    journal: { ...low.journal, ...high.journal },
    context: {
      ...low.context,
      ...high.context,
      limits: { ...low.context.limits, ...high.context?.limits },
    },
    daemon: { ...low.daemon, ...high.daemon },
    approvals: combineApprovals(low.approvals, high.approvals),
    packs: { ...low.packs, ...high.packs },
    updates: { ...low.updates, ...high.updates },
    managed_only: low.managed_only || (high.managed_only ?? false),
    self_protection: high.self_protection ?? low.self_protection,
  }
}

/** Approvers are joined by name: a name in managed settings cannot be redefined. */
function combineApprovals(low: ApprovalSettings, high: ApprovalSettings = {}): ApprovalSettings {
  const named = new Set(high.approvers?.map(({ name }) => name))
  const approvers = [
    ...(low.approvers ?? []).filter(({ name }) => !named.has(name)),
    ...(high.approvers ?? []),
  ]
  return { ...low, ...high, ...(approvers.length > 0 ? { approvers } : {}) }
}
