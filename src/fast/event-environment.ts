/**
 * The environment that an event came with, for code that only gets the event: whose home `~` is, where XDG folders are.
 *
 * It is a private field added to an object made elsewhere. With a WeakMap, the slow twin in event-environment.test.ts, storing
 * one takes 1 µs in place of 0.01, and the garbage collector more (`node bench/daemon.ts`).
 */

import type { HookEvent } from '../spec/event.ts'

function itself(event: HookEvent): HookEvent {
  return event
}

/** A class whose constructor returns what it was given. */
const Itself = itself as unknown as new (event: HookEvent) => object

class Surroundings extends Itself {
  #env: NodeJS.ProcessEnv

  private constructor(event: HookEvent, env: NodeJS.ProcessEnv) {
    super(event)
    this.#env = env
  }

  static set(event: HookEvent, env: NodeJS.ProcessEnv): void {
    if (#env in event) event.#env = env
    else new Surroundings(event, env)
  }

  static of(event: HookEvent): NodeJS.ProcessEnv | undefined {
    return #env in event ? event.#env : undefined
  }
}

export function rememberEnvironment(event: HookEvent, env: NodeJS.ProcessEnv): void {
  Surroundings.set(event, env)
}

export function environmentOf(event: HookEvent): NodeJS.ProcessEnv | undefined {
  return Surroundings.of(event)
}

/** Gives a changed copy of an event the environment of the original. */
export function sameEnvironment(event: HookEvent, copy: HookEvent): HookEvent {
  const env = environmentOf(event)
  if (env) rememberEnvironment(copy, env)
  return copy
}
