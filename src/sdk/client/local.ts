/** Hooks of `createHooks` or `loadHooks` behind the client's interface. */

import { randomUUID } from 'node:crypto'
import {
  AUDIT_LEVELS,
  type AuditEntry,
  auditEvents,
  checkLimits,
  defineHook,
  describeHook,
  registrationId,
} from '../../dialects/registry-programs.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Hooks } from '../hooks.ts'
import { type Backend, handling, nextDepth } from './backend.ts'
import type { ExecuteTool, HookAuditLevel } from './types.ts'

export interface LocalOptions {
  hooks: Hooks
  executeTool?: ExecuteTool | undefined
  onAudit?: ((line: string) => void) | undefined
}

export function localBackend({ hooks, executeTool, onAudit }: LocalOptions): Backend {
  const own = new Map<string, { event: string; remove: () => void }>()
  let level: HookAuditLevel = 'info'
  /** Depth of the current tool call: its events come from within it. */
  const tell = (entry: AuditEntry) => {
    for (const line of auditEvents(level, [entry])) onAudit?.(line)
  }

  return {
    async register({ event, name, matcher, config, handler }) {
      const id = registrationId(name, randomUUID())
      const native = { value: event }
      const audited = async (payload: Record<string, unknown>) => {
        const about = { hook: id, event: native.value }
        tell({ kind: 'started', ...about })
        const within = handling.getStore() ?? { eventId: '', depth: 0 }
        const answer = await handling.run(within, () => (handler as (event: unknown) => unknown)(payload))
        tell({ kind: 'completed', ...about })
        for (const entry of effects(answer)) tell({ ...entry, ...about })
        return answer
      }
      const hook = defineHook(event, { id, matcher, config, handler: audited })
      checkLimits(hooks.list(), event)
      native.value = describeHook(hook).event
      own.set(id, { event: native.value, remove: hooks.add(hook) })
      tell({ kind: 'registered', hook: id, event: native.value })
      const { patternAsText } = await import('../../config/check.ts')
      const warning = await patternAsText(hook)
      if (warning !== undefined) process.emitWarning(warning)
      return id
    },
    async unregister(id) {
      const known = own.get(id)
      if (!known) return false
      known.remove()
      own.delete(id)
      tell({ kind: 'unregistered', hook: id, event: known.event })
      return true
    },
    async list() {
      return hooks
        .list()
        .filter((hook) => own.has(hook.name))
        .map(describeHook)
    },
    async setAuditLevel(next) {
      if (!AUDIT_LEVELS.includes(next))
        throw new CrosshookError('bad_input', `"${next}" is no audit level`, {
          fix: `Levels: ${AUDIT_LEVELS.join(', ')}.`,
        })
      level = next
    },
    async executeTool(sessionId, tool, args) {
      if (!executeTool)
        throw new CrosshookError('refused', 'This client has no tools.', {
          fix: 'Give it a function: new CrosshookClient({ hooks, executeTool: async (sessionId, tool, args) => … }).',
        })
      return handling.run({ eventId: '', depth: nextDepth() }, async () => executeTool(sessionId, tool, args))
    },
    async close() {
      for (const { remove } of own.values()) remove()
      own.clear()
    },
  }
}

function effects(answer: unknown): Pick<AuditEntry, 'kind' | 'detail'>[] {
  const { action, reason, modified } = (answer ?? {}) as {
    action?: unknown
    reason?: unknown
    modified?: unknown
  }
  if (action === 'block') return [{ kind: 'blocked', detail: typeof reason === 'string' ? reason : '' }]
  if (typeof modified !== 'object' || modified === null) return []
  return [{ kind: 'modified', detail: Object.keys(modified).join(', ') }]
}
