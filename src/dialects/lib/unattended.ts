/** Tells runs without a person by the options that an agent was started with. */

import type { AgentRun } from '../../spec/dialect.ts'

/** True when one of `options` is among them and none of `unless`, such as one that sends questions elsewhere. */
export function startedWith(
  options: readonly string[],
  unless: readonly string[] = [],
): (run: AgentRun) => boolean {
  const has = (argv: readonly string[], names: readonly string[]) =>
    argv.some((word) => names.some((name) => word === name || word.startsWith(`${name}=`)))
  return ({ argv = [] }) => has(argv, options) && !has(argv, unless)
}
