/** Commands of the shell itself: they change what the shell knows. */

import { apply } from '../apply.ts'
import { atMost } from '../cut.ts'
import { runArgv } from '../follow.ts'
import { locatePaths } from '../locate-paths.ts'
import { noteAct, readPath } from '../note-act.ts'
import { isSecretFile } from '../secret-files.ts'
import { asWord, commandText, type Given } from '../started-command.ts'
import { NO_HISTORY, variableEffects } from '../variables.ts'
import type { Flow, Word } from '../word.ts'
import { descriptor } from '../written-files.ts'
import { runScript } from './execute.ts'
import { noteUnknown, noteWords, type Run } from './followed-call.ts'
import { formatted } from './prints.ts'
import { array, assign, NOTHING, type ShellState, subshell } from './state.ts'

type Builtin = (run: Run, argv: readonly Word[], state: ShellState, given: Given) => Flow | null

/** Null: not a builtin, or one that is followed like a program. */
export function builtin(
  run: Run,
  name: string,
  argv: readonly Word[],
  state: ShellState,
  given: Given,
): Flow | null {
  const known = Object.hasOwn(BUILTINS, name) ? BUILTINS[name]! : undefined
  return known ? known(run, argv, state, given) : null
}

const BUILTINS: Readonly<Record<string, Builtin>> = {
  cd: changeFolder,
  chdir: changeFolder,
  pushd: changeFolder,
  popd(_run, _argv, state) {
    state.cwd = state.folders.pop() ?? null
    return NOTHING
  },
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  read,
  mapfile,
  readarray: mapfile,
  printf(run, argv, state) {
    const [, option, name, ...rest] = argv
    if (!option?.text.startsWith('-v')) return null
    const target = option.text === '-v' ? name : { text: option.text.slice(2) }
    const words = option.text === '-v' ? rest : argv.slice(2)
    const isUnknown = words.some(({ unknown }) => unknown)
    const text = formatted(words.map((word) => word.text))
    if (target) assign(state, target.text, isUnknown ? { text, unknown: true } : { text })
    void run
    return NOTHING
  },
  eval(run, argv, state, given) {
    const words = argv.slice(argv[1]?.text === '--' ? 2 : 1)
    return evaluated(run, words, state, given, 'eval of a variable')
  },
  source: sourced,
  '.': sourced,
  trap(run, argv, state) {
    const words = argv.slice(1).filter(({ text }) => text !== '--')
    const [script] = words
    if (script && words.length > 1 && !/^-[lp]$/.test(script.text) && script.text !== '-')
      evaluated(
        run,
        [script],
        { ...subshell(state), through: [...state.through, 'trap'] },
        { input: null, env: new Map() },
        'a trap of a variable',
      )
    return NOTHING
  },
  alias(run, argv, state) {
    for (const { text } of argv.slice(1)) {
      const at = text.indexOf('=')
      if (at <= 0) continue
      state.aliases.set(text.slice(0, at), text.slice(at + 1))
      if (run.commands) runScript(run, text.slice(at + 1), subshell(state), null)
    }
    return NOTHING
  },
  unalias(_run, argv, state) {
    for (const { text } of argv.slice(1)) {
      if (text === '-a') state.aliases.clear()
      state.aliases.delete(text)
    }
    return NOTHING
  },
  hash(_run, argv, state) {
    const at = argv.findIndex(({ text }) => text === '-p')
    if (at !== -1 && argv[at + 2]) state.hashed.set(argv[at + 2]!.text, argv[at + 1]!.text)
    return NOTHING
  },
  set(run, argv, state) {
    const words = argv.slice(1)
    if (words.length === 0) {
      noteAct(
        run,
        state,
        { does: 'read', place: 'environment', why: 'prints every variable' },
        { name: 'set', argv, text: 'set', isGuess: false },
      )
      return { environment: true }
    }
    if (words[0]!.text === '+o' && words[1]?.text === 'history') noteAct(run, state, NO_HISTORY, undefined)
    const at = words.findIndex(({ text }) => text === '--' || !/^[-+]/.test(text))
    if (at !== -1)
      state.positional = [
        state.positional[0] ?? { text: 'bash' },
        ...words.slice(words[at]!.text === '--' ? at + 1 : at),
      ]
    return NOTHING
  },
  shift(_run, argv, state) {
    const by = Number(argv[1]?.text ?? 1)
    const [zero = { text: 'bash' }, ...rest] = state.positional
    state.positional = [zero, ...rest.slice(Number.isInteger(by) && by >= 0 ? by : 1)]
    return NOTHING
  },
  unset(run, argv, state) {
    for (const { text } of argv.slice(1)) {
      if (text.startsWith('-')) continue
      if (text === 'HISTFILE') noteAct(run, state, NO_HISTORY, undefined)
      state.variables.set(text, { text: '', isUnset: true })
      state.functions.delete(text)
    }
    return NOTHING
  },
  exec(run, argv, state, given) {
    let at = 1
    while (at < argv.length && /^-[acl]/.test(argv[at]!.text)) at += argv[at]!.text === '-a' ? 2 : 1
    if (argv[at]?.text === '--') at++
    return at < argv.length ? runArgv(run, argv.slice(at), state, { ...given, isProgram: true }) : NOTHING
  },
  command(run, argv, state, given) {
    let at = 1
    while (at < argv.length && /^-[pvV]+$/.test(argv[at]!.text)) {
      if (/[vV]/.test(argv[at]!.text))
        return {
          text: argv
            .slice(at + 1)
            .map(({ text }) => programPath(text))
            .join('\n'),
        }
      at++
    }
    if (argv[at]?.text === '--') at++
    if (at >= argv.length) return NOTHING
    noteWords(run, argv.slice(at))
    return (
      builtin(run, argv[at]!.text, argv.slice(at), state, given) ??
      runArgv(run, argv.slice(at), state, { ...given, isProgram: true })
    )
  },
  builtin(run, argv, state, given) {
    if (argv.length < 2) return NOTHING
    noteWords(run, argv.slice(1))
    return (
      builtin(run, argv[1]!.text, argv.slice(1), state, given) ?? runArgv(run, argv.slice(1), state, given)
    )
  },
  type: named,
  which: named,
  shopt(_run, argv, state) {
    if (argv.some(({ text }) => text === 'dotglob')) state.dotglob = argv.some(({ text }) => text === '-s')
    return NOTHING
  },
  let(run, argv, state) {
    for (const { text } of argv.slice(1)) runScript(run, `((${text}))`, state, null)
    return NOTHING
  },
  getopts(_run, argv, state) {
    const [, options, name, ...rest] = argv
    const words = rest.length > 0 ? rest : state.positional.slice(1)
    const letter = /^-(\w)(.*)$/.exec(words[0]?.text ?? '')
    if (!options || !name || !letter) return NOTHING
    assign(state, name.text, { text: letter[1]! })
    if (options.text.includes(`${letter[1]}:`))
      assign(state, 'OPTARG', letter[2] === '' ? (words[1] ?? { text: '' }) : { text: letter[2]! })
    return NOTHING
  },
  compgen: completion,
  complete: completion,
  enable(run, argv, state) {
    const at = argv.findIndex(({ text }) => text === '-f')
    if (at !== -1 && argv[at + 1])
      noteAct(
        run,
        state,
        { does: 'run', path: argv[at + 1]!, why: 'loaded into the shell' },
        { name: 'enable', argv, text: commandText(argv), isGuess: false },
      )
    return NOTHING
  },
}

