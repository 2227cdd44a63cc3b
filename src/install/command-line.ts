/** The command line in agents' settings: absolute, quoted, and recognisable as ours. */

import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Paths } from '../config/paths.ts'
import { findRelay, hookCommand } from '../host/relay/hook-command.ts'
import type { CommandLine } from '../spec/installer.ts'
import { type EntryForm, entryFile, linkFolder, REASON, refuses, replyOf } from './entry-file.ts'
import { shellEntryFile } from './shell-entry.ts'
import { shimRelay } from './shim.ts'
import { type Wanted, wants } from './wanted.ts'

/** Nesting depth of hooks that call agents that call hooks; over HTTP only a header carries it. */
const DEPTH = 'CROSSHOOK_DEPTH'

/** The daemon's HTTP address and its token. */
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
      // A variable with the token would have to be set wherever the agent is started.
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
 * A missing program would let everything pass: most agents take a shell's 127 for a failed hook. The shell is replaced
 * by the program (`exec`), so this costs no further process.
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

/** Every form in which this crosshook may have been installed; the first is the current one. */
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

/** For entries that name one hook each: the launcher of a checkout, or Node with the main file. */
export function exportProgram(main = realpathSync(process.argv[1] ?? '')): string[] {
  const { argv } = hookCommand(main)
  const launcher = join(dirname(main), '../../bin/crosshook')
  return argv.length === 1 ? argv : existsSync(launcher) ? [launcher] : argv
}

/** Node and the main file. */
export function coldProgram(main = realpathSync(process.argv[1] ?? '')): [string, string] {
  return [process.execPath, main]
}

export function programOf(where: Pick<Paths, 'state' | 'data'>): string[] {
  return programsOf(where)[0]!
}

/** Plain words need no quotes; paths always have them, in case the folder later moves. */
export function quote(word: string): string {
  return /^[\w.=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
