/** The environment of an event as a header of its request: a JSON object in base64. */
export const ENVIRONMENT_HEADER = 'x-crosshook-env'

/** Servers take heads of this size, environment included. */
export const MAX_HEAD_BYTES = 256 * 1024

/** Nothing where it does not fit: the daemon then uses what every program needs. */
export function environmentHeader(env: NodeJS.ProcessEnv): Record<string, string> {
  const value = Buffer.from(JSON.stringify(env)).toString('base64')
  return value.length < MAX_HEAD_BYTES - 16_384 ? { [ENVIRONMENT_HEADER]: value } : {}
}
