/** Did crosshook write an entry that looks like ours? Malware could imitate it. */

import { CrosshookError } from '../spec/errors.ts'
import type { CommandLine, Entry, SettingsFile } from '../spec/installer.ts'
import { commandLine, type HttpForm } from './command-line.ts'
import { linkFolder } from './entry-file.ts'
import type { KnownAgent } from './known.ts'
import { digestOf, type Ledger } from './ledger.ts'
import { isOwnScript, portableCommand, SCRIPT } from './portable.ts'
import { targetOf } from './settings-bytes.ts'

export interface Maker {
  /** How this crosshook may be called; the first is what it would install. */
  programs: readonly (readonly string[])[]
  ledger: Ledger
  state: string
  /** All agents whose settings crosshook can write. */
  agents: readonly KnownAgent[]
}

/** What this crosshook would write for an agent, in every form. */
function formsOf(agent: KnownAgent, { programs, state }: Maker, http?: HttpForm): CommandLine[] {
  return programs.flatMap((program) =>
    (['closed', 'open'] as const).map((fail) => commandLine({ agent, state, fail }, program, { http })),
  )
}

/** Genuine is what this program would write now, and every entry of a file unchanged since it was written. */
export function genuine(
  agent: KnownAgent,
  file: SettingsFile,
  text: string,
  maker: Maker,
): (entry: Entry) => boolean {
  const { ledger } = maker
  if (ledger.find(agent.id, targetOf(file.path))?.after === digestOf(Buffer.from(text)))
    return ({ ours }) => ours
  const origin = ledger.records.find((record) => record.agent === agent.id && record.http)?.http?.origin
  const commands = [
    ...formsOf(agent, maker),
    // The token is not compared: with a wrong one nothing happens.
    ...(origin === undefined ? [] : formsOf(agent, maker, { origin, token: '' })),
    // By a script in the repository, if it is the one that crosshook writes.
    ...(text.includes(SCRIPT) && isOwnScript(file.path)
      ? (['closed', 'open'] as const).map((fail) => portableCommand(agent, fail, 'all'))
      : []),
  ]
  if (isProgram(file, text)) {
    const events = file.find(text).map(({ event }) => event)
    const wants = (event: string) => events.includes(event)
    const isSame = commands.some((command) => tryAdd(file, undefined, { ...command, wants }) === text)
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
      (entry.args === undefined &&
        commands.some(({ line, http }) =>
          [line(entry.event), http?.(entry.event).url].includes(entry.command),
        )))
}

/** A plain call of this program, for any agent: it can do nothing else. */
export function isOwnCall(command: string, maker: Maker): boolean {
  if (
    maker.ledger.records.some(
      ({ http }) => http !== undefined && command.startsWith(`${http.origin}/v1/agents/`),
    )
  )
    return true
  const [, id, event] = /\s'?hook'? '?([\w.-]+)'? '?([\w.-]+)/.exec(command) ?? []
  const agent = maker.agents.find(
    (known) => known.id === id || command.startsWith(`${linkOf(known, maker)}/`),
  )
  if (!agent) return false
  const name = event ?? command.slice(command.lastIndexOf('/') + 1)
  return formsOf(agent, maker).some(
    ({ line, program }) =>
      line(name) === command ||
      program?.(name).command === command ||
      // As another reader of these settings quotes it for a shell.
      wordsOf(program?.(name)) === command.replaceAll("'", ''),
  )
}

function wordsOf(form: { command: string; args: readonly string[] } | undefined): string | undefined {
  return form && [form.command, ...form.args].join(' ').replaceAll("'", '')
}

function linkOf(agent: KnownAgent, { state }: Maker): string {
  return linkFolder({ agent, state })
}

/** A plugin of ours: every byte counts, not only the calls in it. */
export function isProgram(file: SettingsFile, text: string): boolean {
  return file.find(text).some(({ argv, ours }) => ours && argv !== undefined)
}

/** Undefined when our entries cannot be added to the file at present. */
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

function keyOf({ event, command, args, ours }: Entry): string {
  return JSON.stringify([event, command, args, ours])
}
