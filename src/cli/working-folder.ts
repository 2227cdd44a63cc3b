/** The folder that the program was called in. */

import { isAbsolute } from 'node:path'
import { workFolder } from '../executors/hook-environment.ts'

/** A removed folder is named by the shell's variable; continue in the nearest existing folder above it. */
export function workingFolder(env: NodeJS.ProcessEnv): string {
  try {
    return process.cwd()
  } catch {
    const named = env.PWD !== undefined && isAbsolute(env.PWD) ? env.PWD : '/'
    process.chdir(workFolder(named).path)
    return named
  }
}
