/** The command line that agents are given: absolute, quoted, and recognisable as ours. */

import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Paths } from '../config/paths.ts'
import { findRelay, hookCommand } from '../host/relay/command.ts'
import type { CommandLine } from '../spec/dialect.ts'
import { type EntryForm, entryFile, linkFolder, REASON, refuses, replyOf } from './entry-file.ts'
import { shellEntryFile } from './shell-entry.ts'
import { shimRelay } from './shim.ts'
import { type Wanted, wants } from './wanted.ts'

/** How many hooks within agents within hooks lie above: over HTTP only a header tells. */
const DEPTH = 'CROSSHOOK_DEPTH'

/** Where the daemon is called over HTTP, and the token that it wants. */
export interface HttpForm {
  origin: string
  token: string
}

export function commandLine(
  form: EntryForm,
  program: readonly string[],
  { http, wanted = 'all' }: { http?: HttpForm | undefined; wanted?: Wanted } = {},
): CommandLine {
  const { id } = form.agent
  const argv = (event: string) => [...program, ...argumentsOf(form, event)]
  const words = (event: string) => argv(event).map(quote).join(' ')
  const command: CommandLine = {
    argv,
    wants: wants(form.agent, wanted),
    line: (event) => (refuses(form, event) ? orRefuse(form, event, program, words(event)) : words(event)),
    program: (event) => ({ command: join(linkFolder(form), event), args: argumentsOf(form, event) }),
    refuses: (event) => refuses(form, event),
  }
  if (!http) return command
  return {
    ...command,
    http: (event) => ({
      url: `${http.origin}/v1/agents/${id}/${event}`,
      // A variable with the token would have to be set wherever the agent is started from.
      headers: { Authorization: `Bearer ${http.token}`, 'X-Crosshook-Depth': `\${${DEPTH}}` },
      variables: [DEPTH],
    }),
  }
}

function argumentsOf(form: EntryForm, event: string): string[] {
  const tells = form.fail === 'open' ? ['--fail=open'] : refuses(form, event) ? [] : ['--fail=tell']
  return ['hook', form.agent.id, event, ...tells, `--entry=${entryFile(form)}`]
}

/**
 * A program that is not there any more would let everything pass: most agents take a shell's 127 for a hook that failed.
 * The shell becomes the program, so that this costs no further process.
 */
function orRefuse(form: EntryForm, event: string, program: readonly string[], call: string): string {
  const reply = replyOf(form, event)
  const reason = `crosshook cannot check this: its program is gone. Install it again, or run crosshook uninstall ${form.agent.id}.`
  const say = (text: string, to: string) =>
    text === '' ? [] : [`echo ${quote(text.replaceAll(REASON, reason).trim())}${to}`]
  const test = program.map((file) => `test -x ${quote(file)} && `).slice(0, 1)
  const last = [...say(reply.stdout, ''), ...say(reply.stderr, ' >&2'), `exit ${reply.exit_code}`]
  return `${test.join('')}exec ${call}; ${last.join('; ')}`
}

/** Every way in which this very crosshook may have been installed; the first is the one to install now. */
export function programsOf(
  { state, data }: Pick<Paths, 'state' | 'data'>,
  main = realpathSync(process.argv[1] ?? ''),
): string[][] {
  const launcher = join(dirname(main), '../../bin/crosshook')
  const relay = findRelay(main)
  return [
    ...(relay === undefined || process.platform === 'win32' ? [] : [[shimRelay(data)]]),
    ...(relay === undefined ? [] : [[relay]]),
    [shellEntryFile(state)],
    ...(existsSync(launcher) ? [[launcher]] : []),
    coldProgram(main),
  ]
}

/** For entries that name one hook each: the launcher of a checkout, or Node with the file that it runs. */
export function exportProgram(main = realpathSync(process.argv[1] ?? '')): string[] {
  const { argv } = hookCommand(main)
  const launcher = join(dirname(main), '../../bin/crosshook')
  return argv.length === 1 ? argv : existsSync(launcher) ? [launcher] : argv
}

/** Node, and the file that it runs. */
export function coldProgram(main = realpathSync(process.argv[1] ?? '')): [string, string] {
  return [process.execPath, main]
}

export function programOf(where: Pick<Paths, 'state' | 'data'>): string[] {
  return programsOf(where)[0]!
}

/** Plain words need no quotes; paths always have them, so that a later move of the folder shows. */
export function quote(word: string): string {
  return /^[\w.=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
