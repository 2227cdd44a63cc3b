/** Why a hook did not run, in words. */

import type { Decision, SkipReason } from '../spec/outcome.ts'

export const SKIPPED_WORDS: Readonly<Record<SkipReason, string>> = {
  no_match: 'does not match',
  untrusted: 'did not run: not trusted (crosshook trust)',
  disabled: 'did not run: switched off in the settings',
  invalid: 'did not run: invalid (crosshook validate)',
  overridden: 'did not run: a hook of the same name takes its place',
  short_circuit: 'was not started: an earlier hook blocked',
  skipped_by_hook: 'was not started: an earlier hook said skip',
  dry_run: 'would run',
}

/** For a hook in shadow, which decides nothing. */
export function shadowWords(decision: Decision): string {
  return { deny: 'would have denied', ask: 'would have asked', allow: 'would have allowed' }[decision]
}
