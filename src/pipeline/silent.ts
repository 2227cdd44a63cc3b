/** Hooks that did not run, in sentences for people. */

import type { HookSet } from '../config/load.ts'
import type { Ran } from '../engine/run.ts'

/** Skipped is not allowed: hooks that wait for trust are named each time. */
export function untrustedWords({ reports }: Ran): string[] {
  return reports
    .filter((entry) => entry.skipped === 'untrusted')
    .map(
      (entry) =>
        `project hook "${entry.name}" did not run: it is not trusted. Look at it, then run \`crosshook trust ${entry.name}\`.`,
    )
}

/** Nor is a hook that does not load: its silence is no consent. */
export function brokenWords({ problems }: HookSet): string[] {
  return problems
    .filter(({ level }) => level === 'error')
    .map(
      ({ file, line, message }) =>
        `${file}${line === undefined ? '' : `:${line}`}: ${message}. What has an error does not run: see \`crosshook validate\`.`,
    )
}
