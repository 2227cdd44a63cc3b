/** What our plugin in Kilo sends. */

import type { HookEvent } from '../../spec/event.ts'
import { decodeOutputPlugin } from '../lib/output-plugin-events.ts'
import type { Hint } from '../lib/payload.ts'

export const ID = 'kilo'

export function decode(native: unknown, hint: Hint): HookEvent {
  return decodeOutputPlugin(ID, native, hint)
}
