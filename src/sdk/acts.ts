/** `acts`: what a tool call does, for programs. */

import type { ToolCall } from '../acts/acts.ts'
import { ownEnvironment } from '../host/environment.ts'
import type { Act } from '../spec/act.ts'

export type { ToolCall }

/** Runs nothing; looks at the disk only to follow links and patterns of file names. */
export async function acts(
  call: ToolCall,
  options: { env?: Readonly<Record<string, string | undefined>> } = {},
): Promise<Act[]> {
  const [{ loadActs }, { thisWorld }] = await Promise.all([
    import('../acts/acts.ts'),
    import('../acts/world.ts'),
  ])
  const actsOf = await loadActs()
  return actsOf(call, thisWorld(call.work_dir ?? process.cwd(), options.env ?? ownEnvironment()))
}
