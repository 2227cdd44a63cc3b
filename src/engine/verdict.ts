/** What a check says of an event, and how several verdicts become one. */

import type { HookEvent } from '../spec/event.ts'

/** Null when the condition holds, else the reason why it does not or why it cannot be judged. */
export type Verdict = string | null | Unjudged
export type Check = (event: HookEvent) => Verdict

/** A condition that could not be judged. The hook has failed, whatever the other conditions say. */
export class Unjudged {
  readonly because: string
  /** Checking the text, which may come from a model, ran out of time. */
  readonly isLate: boolean

  constructor(because: string, isLate = false) {
    this.because = because
    this.isLate = isLate
  }
}

export type Later<T> = T | Promise<T>

/** The first reason that a check gives. A condition that does not hold counts before one that cannot be judged. */
export function every<Input>(checks: readonly ((input: Input) => Verdict)[]): (input: Input) => Verdict {
  if (checks.length === 1) return checks[0]!
  return (input) => {
    let unjudged: Unjudged | null = null
    for (const check of checks) {
      const verdict = check(input)
      if (typeof verdict === 'string') return verdict
      unjudged ??= verdict
    }
    return unjudged
  }
}