function changeFolder(run: Run, argv: readonly Word[], state: ShellState): Flow {
  const target = argv.slice(1).find(({ text }) => text === '-' || !/^-[LPe@n]+$|^--$/.test(text))
  const before = state.cwd
  if (target?.text === '-') state.cwd = state.folders.at(-1) ?? null
  else if (!target) state.cwd = state.elsewhere === undefined ? (run.world.agentHome ?? run.world.home) : null
  else {
    const [found] = locatePaths(run, state, target, 'run')
    state.cwd = found && !found.isUnknown && !found.isGuess ? found.path.replace(/(.)\/\*$/, '$1') : null
  }
  if (before !== null) state.folders.push(before)
  if (state.folders.length > 50) state.folders.shift()
  return NOTHING
}

/** The assignments among its words were made while they were expanded; left are options and names. */
function declare(run: Run, argv: readonly Word[], state: ShellState): Flow {
  const names = argv.slice(1).filter(({ text }) => !/^-[px]+$/.test(text))
  if (names.length === 0 && argv[0]?.text !== 'local') {
    noteAct(
      run,
      state,
      { does: 'read', place: 'environment', why: 'prints the environment' },
      { name: argv[0]!.text, argv, text: commandText(argv), isGuess: false },
    )
    return { environment: true }
  }
  const isReference = argv.slice(1).some(({ text }) => /^-\w*n/.test(text)) && argv[0]?.text !== 'export'
  for (const word of argv.slice(1)) {
    const [, name, value] = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/.exec(word.text) ?? []
    if (name === undefined) continue
    if (isReference) {
      state.variables.delete(name)
      if (value !== name) state.references.set(name, value!)
      continue
    }
    if (!state.variables.has(name)) assign(state, name, { ...word, text: value! })
    if (argv[0]?.text === 'export' || argv.some(({ text }) => /^-\w*x/.test(text))) {
      const command = { name: argv[0]!.text, argv, text: commandText(argv), isGuess: false }
      apply(
        run,
        state,
        variableEffects(name, state.variables.get(name) ?? { text: value! }),
        command,
        {},
        { input: null, env: new Map() },
      )
    }
  }
  return NOTHING
}

