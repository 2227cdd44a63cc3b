/** The log of agents' calls for people: stdout and stderr of a call belong to the agent. */

import { mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { redact } from '../redact/redact.ts'
import { appendText } from '../spec/read-file.ts'

const MAX_LOG_BYTES = 4 * 1024 * 1024

export function logLines(stateDir: string, lines: readonly string[]): void {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
    const at = new Date().toISOString()
    const log = join(stateDir, 'hook.log')
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(log, `${log}.old`)
    appendText(log, lines.map((line) => `${at} ${redact(line)}\n`).join(''))
  } catch {
    // There is no other place to report it.
  }
}
