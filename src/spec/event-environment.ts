/**
 * The environment that an event came with, for code that only gets the event: whose home `~` is, where XDG folders are.
 */

import type { HookEvent } from './event.ts'

const environments = new WeakMap<HookEvent, NodeJS.ProcessEnv>()

export function rememberEnvironment(event: HookEvent, env: NodeJS.ProcessEnv): void {
  environments.set(event, env)
}

export function environmentOf(event: HookEvent): NodeJS.ProcessEnv | undefined {
  return environments.get(event)
}

/** Gives a changed copy of an event the environment of the original. */
export function sameEnvironment(event: HookEvent, copy: HookEvent): HookEvent {
  const env = environments.get(event)
  if (env) environments.set(copy, env)
  return copy
}