const READ_VALUES = new Set(['-p', '-d', '-n', '-N', '-t', '-i', '-u', '-a', '-A', '-k'])

function read(_run: Run, argv: readonly Word[], state: ShellState, given: Given): Flow {
  const names: string[] = []
  let list: string | undefined
  let input = given.input
  for (let at = 1; at < argv.length; at++) {
    const { text } = argv[at]!
    if (!text.startsWith('-')) names.push(text)
    else {
      const value = READ_VALUES.has(`-${text.at(-1)}`) ? argv[++at] : undefined
      if (/^-\w*[aA]$/.test(text)) list = value?.text
      if (/^-\w*u$/.test(text)) input = state.descriptors.get(Number(value?.text)) ?? input
    }
  }
  const line = input?.text === undefined ? undefined : takeLine(input)
  const separator = given.env.get('IFS')?.text ?? state.variables.get('IFS')?.text ?? ' \t\n'
  const flow = input ? { flow: input } : {}
  if (line === undefined) {
    for (const name of list === undefined ? (names.length > 0 ? names : ['REPLY']) : [list])
      assign(state, name, { text: `$${name}`, unknown: true, ...flow })
    return NOTHING
  }
  const cut =
    separator === ''
      ? [line]
      : line.split(separatorPattern(separator)).filter((piece, at) => piece !== '' || at > 0)
  if (list !== undefined) {
    state.variables.set(list, array(new Map(cut.map((text, at) => [String(at), { text }]))))
    return NOTHING
  }
  const targets = names.length > 0 ? names : ['REPLY']
  targets.forEach((name, at) => {
    const isLast = at === targets.length - 1
    assign(state, name, {
      text: isLast ? (targets.length === 1 ? line.trim() : cut.slice(at).join(' ')) : (cut[at] ?? ''),
    })
  })
  return NOTHING
}

function separatorPattern(separators: string): RegExp {
  return new RegExp(`[${separators.replace(/[\\\]^-]/g, '\\$&')}]+`)
}

/** Takes the first line off; the rest is what the next `read` gets. */
function takeLine(flow: Flow): string {
  const text = flow.text ?? ''
  const end = text.indexOf('\n')
  flow.text = end === -1 ? '' : text.slice(end + 1)
  return end === -1 ? text : text.slice(0, end)
}

const MAX_LINES = 5_000

function mapfile(_run: Run, argv: readonly Word[], state: ShellState, given: Given): Flow {
  const name = argv.slice(1).findLast(({ text }) => /^[A-Za-z_]\w*$/.test(text))?.text ?? 'MAPFILE'
  const words = argv.map(({ text }) => text)
  const number = /^-\w*u(\d*)$/.exec(words.find((text) => /^-\w*u\d*$/.test(text)) ?? '')?.[1]
  const from = number === '' ? words[words.findIndex((text) => /^-\w*u$/.test(text)) + 1] : number
  const input = (from === undefined ? undefined : state.descriptors.get(Number(from))) ?? given.input
  if (input?.text === undefined) {
    state.variables.set(name, { text: `$${name}`, unknown: true, ...(input && { flow: input }) })
    return NOTHING
  }
  const lines = atMost(input.text.replace(/\n$/, '').split('\n'), MAX_LINES, 'lines of mapfile')
  state.variables.set(name, array(new Map(lines.map((text, at) => [String(at), { text }]))))
  return NOTHING
}

