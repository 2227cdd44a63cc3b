/** Appends a new approver to the person's settings and keeps every other byte. */

import { parse } from 'smol-toml'
import { writeWhole } from '../config/write-whole.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'

export function addApprover(file: string, lines: string): void {
  const before = readOrNothing(file)
  const after = before === '' ? lines : `${before.replace(/\n*$/, '\n')}\n${lines}`
  try {
    parse(after)
  } catch (error) {
    throw new CrosshookError('bad_settings', `${file} cannot be added to: ${messageOf(error)}`, {
      fix: `Put this into it yourself:\n${lines}`,
      cause: error,
    })
  }
  writeWhole(file, after)
}

function readOrNothing(file: string): string {
  try {
    return readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
