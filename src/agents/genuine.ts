/** Entries that look like ours: did crosshook write them? A worm could borrow the name. */

import type { Entry, SettingsFile } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import { commandLine } from './command.ts'
import { digestOf, type Ledger } from './ledger.ts'
import { targetOf } from './settings-bytes.ts'

export interface Maker {
  program: readonly string[]
  ledger: Ledger
}

/** Genuine is what this program would write now, and every entry of a file that nobody has touched since it was written. */
export function genuine(
  agent: string,
  file: SettingsFile,
  text: string,
  { program, ledger }: Maker,
): (entry: Entry) => boolean {
  if (ledger.find(agent, targetOf(file.path))?.after === digestOf(Buffer.from(text)))
    return ({ ours }) => ours
  const command = commandLine(agent, program)
  if (isProgram(file, text)) {
    const isSame = tryAdd(file, undefined, command) === text
    return ({ ours }) => ours && isSame
  }
  const written = tryAdd(file, text, command)
  if (written === undefined) return ({ ours, event, command: line }) => ours && line === command.line(event)
  const expected = new Set(file.find(written).map(keyOf))
  return (entry) => entry.ours && expected.has(keyOf(entry))
}

/** A plugin of ours: not only the calls in it count, but every byte. */
export function isProgram(file: SettingsFile, text: string): boolean {
  return file.find(text).some(({ argv, ours }) => ours && argv !== undefined)
}

/** Undefined when the file cannot take our entries at present. */
function tryAdd(
  file: SettingsFile,
  text: string | undefined,
  command: ReturnType<typeof commandLine>,
): string | undefined {
  try {
    return file.add(text, command)
  } catch (error) {
    if (error instanceof CrosshookError) return undefined
    throw error
  }
}

function keyOf({ event, command, ours }: Entry): string {
  return JSON.stringify([event, command, ours])
}
