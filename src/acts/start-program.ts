/** Reads a program by its row, and carries out what the row says. */

import { guardChange } from '../spec/guard-commands.ts'
import { apply } from './apply.ts'
import { runArgv } from './follow.ts'
import { noteAct } from './note-act.ts'
import type { Effect, Program } from './program.ts'
import { effectsOf } from './program-effects.ts'
import { outputOf, withoutText } from './program-output.ts'
import { readCall } from './read-argv.ts'
import { isSecretFile } from './secret-files.ts'
import { type Run, spend } from './shell/followed-call.ts'
import { isPrinted } from './shell/prints.ts'
import { mergeFlows, type ShellState } from './shell/state.ts'
import { type Command, type Given, programName } from './started-command.ts'
import { asksNoMore } from './unasked.ts'
import { variableEffects } from './variables.ts'
import type { Flow, Word } from './word.ts'

export function startProgram(run: Run, command: Command, state: ShellState, given: Given): Flow {
  const [first, ...args] = command.argv
  const row = rowOf(run, command.name) ?? (isPrinted(command.name) ? NO_ROW : undefined)
  const path = first!.text.includes('/') && !row ? { path: first! } : {}
  noteAct(run, state, { does: 'run', ...path }, command)
  const effects: Effect[] = []
  for (const [name, value] of given.env) effects.push(...variableEffects(name, value))
  if (given.redirected?.socket !== undefined && row?.stdin === 'script')
    effects.push({
      does: 'run',
      host: given.redirected.socket,
      place: 'remote',
      why: 'a shell that reads from a socket',
    })
  if (!row) {
    if (asksNoMore(args))
      effects.push({
        does: 'escalate',
        place: 'machine',
        why: 'an agent that runs every tool without asking',
      })
    // `=x git push`: no assignment, but perhaps meant as one.
    if (/^\w*=/.test(command.name) && args.length > 0 && !command.isGuess)
      return runArgv(run, args, state, { ...given, isGuess: true })
    if (!run.commands && spend(run, args.length)) effects.push(...secretArguments(args), ...startsOurs(args))
    const wrapped = wrappedIn(args)
    if (wrapped && !command.isGuess)
      runArgv(
        run,
        wrapped,
        { ...state, through: [...state.through, command.name] },
        { ...given, isGuess: true },
      )
    const { output } = apply(run, state, effects, command, NO_ROW, given)
    return mergeFlows(output, withoutText(given.input))
  }
  const call = readCall(command.name, row, args, {
    input: given.input,
    env: withVariables(given.env, state, row.steered),
  })
  effects.push(...effectsOf(call))
  // The script of an interpreter may show what it is given.
  if (call.row.language !== undefined && call.row.language !== 'shell')
    effects.push(...secretArguments(call.operands.slice(1)))
  const { output, read, hosts } = apply(run, state, effects, command, call.row, given)
  return outputOf(run, state, call, { output, read, hosts })
}

export const NO_ROW: Program = {}

/** Variables by which rows are steered, where the line set them earlier. */
const STEERING = /^(?:TAR_OPTIONS|TAPE|GIT_CONFIG_\w+|RSYNC_RSH)$/

function withVariables(
  env: Given['env'],
  { variables, references }: ShellState,
  steered: readonly string[] = [],
): Given['env'] {
  let merged: Map<string, Word> | undefined
  for (const [name, value] of variables) {
    const target = references.get(name) ?? name
    if ((STEERING.test(target) || steered.includes(target)) && !env.has(target))
      (merged ??= new Map(env)).set(target, value)
  }
  return merged ?? env
}

/** By its name, without a version (`python3.12`), and without regard to case where the file system has none. */
function rowOf(run: Run, name: string): Program | undefined {
  return (
    run.programs.get(name) ??
    run.programs.get(name.replace(/-?\d[\d.]*$/, '')) ??
    run.programs.get(name.toLowerCase()) ??
    run.programs.get(name.toLowerCase().replace(/-?\d[\d.]*$/, ''))
  )
}

/** What is named so is used, as by `node --env-file`. */
const ENV_FILE = /^--(?:env-?file|dotenv(?:-file)?|env-path)$/

/** What a program that nobody knows is given to read: a file of secrets it may print. */
function secretArguments(args: readonly Word[]): Effect[] {
  return args
    .filter(
      ({ text }, at) =>
        !text.startsWith('-') &&
        !/[\s:]/.test(text) &&
        isSecretFile(text) &&
        !ENV_FILE.test(args[at - 1]?.text ?? ''),
    )
    .map((path) => ({ does: 'read', path, certain: false, why: 'a program that is not known may show it' }))
}

/** `some-wrapper --flag rm -rf x`: what deletes, and a line for a shell, where a program that nobody knows may start it. */
function wrappedIn(args: readonly Word[]): readonly Word[] | undefined {
  const at = args.findIndex(
    ({ text }, index) =>
      (/^(?:\/(?:usr\/)?bin\/)?(?:rm|shred|wipefs|mkfs(?:\.\w+)?)$/.test(text) && index + 1 < args.length) ||
      (/^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh$/.test(text) && /^-\w*c$/.test(args[index + 1]?.text ?? '')),
  )
  return at === -1 ? undefined : args.slice(at)
}

/** A program that nobody knows may start what stands in its arguments: of that only our own commands count. */
function startsOurs(args: readonly Word[]): Effect[] {
  const at = args.findIndex(({ text }) => programName(text) === 'crosshook')
  const words = at === -1 ? [] : args.slice(at + 1).filter(({ text }) => !text.startsWith('-'))
  const lines = args.map(({ text }) => /\bcrosshook\s+([a-z]+)(?:\s+([\w-]+))?/.exec(text) ?? [])
  const given = [[words[0]?.text, words[1]?.text], ...lines.map(([, name, word]) => [name, word])]
  const why = given
    .map(([name = '', word]) => guardChange({ name, word, has: () => false }))
    .find((each) => each !== undefined)
  return why === undefined ? [] : [{ does: 'change_guards', certain: false, why: `may start what ${why}` }]
}
