/**
 * The only file that touches `process.env` (test/law.test.ts). A door reads it once, here, and passes it on; an event's
 * own environment travels in its Context.
 */

/** The environment that this process was started with. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return process.env
}

/** Removes a variable from the environment, so that no hook inherits it. */
export function takeVariable(name: string): string | undefined {
  const value = process.env[name]
  if (value !== undefined) delete process.env[name]
  return value
}

/** For the thread of a module hook, which reads the event's environment from `process.env`. */
export function replaceEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}
