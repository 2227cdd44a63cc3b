/** The time limit of work that runs inside this process. */

import { messageOf } from '../spec/errors.ts'
import type { Call, RawResult } from '../spec/executor.ts'
import { type Failure, failure } from '../spec/outcome.ts'

export function timedOut(timeout: number): Failure {
  return failure(`timed out after ${timeout} ms`, { kind: 'timed_out' })
}

/** The value of the work, its failure, or the end of the time: whichever is first. */
export async function withinTime(
  { signal, timeout }: Pick<Call, 'signal' | 'timeout'>,
  work: () => unknown,
): Promise<RawResult | Failure> {
  if (signal.aborted) return timedOut(timeout)
  let onAbort = () => {}
  const limit = new Promise<Failure>((resolve) => {
    onAbort = () => resolve(timedOut(timeout))
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([limit, Promise.resolve(work()).then((value) => ({ value }))])
  } catch (thrown) {
    return failure(messageOf(thrown))
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
