/** `acts`: what a tool call does, for programs. */

import type { ToolCall } from '../acts/acts.ts'
import { ownEnvironment } from '../host/environment.ts'
import type { Act } from '../spec/act.ts'

export type { ToolCall }

/** Runs nothing; looks at the disk only to follow links and patterns of file names. */
export async function acts(call: ToolCall): Promise<Act[]> {
  const { loadActs } = await import('../acts/acts.ts')
  return loadActs()({ env: ownEnvironment(), ...call })
}
