/** Entries that look like ours: did crosshook write them? A worm could borrow the name. */

import type { Entry, SettingsFile } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import { commandLine, quote } from './command.ts'
import { digestOf, type Ledger } from './ledger.ts'
import { targetOf } from './settings-bytes.ts'

export interface Maker {
  /** How this crosshook may be called; the first is what it would install. */
  programs: readonly (readonly string[])[]
  ledger: Ledger
}

/** Genuine is what this program would write now, and every entry of a file that nobody has touched since it was written. */
export function genuine(
  agent: string,
  file: SettingsFile,
  text: string,
  { programs, ledger }: Maker,
): (entry: Entry) => boolean {
  if (ledger.find(agent, targetOf(file.path))?.after === digestOf(Buffer.from(text)))
    return ({ ours }) => ours
  const origin = ledger.records.find((record) => record.agent === agent && record.http)?.http?.origin
  const commands = programs.flatMap((program) => [
    commandLine(agent, program),
    // Who has the token is not asked here: with a wrong one nothing happens.
    ...(origin === undefined ? [] : [commandLine(agent, program, { origin, token: '' })]),
  ])
  if (isProgram(file, text)) {
    const isSame = commands.some((command) => tryAdd(file, undefined, command) === text)
    return ({ ours }) => ours && isSame
  }
  const expected = new Set(
    commands.flatMap((command) => {
      const written = tryAdd(file, text, command)
      return written === undefined ? [] : file.find(written).map(keyOf)
    }),
  )
  return (entry) =>
    entry.ours &&
    (expected.has(keyOf(entry)) ||
      commands.some(({ line, http }) => [line(entry.event), http?.(entry.event).url].includes(entry.command)))
}

/** A plain call of this very program, for whichever agent: nothing else can happen by it. */
export function isOwnCall(command: string, { programs, ledger }: Maker): boolean {
  if (
    ledger.records.some(({ http }) => http !== undefined && command.startsWith(`${http.origin}/v1/agents/`))
  )
    return true
  return programs.some((program) => {
    const start = `${[...program, 'hook'].map(quote).join(' ')} `
    return command.startsWith(start) && /^[\w.-]+ [\w.-]+$/.test(command.slice(start.length))
  })
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
