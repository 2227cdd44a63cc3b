/** Hooks registered by SDK processes, within the limits of the settings, and an audit trail of changes. */

import { randomUUID } from 'node:crypto'
import { patternAsText } from '../../config/check.ts'
import { fingerprint } from '../../config/fingerprint.ts'
import { type RegisteredSettings, readRegisteredSettings } from '../../config/registered-settings.ts'
import {
  type AuditEntry,
  type AuditLevel,
  auditEvents,
  checkLimits,
  defineHook,
  describeHook,
  entriesOf,
  registrationId,
  type Settings,
} from '../../dialects/registry-programs.ts'
import type { Observer } from '../../pipeline/run/observe.ts'
import { messageOf } from '../../spec/errors.ts'
import type { Hook, Problem } from '../../spec/hook.ts'
import type { Log } from '../log.ts'
import { openRegistrations, type Registration } from './kept-registrations.ts'

export interface Registry {
  /** Returns the same list until a hook is added or removed. */
  hooks(): readonly Hook[]
  register(given: { client: string; event: string; name?: string; matcher: unknown; config: unknown }): Hook
  unregister(id: string): boolean
  /** A change of the level is itself recorded, at any level. */
  setAuditLevel(level: AuditLevel, by: string): void
  audit(entries: readonly AuditEntry[]): void
  /** Why registrations could not be stored for the next daemon, or could not be restored. */
  readonly keptTrouble: string | undefined
  /** Problems in the settings of registered hooks. */
  problems(): readonly Problem[]
  readonly observer: Observer
}

export interface RegistryOptions {
  stateDir: string
  settingsFile: string
  log: Log
  /** Stores a line of the audit trail in the journal. */
  keep(subject: string, line: string): void
}

export function createRegistry({ stateDir, settingsFile, log, keep }: RegistryOptions): Registry {
  const read = settingsReader(settingsFile, log)
  const settings = () => read().settings
  const kept = openRegistrations(stateDir, log)
  let hooks: readonly Hook[] = kept.all().flatMap((registration) => restored(registration, settings(), log))
  let chosen: AuditLevel | undefined
  const audit = (entries: readonly AuditEntry[]) => {
    const level = chosen ?? settings().auditLevel
    for (const entry of entries)
      for (const line of auditEvents(level, [entry])) {
        log.info(line, { audit: entry.kind, hook: entry.hook })
        keep(entry.hook, line)
      }
  }
  const find = (id: string) => hooks.find((hook) => hook.name === id)
  return {
    hooks: () => hooks,
    problems: () => read().problems,
    get keptTrouble() {
      return kept.trouble
    },
    audit,
    register({ client, event, name, matcher, config }) {
      const id = registrationId(name, randomUUID())
      const hook = defineHook(event, { id, matcher, config, remote: { client } }, settings())
      checkLimits(hooks, event, settings())
      if (hook.on_failure === 'closed') kept.add({ id, client, event, matcher, config })
      hooks = [...hooks, hook]
      audit([{ kind: 'registered', hook: id, event: describeHook(hook).event }])
      void patternAsText(hook).then((warning) => warning && log.warn(warning))
      return hook
    },
    unregister(id) {
      const hook = find(id)
      if (!hook) return false
      hooks = hooks.filter((other) => other !== hook)
      kept.remove(id)
      audit([{ kind: 'unregistered', hook: id, event: describeHook(hook).event }])
      return true
    },
    setAuditLevel(level, by) {
      const line = `hook audit level: ${chosen ?? settings().auditLevel} → ${level} (${by})`
      chosen = level
      log.info(line, { audit: 'level' })
      keep(by, line)
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

/** Hooks of a program that has not come back yet. */
function restored(registration: Registration, settings: Settings, log: Log): Hook[] {
  const { id, client, event, matcher, config } = registration
  try {
    return [defineHook(event, { id, matcher, config, remote: { client } }, settings)]
  } catch (error) {
    log.error(`the registered hook ${id} is not known any more: ${messageOf(error)}`)
    return []
  }
}

/** Read again when the file changes. A wrong value is logged, and its default is used. */
function settingsReader(file: string, log: Log): () => RegisteredSettings {
  let seen: string | undefined
  let found: RegisteredSettings
  const read = () => {
    const mark = fingerprint(file)
    if (mark === seen) return found
    seen = mark
    found = readRegisteredSettings(file)
    for (const { line, message, fix } of found.problems) log.warn(`${file}:${line ?? 1}: ${message}. ${fix}`)
    return found
  }
  // Report problems at the start, not when the first program registers.
  read()
  return read
}
