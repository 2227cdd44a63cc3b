/** The library: `import { acts, createHooks, loadHooks } from 'crosshook'`. */

export { acts, type ToolCall } from './sdk/acts.ts'
export type { GivenEvent, HandledEvent, KnownEvent, ToolInput } from './sdk/handled-event.ts'
export {
  type Answer,
  createHooks,
  type Handler,
  type HandlerOptions,
  type Hooks,
  type LoadHooksOptions,
  loadHooks,
} from './sdk/hooks.ts'
export type { Act, Does, Place } from './spec/act.ts'
export { CrosshookError, type ErrorCode } from './spec/errors.ts'
export type { EventInput, EventName, HookEvent } from './spec/event.ts'
export type { Hook } from './spec/hook.ts'
export type { Matcher } from './spec/matcher.ts'
export type { Decision, FireResult, HookReport, Outcome } from './spec/outcome.ts'
export { VERSION } from './version.ts'
