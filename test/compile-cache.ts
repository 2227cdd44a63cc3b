/**
 * Tests start the program some thousand times, each in a home folder of its own, where nothing is kept of the call before.
 * With this variable Node keeps what it has compiled, and the sources without their types, for all of them: a fifth to a
 * half less time for each start. It changes nothing else.
 */

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEPT = join(import.meta.dirname, '../node_modules/.cache/crosshook-tests')
const CODE = join(KEPT, 'code')
/** What the program keeps of its own code carries a MAC made with it. */
const STATE_KEY = '32 bytes, the same for all tests'

export const COMPILE_CACHE = { NODE_COMPILE_CACHE: KEPT }

/**
 * As if the program had been called before in the home folder of this environment: its state has a key, and what V8 made
 * of the program (src/cli/launch.mjs) is there, in one folder for all tests.
 */
export function calledBefore<T extends NodeJS.ProcessEnv>(env: T): T & typeof COMPILE_CACHE {
  const state = join(env.XDG_STATE_HOME ?? join(env.HOME!, '.local/state'), 'crosshook')
  const cache = join(env.XDG_CACHE_HOME ?? join(env.HOME!, '.cache'), 'crosshook')
  if (!existsSync(cache)) {
    for (const folder of [state, cache, CODE]) mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(state, 'state.key'), STATE_KEY, { mode: 0o600 })
    symlinkSync(CODE, join(cache, 'code'))
  }
  return { ...env, ...COMPILE_CACHE }
}
