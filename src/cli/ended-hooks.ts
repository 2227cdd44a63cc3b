/** Records background hooks that have ended, before a command shows what happened. */

import { assemble } from '../host/assemble.ts'
import { messageOf } from '../spec/errors.ts'
import { warn } from './print.ts'

export async function recordEnded(env: NodeJS.ProcessEnv): Promise<void> {
  const assembly = assemble({ env, source: 'cli', trouble: warn })
  try {
    await assembly.collect('ended')
  } catch (error) {
    warn(`background hooks that have ended could not be recorded: ${messageOf(error)}`)
  } finally {
    await assembly.close()
  }
}
