/** Until when a person may answer: before the agent, and whatever supervises its call, gives up. */

import type { Dialect } from '../spec/dialect.ts'

/** How long agents wait for an entry unless their dialect says otherwise. */
const WAIT_SECONDS = 600

/** Less than the supervisor's margin (install/entry-file.ts), so that our answer arrives first. */
export function answerSeconds(waits: number): number {
  const supervised = waits - Math.max(1, Math.min(10, Math.ceil(waits / 10)))
  return Math.max(0.5, supervised - Math.max(0.5, Math.min(5, supervised / 10)))
}

/** In milliseconds since 1970. `began`: when the call came in; `most`: the setting `approvals.wait`, in seconds. */
export async function deadlineOf(
  { agent }: Pick<Dialect, 'agent'>,
  nativeEvent: string,
  { began, most }: { began: number; most?: number | undefined },
): Promise<number> {
  const installer = await agent?.install?.()
  const seconds = answerSeconds(installer?.waitSeconds?.(nativeEvent) ?? WAIT_SECONDS)
  return began + 1000 * Math.min(seconds, most ?? Number.POSITIVE_INFINITY)
}