function evaluated(run: Run, words: readonly Word[], state: ShellState, given: Given, why: string): Flow {
  const text = words.map((word) => word.text).join(' ')
  const flows = words.flatMap(({ flow }) => (flow ? [flow] : []))
  for (const flow of flows)
    for (const host of flow.hosts ?? [])
      noteAct(
        run,
        state,
        { does: 'run', host, place: 'remote', why: `runs what came from ${host}` },
        { name: 'eval', argv: words, text, isGuess: false },
      )
  if (
    words.length > 0 &&
    words.every(({ unknown }) => unknown) &&
    /^\s*(?:\$|`)\S*\s*$|^\$\([\s\S]*\)$/.test(text)
  ) {
    if (flows.some(({ decoded }) => decoded))
      noteAct(
        run,
        state,
        { does: 'run', place: 'decoded', why: 'decoded text is run' },
        { name: 'eval', argv: words, text, isGuess: false },
      )
    else noteUnknown(run, state, why, text)
    noteWords(run, words)
    return {}
  }
  return runScript(run, text, state, given.input)
}

function sourced(run: Run, argv: readonly Word[], state: ShellState, given: Given): Flow {
  const file = argv[1]?.text === '--' ? argv[2] : argv[1]
  if (!file) return NOTHING
  const command = { name: 'source', argv, text: commandText(argv), isGuess: given.isGuess === true }
  const isInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(file.text)
  const flow = file.flow ?? (isInput ? given.input : descriptor(file.text, state))
  if (flow) {
    for (const host of flow.hosts ?? [])
      noteAct(run, state, { does: 'run', host, place: 'remote', why: `runs what came from ${host}` }, command)
    const word = asWord(flow, file.text)
    if (word.unknown && !flow.hosts)
      noteUnknown(run, state, 'the text that source runs is not known', command.text)
    return word.unknown ? {} : runScript(run, word.text, state, null)
  }
  noteAct(run, state, { does: 'run', path: file }, command)
  let output: Flow = NOTHING
  for (const { path, places } of locatePaths(run, state, file, 'run')) {
    if (places.includes('secret')) noteAct(run, state, { does: 'read', path: file }, command)
    const known = state.files.get(path)
    if (!known) continue
    if (known.hosts)
      for (const host of known.hosts)
        noteAct(
          run,
          state,
          { does: 'run', host, place: 'remote', why: `runs what came from ${host}` },
          command,
        )
    if (known.text !== undefined) output = runScript(run, known.text, state, null)
    else readPath(run, state, file, command)
  }
  return output
}

/** `type -P rm`, `which rm` print where the program is: its name is enough. */
function named(run: Run, argv: readonly Word[], state: ShellState): Flow {
  const names = argv.slice(1).filter(({ text }) => !text.startsWith('-'))
  // In cmd and PowerShell `type` shows a file; here no program has such a name.
  for (const path of names)
    if (isSecretFile(path.text))
      noteAct(
        run,
        state,
        { does: 'read', path, certain: false, why: 'shows it, in a shell of Windows' },
        undefined,
      )
  return { text: names.map(({ text }) => programPath(text)).join('\n') }
}

/** Of most programs the name is enough; ours is where it may not be changed. */
function programPath(name: string): string {
  return /^crosshook(?:-relay)?$/.test(name) ? `/usr/local/bin/${name}` : name
}

function completion(run: Run, argv: readonly Word[], state: ShellState): Flow {
  const at = argv.findIndex(({ text }) => text === '-C' || text === '-F')
  if (at !== -1 && argv[at + 1]) return runScript(run, argv[at + 1]!.text, subshell(state), null)
  const words = argv.findIndex(({ text }) => text === '-W')
  return words === -1 ? NOTHING : { text: argv[words + 1]?.text.split(/\s+/).join('\n') ?? '' }
}
