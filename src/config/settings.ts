/** The settings file, `config.toml`: what a user or an administrator sets for all hooks. */

import { readFileSync } from 'node:fs'
import { isSystemError, messageOf } from '../spec/errors.ts'
import type { Problem } from '../spec/hook.ts'
import { firstUnsafe } from './ownership.ts'
import { isThere } from './there.ts'

export interface SourceSetting {
  /** Without it: the format's own files in the home folder and the project. */
  path?: string
  format?: string
}

/** Read-only once loaded. Plain data, so that it can be cached with the plan. */
export interface Settings {
  sources: SourceSetting[]
  allowed_hosts: string[]
  disabled: string[]
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
  daemon: Record<string, unknown>
  /** A project may not bring hooks of its own. */
  managed_only: boolean
  /** The built-in guards of crosshook itself. */
  self_protection: boolean
}

export const NO_SETTINGS: Settings = {
  sources: [],
  allowed_hosts: [],
  disabled: [],
  models: {},
  journal: {},
  daemon: {},
  managed_only: false,
  self_protection: true,
}

/** Managed settings come last: what they say stands. A broken file is a problem and counts as empty. */
export async function readSettings(
  files: readonly string[],
  home: string,
): Promise<{ settings: Settings; problems: Problem[] }> {
  let settings = NO_SETTINGS
  const problems: Problem[] = []
  for (const file of files) {
    try {
      if (!isThere(file)) continue
      const unsafe = firstUnsafe([file], home)
      if (unsafe) {
        const { message, fix } = unsafe
        problems.push({
          level: 'error',
          file,
          message: `${message}: until it is mended it counts as empty`,
          fix,
        })
        continue
      }
      const { parseSettings } = await import('./settings-schema.ts')
      const found = parseSettings(readFileSync(file, 'utf8'), file, home)
      problems.push(...found.problems)
      settings = combine(settings, found.settings)
    } catch (error) {
      problems.push({
        level: 'error',
        file,
        message: messageOf(error),
        fix: 'Correct the file; until then it counts as empty.',
        ...(isSystemError(error) ? { unread: true as const } : {}),
      })
    }
  }
  return { settings, problems }
}

function combine(low: Settings, high: Partial<Settings>): Settings {
  return {
    sources: [...low.sources, ...(high.sources ?? [])],
    allowed_hosts: [...low.allowed_hosts, ...(high.allowed_hosts ?? [])],
    disabled: [...low.disabled, ...(high.disabled ?? [])],
    models: { ...low.models, ...high.models },
    journal: { ...low.journal, ...high.journal },
    daemon: { ...low.daemon, ...high.daemon },
    managed_only: low.managed_only || (high.managed_only ?? false),
    self_protection: high.self_protection ?? low.self_protection,
  }
}
