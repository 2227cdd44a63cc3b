/** The channels that the daemon notifies of questions, or that take answers at an address. */

import type { OpenChannel } from '../channel.ts'

export const CHANNEL_FILES: Readonly<Record<string, () => Promise<{ open: OpenChannel }>>> = {
  webhook: () => import('./webhook.ts'),
  ntfy: () => import('./ntfy.ts'),
  slack: () => import('./slack.ts'),
  key: () => import('./key.ts'),
  passkey: () => import('./passkey.ts'),
}
