/** Notifications about what happens inside the runtime, for telemetry and audit. Observers never change a decision. */

import type { HookEvent } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import type { FireResult, HookReport } from '../../spec/outcome.ts'

export interface Observer {
  /** An event arrived; its context may be extended. */
  event?(event: HookEvent): void
  /** It was answered and stored, `duration` milliseconds after it arrived. */
  over?(event: HookEvent, result: FireResult, duration: number): void
  started?(hook: Hook, event: HookEvent): void
  ended?(hook: Hook, entry: HookReport, event: HookEvent): void
}
