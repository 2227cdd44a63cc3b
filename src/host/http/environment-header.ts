/** The environment of an event as a header of its request: a JSON object in base64. */
export const ENVIRONMENT_HEADER = 'x-crosshook-env'

/** Largest request head that servers accept, environment included. */
export const MAX_HEAD_BYTES = 256 * 1024

/** Empty when it does not fit: the daemon then uses its default environment for events. */
export function environmentHeader(env: NodeJS.ProcessEnv): Record<string, string> {
  const value = Buffer.from(JSON.stringify(env)).toString('base64')
  return value.length < MAX_HEAD_BYTES - 16_384 ? { [ENVIRONMENT_HEADER]: value } : {}
}
