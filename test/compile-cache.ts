/**
 * Tests start the program some thousand times, each in a home folder of its own, where nothing is kept of the call before.
 * With this variable Node keeps what it has compiled, and the sources without their types, for all of them: a fifth to a
 * half less time for each start. It changes nothing else.
 */

import { join } from 'node:path'

export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/crosshook-tests'),
}
