/** Hooks that SDK processes have registered, within the limits of the settings, and the trail of what happened to them. */

import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fingerprint } from '../../config/fingerprint.ts'
import {
  type AuditEntry,
  type AuditLevel,
  auditEvents,
  checkLimits,
  DEFAULT_SETTINGS,
  defineHook,
  describeHook,
  entriesOf,
  readSettings,
  SETTINGS_FILE,
  type Settings,
} from '../../dialects/registry-programs.ts'
import type { Observer } from '../../runtime/observe.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Log } from '../log.ts'

export interface Registry {
  /** The same list until a hook comes or goes. */
  hooks(): readonly Hook[]
  register(given: { client: string; event: string; matcher: unknown; config: unknown }): Hook
  unregister(id: string): boolean
  setAuditLevel(level: AuditLevel): void
  audit(entries: readonly AuditEntry[]): void
  readonly observer: Observer
}

export interface RegistryOptions {
  /** `config.toml`; the settings of registered hooks are beside it. */
  settingsFile: string
  log: Log
  /** Keeps a line of the trail in the journal. */
  keep(entry: AuditEntry, line: string): void
}

export function createRegistry({ settingsFile, log, keep }: RegistryOptions): Registry {
  const settings = settingsReader(join(dirname(settingsFile), SETTINGS_FILE), log)
  let hooks: readonly Hook[] = []
  let chosen: AuditLevel | undefined
  const audit = (entries: readonly AuditEntry[]) => {
    const level = chosen ?? settings().auditLevel
    for (const entry of entries)
      for (const line of auditEvents(level, [entry])) {
        log.info(line, { audit: entry.kind, hook: entry.hook })
        keep(entry, line)
      }
  }
  const find = (id: string) => hooks.find((hook) => hook.name === id)
  return {
    hooks: () => hooks,
    audit,
    register({ client, event, matcher, config }) {
      const id = `hook-${randomUUID()}`
      const hook = defineHook(event, { id, matcher, config, remote: { client } }, settings())
      checkLimits(hooks, event, settings())
      hooks = [...hooks, hook]
      audit([{ kind: 'registered', hook: id, event: describeHook(hook).event }])
      return hook
    },
    unregister(id) {
      const hook = find(id)
      if (!hook) return false
      hooks = hooks.filter((other) => other !== hook)
      audit([{ kind: 'unregistered', hook: id, event: describeHook(hook).event }])
      return true
    },
    setAuditLevel(level) {
      chosen = level
    },
    observer: {
      started(hook) {
        if (find(hook.name) === hook)
          audit([{ kind: 'started', hook: hook.name, event: describeHook(hook).event }])
      },
      ended(hook, entry) {
        if (find(hook.name) !== hook) return
        audit(entriesOf(describeHook(hook).event, entry).filter(({ kind }) => kind !== 'started'))
      },
    },
  }
}

/** Read again when the file has changed. What is wrong in it keeps its default, and the log says so. */
function settingsReader(file: string, log: Log): () => Settings {
  let seen = ''
  let settings: Settings = DEFAULT_SETTINGS
  return () => {
    const mark = fingerprint(file)
    if (mark === seen) return settings
    seen = mark
    settings = DEFAULT_SETTINGS
    if (!existsSync(file)) return settings
    const found = readSettings(readFileSync(file, 'utf8'), file)
    for (const { message, fix, line } of found.problems) log.warn(`${file}:${line ?? 1}: ${message}. ${fix}`)
    settings = found.settings
    return settings
  }
}
