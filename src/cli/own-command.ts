/** Runs another command of this program and parses its JSON. */

import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { messageOf } from '../spec/errors.ts'

export interface Answered {
  ok: boolean
  json: unknown
  /** What went wrong, as a sentence. */
  error: string
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

export function ownCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Answered> {
  const main = realpathSync(process.argv[1] ?? '')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args, '--json'],
      { env, maxBuffer: MAX_OUTPUT_BYTES },
      (failed, stdout, stderr) => {
        const json = parsed(stdout)
        const told = (json as { error?: { message?: string } } | undefined)?.error?.message
        const error = failed ? (told ?? (stderr.trim() || messageOf(failed))) : ''
        resolve({ ok: !failed, json, error })
      },
    )
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the error says why
  }
}
