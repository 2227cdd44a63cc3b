/** Runs the program with its arguments. Only here does it end. */

import { ownEnvironment } from '../host/environment.ts'

export type Run = (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>

const ANSWERS = new Set(['hook', 'run-hook', 'fire'])

export async function start(run: Run): Promise<void> {
  const args = process.argv.slice(2)
  const code = await run(args, ownEnvironment())
  // An agent waits for the end of the process. Everything is written, and cleaning up would take milliseconds.
  if (ANSWERS.has(args[0]!)) end(code)
  process.exitCode = code
}

/** `process.exit` takes 0.2 ms more, for listeners. */
function end(code: number): never {
  if (process.listenerCount('exit') > 0) process.exit(code)
  return (process as unknown as { reallyExit(code: number): never }).reallyExit(code)
}

/** The hot path: agents call this at every step, so nothing else is loaded. The launcher chooses in the same way. */
export function isHookCall([name, ...rest]: readonly string[]): boolean {
  return name === 'hook' && !rest.includes('--help') && !rest.includes('-h')
}
