/** The hooks a person names on the command line. */

import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { didYouMean } from '../spec/nearest.ts'

/** Every hook of that name (two formats or scopes may share one); throws with the nearest name when there is none. */
export function hooksNamed(name: string, hooks: readonly Hook[], what = 'hook'): Hook[] {
  const found = hooks.filter((hook) => hook.name === name)
  if (found.length > 0) return found
  const names = new Set(hooks.map((hook) => hook.name))
  throw new CrosshookError('unknown_hook', `there is no ${what} "${name}".${didYouMean(name, names)}`)
}
