/** The time limit of work that runs inside this process. */

import { messageOf } from '../spec/errors.ts'
import type { Call, RawResult } from '../spec/executor.ts'
import { type Failure, failure } from '../spec/outcome.ts'

export function timedOut(timeout: number): Failure {
  return failure(`timed out after ${timeout} ms`, { kind: 'timed_out' })
}

/** Result of the work, its failure, or the timeout, whichever comes first. */
export function withinTime(
  call: Pick<Call, 'signal' | 'timeout'>,
  work: () => unknown,
): RawResult | Failure | Promise<RawResult | Failure> {
  try {
    const result = work()
    // Synchronous results need no timeout.
    return isThenable(result) ? awaited(call, result) : { value: result }
  } catch (thrown) {
    return failure(messageOf(thrown))
  }
}

async function awaited(
  { signal, timeout }: Pick<Call, 'signal' | 'timeout'>,
  result: unknown,
): Promise<RawResult | Failure> {
  if (signal.aborted) return timedOut(timeout)
  const promised = Promise.resolve(result)
  let onAbort = () => {}
  const limit = new Promise<Failure>((resolve) => {
    onAbort = () => resolve(timedOut(timeout))
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([limit, promised.then((value) => ({ value }))])
  } catch (thrown) {
    return failure(messageOf(thrown))
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function isThenable(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
