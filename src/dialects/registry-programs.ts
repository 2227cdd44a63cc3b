/** The dialect whose words programs use to register hooks over RPC and in `crosshook/client`. */

export { type AuditEntry, auditEvents, entriesOf } from './a3s/audit.ts'
export { readSettings } from './a3s/config.ts'
export type { ConfigDefinition, MatcherDefinition } from './a3s/definition.ts'
export { payloadOf } from './a3s/events.ts'
export { checkLimits, defineHook, describeHook, type Registered, registrationId } from './a3s/register.ts'
export { decode as decodeResponse } from './a3s/replies.ts'
export { AUDIT_LEVELS, type AuditLevel, DEFAULT_SETTINGS, type Settings } from './a3s/settings.ts'
export { TOOL_TABLE } from './a3s/tools.ts'

/** Beside `config.toml`: limits and defaults of registered hooks. */
export const SETTINGS_FILE = 'a3s.json'
