/** For telemetry and audit: what happens inside the runtime, as it happens. Observers never change a decision. */

import type { HookEvent } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import type { FireResult, HookReport } from '../../spec/outcome.ts'

export interface Observer {
  /** An event has come in; its context may be added to. */
  event?(event: HookEvent): void
  /** It has been answered and kept, this many milliseconds after it came. */
  over?(event: HookEvent, result: FireResult, duration: number): void
  started?(hook: Hook, event: HookEvent): void
  ended?(hook: Hook, entry: HookReport, event: HookEvent): void
}
