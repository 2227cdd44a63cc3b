/** Text and files that are run: followed where the line tells them, noted where it does not. */

import { apply } from './apply.ts'
import { scanCode } from './code/scan.ts'
import { cutShort } from './cut.ts'
import { locatePaths } from './locate-paths.ts'
import { noteAct } from './note-act.ts'
import { isOwnStartup } from './places.ts'
import type { Effect, Language } from './program.ts'
import { runScript } from './shell/execute.ts'
import { note, noteUnknown, noteWords, type Run } from './shell/followed-call.ts'
import { mergeFlows, NOTHING, type ShellState, subshell } from './shell/state.ts'
import { NO_ROW, startProgram } from './start-program.ts'
import { asWord, type Command, type Given, programName } from './started-command.ts'
import type { Flow, Word } from './word.ts'
import { descriptor, heldAt } from './written-files.ts'

export function nested(state: ShellState, command: Command, elsewhere: string | undefined): ShellState {
  const inner = subshell(state)
  inner.through = [...state.through, command.name]
  if (elsewhere !== undefined) {
    inner.elsewhere = elsewhere
    inner.cwd = null
  }
  return inner
}

/** Text that is run: followed when it is known, noted when it is not. */
export function runText(
  run: Run,
  state: ShellState,
  language: Language,
  text: Word,
  args: readonly Word[] | undefined,
  command: Command,
  input: Flow | null,
  isNested = false,
): Flow {
  const { flow } = text
  if (flow?.hosts) remoteCode(run, state, flow, command)
  if (text.unknown && isOnlyUnknown(text.text)) {
    noteWords(run, [{ text: text.text.trim() }])
    if (flow?.hosts) return {}
    if (flow?.decoded)
      noteAct(run, state, { does: 'run', place: 'decoded', why: 'decoded text is run' }, command)
    else if (flow?.paths?.length)
      for (const path of flow.paths) noteAct(run, state, { does: 'run', path }, command)
    else if (flow?.tooLong) cutShort(`the text that ${command.name} runs is too long`)
    else noteUnknown(run, state, `the text that ${command.name} runs is not known`, command.text)
    return {}
  }
  const inner = isNested ? state : nested(state, command, undefined)
  // Text for a shell that was given to another interpreter.
  if (language !== 'shell' && SHELL_TEXT.test(text.text)) runScript(run, text.text, subshell(inner), null)
  if (language === 'shell') {
    inner.positional = args ?? []
    inner.variables = new Map(inner.variables)
    return runScript(run, text.text, inner, input)
  }
  const { effects } = scanCode(language, text.text)
  // awk: `{ system($0) }` runs what it reads.
  if (input)
    for (const [at, effect] of effects.entries())
      if ('script' in effect && effect.script.unknown && !effect.script.flow)
        effects[at] = { ...effect, script: { ...effect.script, flow: input } }
  return apply(run, inner, effects, command, NO_ROW, { input: null, env: new Map() }).output
}

const SHELL_TEXT = /^\s*(?:sudo\s+)?(?:rm\s+-|git\s+(?:push|reset|clean)\s|mkfs\S*\s+\/|dd\s+if=)[^()]*$/

function isOnlyUnknown(text: string): boolean {
  return text === '' || /^\s*(?:\$\{?[\w#@*!?-]+[^\s;|&]*|\$\([\s\S]*\)|`[^`]*`|<\([\s\S]*\))\s*$/.test(text)
}

export function remoteCode(run: Run, state: ShellState, flow: Flow, command: Command | undefined): void {
  for (const host of flow.hosts ?? [])
    noteAct(run, state, { does: 'run', host, place: 'remote', why: `runs what came from ${host}` }, command)
}

/** A file holds it from now on. What other machines sent into a shell's profile is run by itself later. */
export function arrive(
  run: Run,
  state: ShellState,
  path: string,
  flow: Flow,
  command: Command | undefined,
): void {
  state.files.set(path, flow)
  if (flow.hosts && state.elsewhere === undefined && isOwnStartup(run.world, path))
    remoteCode(run, state, flow, command)
}

/** Scripts of frameworks that stand in every project, and are started by an interpreter. */
const SCRIPTS = /^(?:artisan|manage\.py|rails|rake)$/

export function runFile(
  run: Run,
  state: ShellState,
  effect: Extract<Effect, { file: Word }>,
  command: Command,
  given: Given,
): Flow {
  const { file } = effect
  const language = effect.language ?? 'shell'
  const flow =
    file.flow ??
    (/^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(file.text)
      ? given.input
      : descriptor(file.text, state))
  if (flow)
    return runText(
      run,
      state,
      language,
      asWord(flow, file.text),
      effect.args && [file, ...effect.args],
      command,
      null,
    )
  let output: Flow = NOTHING
  // `php artisan migrate:fresh`: a script that is a program of its own.
  const name = programName(file.text)
  if (SCRIPTS.test(name) && run.programs.has(name)) {
    const at = command.argv.findIndex(({ text }) => text === file.text)
    startProgram(run, { ...command, name, argv: command.argv.slice(at) }, state, given)
  }
  if (effect.ifWritten && state.files.size === 0) return output
  for (const { path, places } of locatePaths(run, state, file, 'run')) {
    if (effect.ifWritten && !state.files.has(path)) continue
    noteAct(run, state, { does: 'run', path: file }, command)
    // A shell shows the lines of a file that is no script.
    if (language === 'shell' && places.includes('secret'))
      noteAct(run, state, { does: 'read', path: file }, command)
    const known = heldAt(run, state, path)
    const key = `file ${path}`
    if (state.active.has(key)) {
      if (run.parallel > 0)
        note(run, {
          does: 'kill',
          certain: true,
          why: 'a script that starts itself: a fork bomb',
          places: ['machine'],
          command: command.text,
        })
      continue
    }
    if (!known) continue
    const inner = { ...state, active: new Set([...state.active, key]) }
    output = mergeFlows(
      output,
      runText(run, inner, language, asWord(known, path), [file, ...(effect.args ?? [])], command, null),
    )
  }
  return output
}
