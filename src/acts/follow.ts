/** Starts a command: a function, an alias, a builtin, a program that the line wrote, or one that has a row. */

import { atMost, cutShort } from './cut.ts'
import { locatePaths } from './locate-paths.ts'
import { noteAct } from './note-act.ts'
import type { Language } from './program.ts'
import { remoteCode, runText } from './run-text.ts'
import { builtin } from './shell/builtins.ts'
import { execute, runScript } from './shell/execute.ts'
import {
  MAX_DEPTH,
  note,
  noteForkBomb,
  noteUnknown,
  noteWords,
  type Run,
  spend,
} from './shell/followed-call.ts'
import { type ShellState, subshell } from './shell/state.ts'
import { startProgram } from './start-program.ts'
import { type Command, commandText, type Given, programName } from './started-command.ts'
import type { Flow, Word } from './word.ts'
import { heldAt } from './written-files.ts'

/** Follows one command; gives what it prints. */
export function runArgv(run: Run, argv: readonly Word[], state: ShellState, given: Given): Flow {
  const [first] = argv
  if (!first || !spend(run, 2)) return {}
  noteWords(run, argv)
  if (run.depth >= MAX_DEPTH) {
    cutShort('too deep')
    return {}
  }
  if (argv.some(({ blank }) => blank !== undefined) && !given.isGuess) {
    const blanks = argv.map((word) => (word.blank === undefined ? word : { text: word.blank }))
    runArgv(run, blanks, subshell(state), { ...given, isGuess: true })
  }
  if (!given.isGuess)
    for (const [at, { others = [] }] of argv.entries())
      for (const other of others)
        runArgv(run, argv.with(at, other), subshell(state), { ...given, isGuess: true })
  run.depth++
  try {
    return start(run, first, argv, state, given)
  } finally {
    run.depth--
  }
}

function start(run: Run, first: Word, argv: readonly Word[], state: ShellState, given: Given): Flow {
  const name = first.text.replace(/\r$/, '')
  if (!given.isProgram) {
    const body = state.functions.get(name)
    if (body) return callFunction(run, name, body, argv, state, given)
    const alias = state.aliases.get(name)
    if (alias !== undefined && !state.active.has(`alias ${name}`)) {
      const inner = { ...state, active: new Set([...state.active, `alias ${name}`]) }
      return runScript(run, [alias, ...argv.slice(1).map(quoted)].join(' '), inner, given.input)
    }
    const answer = builtin(run, name, argv, state, given)
    if (answer) return answer
  }
  const command: Command = {
    name: programName(state.hashed.get(name) ?? name),
    argv,
    text: commandText(argv),
    isGuess: given.isGuess === true,
  }
  if (first.unknown) return startUnknown(run, first, command, state, given)
  if (first.glob && !given.isGuess && /[*?[]/.test(command.name)) {
    for (const { path } of atMost(
      locatePaths(run, state, first, 'run'),
      MAX_MATCHES,
      'programs that a pattern fits',
    ))
      if (!/[*?[]/.test(path))
        startProgram(run, { ...command, name: programName(path), isGuess: true }, state, given)
    noteUnknown(run, state, 'the program is a pattern', command.text)
    return given.input ?? {}
  }
  const written =
    name.includes('/') || !run.programs.has(command.name) ? writtenProgram(run, first, state) : undefined
  if (written) return startWritten(run, written, command, state, given)
  // A link that the line made: the program is what it leads to.
  const linked =
    name.includes('/') && state.links.size > 0 ? locatePaths(run, state, first, 'run')[0] : undefined
  if (linked && run.programs.has(programName(linked.path)))
    return startProgram(run, { ...command, name: programName(linked.path) }, state, given)
  return startProgram(run, command, state, given)
}

/** Programs that a pattern such as `/bin/r?` may stand for. */
const MAX_MATCHES = 40

/** The name of the program is a variable or the output of something. */
function startUnknown(run: Run, first: Word, command: Command, state: ShellState, given: Given): Flow {
  const base = /[/\\]([\w.-]+)$/.exec(first.text)?.[1]
  if (base !== undefined)
    return startProgram(run, { ...command, name: programName(base), isGuess: true }, state, given)
  if (first.flow?.hosts) remoteCode(run, state, first.flow, command)
  if (/^"?\$\{?0\}?"?$/.test(first.text) && run.parallel > 0)
    noteForkBomb(run, 'a script that starts itself', command.text)
  noteUnknown(run, state, 'the program is not known', command.text)
  const script = command.argv.findIndex(({ text }) => /^-\w*c$/.test(text))
  if (script > 0 && command.argv[script + 1])
    return startProgram(run, { ...command, name: 'sh', isGuess: true }, state, given)
  return given.input ?? {}
}

/** A program that this line wrote, copied or linked itself. */
function writtenProgram(run: Run, first: Word, state: ShellState): { flow: Flow; path: string } | undefined {
  if (state.files.size === 0) return undefined
  for (const { path } of locatePaths(run, state, first, 'run')) {
    const flow = heldAt(run, state, path)
    if (flow) return { flow, path }
  }
  return undefined
}

function startWritten(
  run: Run,
  { flow, path }: { flow: Flow; path: string },
  command: Command,
  state: ShellState,
  given: Given,
): Flow {
  const target = flow.paths?.[0]
  if (flow.text === undefined && target !== undefined && !flow.hosts) {
    const name = programName(target)
    if (run.programs.has(name)) return startProgram(run, { ...command, name }, state, given)
  }
  noteAct(run, state, { does: 'run', path: { text: path } }, command)
  return runText(
    run,
    state,
    languageOf(flow.text ?? ''),
    { text: flow.text ?? '', flow, ...(flow.text === undefined && { unknown: true }) },
    command.argv,
    command,
    given.input,
  )
}

function languageOf(text: string): Language {
  const [, program = 'sh'] = /^#!\s*(?:\S*\/)?(?:env\s+(?:-S\s*)?)?([\w.-]+)/.exec(text) ?? []
  if (/python|pypy/.test(program)) return 'python'
  if (/node|bun|deno/.test(program)) return 'javascript'
  if (/perl/.test(program)) return 'perl'
  if (/ruby/.test(program)) return 'ruby'
  if (/php/.test(program)) return 'php'
  if (/awk/.test(program)) return 'awk'
  return 'shell'
}

function callFunction(
  run: Run,
  name: string,
  body: Parameters<typeof execute>[1],
  argv: readonly Word[],
  state: ShellState,
  given: Given,
): Flow {
  if (state.active.has(body)) {
    if (run.parallel > 0)
      note(run, {
        does: 'kill',
        certain: true,
        why: `${name} starts itself again and again: a fork bomb`,
        places: ['machine'],
        command: name,
      })
    return {}
  }
  const parallel = run.parallel
  run.parallel = 0
  const inner = { ...state, positional: argv, active: new Set([...state.active, body]) }
  const output = execute(run, body, inner, given.input)
  run.parallel = parallel
  state.cwd = inner.cwd
  return output
}

function quoted({ text }: Word): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
