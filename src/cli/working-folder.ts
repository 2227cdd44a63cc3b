/** The folder that the program was called in. */

import { isAbsolute } from 'node:path'
import { workFolder } from '../executors/environment.ts'

/** One that was removed is named by the shell's variable; we go on in the nearest folder above it. */
export function workingFolder(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd()
  } catch {
    const named = env.PWD !== undefined && isAbsolute(env.PWD) ? env.PWD : '/'
    process.chdir(workFolder(named).path)
    return named
  }
}
