/** A check of a matcher whose library is loaded when the first event needs it. */

import { messageOf } from '../spec/errors.ts'
import { type Later, Unjudged, type Verdict } from './verdict.ts'

export interface Lazy<Input> {
  compile(): Later<(input: Input) => Verdict>
  check: ((input: Input) => Verdict) | undefined
  loading: Promise<void> | undefined
  /** Why compiling failed; tried again at the next event. */
  failed: Unjudged | undefined
}

/** Data and no functions: a new process makes one or two for every hook. */
export function lazy<Input>(compile: () => Later<(input: Input) => Verdict>): Lazy<Input> {
  return { compile, check: undefined, loading: undefined, failed: undefined }
}

export function load<Input>(given: Lazy<Input>): Promise<void> | null {
  if (given.check) return null
  if (given.loading) return given.loading
  const refuse = (thrown: unknown) => {
    given.failed = new Unjudged(`its matcher cannot be used: ${messageOf(thrown)}`)
    given.loading = undefined
  }
  try {
    const started = given.compile()
    if (started instanceof Promise)
      return (given.loading = started.then((check) => ready(given, check), refuse))
    ready(given, started)
  } catch (thrown) {
    refuse(thrown)
  }
  return null
}

function ready<Input>(given: Lazy<Input>, check: (input: Input) => Verdict): void {
  given.check = check
  given.failed = undefined
}

export function judge<Input>(given: Lazy<Input>, input: Input): Verdict {
  if (!given.check && !given.failed) void load(given)
  // Not loaded yet: an earlier hook rewrote the input into another kind of call. The hook is not ruled out.
  return given.check ? given.check(input) : (given.failed ?? null)
}
