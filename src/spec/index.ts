/** The canonical model: `crosshook/spec`. */

export type { AgentSide, Capability, Dialect, HookFormat, Reply, Source } from './dialect.ts'
export { CrosshookError, ERROR_CODES, type ErrorCode } from './errors.ts'
export {
  canonicalEvent,
  EVENT_NAMES,
  EVENTS,
  type EventInput,
  type EventName,
  type EventRow,
  eventRow,
  type HookEvent,
} from './event.ts'
export type { Call, Executor, HookInput, Host, RawResult } from './executor.ts'
export {
  HOOK_DEFAULTS,
  type Hook,
  type Loaded,
  type Problem,
  type Run,
  SCOPES,
  type Scope,
} from './hook.ts'
export type { Installer, SettingsFile } from './installer.ts'
export { MATCHER_FIELDS, type Matcher, type MatcherField, matcherWords } from './matcher.ts'
export {
  type Decision,
  type Effect,
  type Failure,
  type FireResult,
  failure,
  type HookReport,
  isFailure,
  type Outcome,
  type Status,
} from './outcome.ts'
export {
  mcpName,
  parseMcpName,
  TOOLS,
  type ToolName,
  type ToolTable,
  toCanonicalTool,
  toNativeInput,
  toNativeTool,
  touchedPaths,
} from './tool.ts'
