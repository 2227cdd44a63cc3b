/** From a command to its acts: reads it by its row, resolves its paths, follows what it starts. */

import type { Act, Does, Place } from '../spec/act.ts'
import { guardChange } from '../spec/guard-commands.ts'
import { scanCode } from './code/scan.ts'
import { atMost, cutShort } from './cut.ts'
import { effectsOf, isInert } from './effects.ts'
import { holdsGuards, holdsGuardsNamed } from './guard-places.ts'
import { heldBelow, mayNameKey } from './held.ts'
import { hostOf, isMetadataHost, localPath } from './hosts.ts'
import { absolute, type Located, locate, normal } from './locate.ts'
import { placesOf } from './places.ts'
import type { Call, Effect, Language, Program } from './program.ts'
import { readCall } from './read-argv.ts'
import { isSecretFile } from './secret-files.ts'
import { builtin } from './shell/builtins.ts'
import { execute, runScript } from './shell/execute.ts'
import { hasPattern } from './shell/pattern.ts'
import { isPrinted, printed } from './shell/prints.ts'
import type { Redirected } from './shell/redirects.ts'
import { DEEPEST, note, noteForkBomb, noteUnknown, type Run, short, spend } from './shell/run.ts'
import { mergeFlows, NOTHING, type ShellState, subshell } from './shell/state.ts'
import { variableEffects } from './variables.ts'
import type { Below, Flow, Word } from './word.ts'

export interface Given {
  input: Flow | null
  env: ReadonlyMap<string, Word>
  redirected?: Redirected
  /** The words are a guess: an unset variable taken as empty, a line that does not parse. */
  isGuess?: boolean
  /** Functions and aliases do not count (`command`). */
  isProgram?: boolean
}

/** Follows one command; gives what it prints. */
export function runArgv(run: Run, argv: readonly Word[], state: ShellState, given: Given): Flow {
  const [first] = argv
  if (!first || !spend(run, 2)) return {}
  if (run.depth >= DEEPEST) {
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
      MOST_MATCHES,
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
const MOST_MATCHES = 40

export interface Command {
  /** Base name of the program. */
  name: string
  argv: readonly Word[]
  text: string
  isGuess: boolean
}

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
  act(run, state, { does: 'run', path: { text: path } }, command)
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

function startProgram(run: Run, command: Command, state: ShellState, given: Given): Flow {
  const [first, ...args] = command.argv
  const row = rowOf(run, command.name) ?? (isPrinted(command.name) ? NO_ROW : undefined)
  const path = first!.text.includes('/') && !row ? { path: first! } : {}
  act(run, state, { does: 'run', ...path }, command)
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
    // `=x git push`: no assignment, but perhaps meant as one.
    if (/^\w*=/.test(command.name) && args.length > 0 && !command.isGuess)
      return runArgv(run, args, state, { ...given, isGuess: true })
    effects.push(...secretArguments(args), ...startsOurs(args))
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

const NO_ROW: Program = {}

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

/** What a program that nobody knows is given to read: a file of secrets it may print. */
function secretArguments(args: readonly Word[]): Effect[] {
  return args
    .filter(({ text }) => !text.startsWith('-') && !/[\s:]/.test(text) && isSecretFile(text))
    .map((path) => ({ does: 'read', path, certain: false, why: 'a program that is not known may show it' }))
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

function outputOf(
  run: Run,
  state: ShellState,
  call: Call,
  { output, read, hosts }: { output: Flow; read: Flow; hosts: readonly string[] },
): Flow {
  const { row } = call
  if (isInert(call)) return {}
  const text = row.prints?.(call) ?? printed(call, { cwd: state.cwd, world: run.world, read })
  const sources = row.hides ? NOTHING : mergeFlows(withoutText(call.input), withoutText(read))
  const found = foundBy(run, state, call)
  const spoken = PRINTS_ITS_WORDS.has(call.name) ? flowsOf(call.args) : NOTHING
  const nested = [output, spoken].reduce(
    (all, each) => (each === NOTHING ? all : mergeFlows(all, each)),
    sources,
  )
  const isDecoded =
    text === undefined && (row.decodes === true || (row.decodes !== undefined && call.given(row.decodes)))
  const flow: Flow = {
    ...nested,
    ...(hosts.length > 0 && row.fetches && { hosts: [...(nested.hosts ?? []), ...hosts] }),
    ...(isDecoded && { decoded: true }),
    ...(found && { found }),
    ...((row.searches || LISTS_PROCESSES.has(call.name)) &&
      call.args.some((word) => /crosshook/i.test(word.text)) && { ours: true }),
  }
  if (text !== undefined) {
    const partly =
      call.input?.partly || (read.text !== undefined && read.partly) || call.args.some((word) => word.unknown)
    return { ...flow, text, ...(partly && { partly }) }
  }
  if (output !== NOTHING && output.text !== undefined && !row.hides) return { ...flow, text: output.text }
  const listed = row.lists?.(call)
  if (listed !== undefined) return { ...flow, text: listed, partly: true }
  const { text: _, ...unknown } = flow
  return unknown
}

/** Files whose names it prints, or lets pass: a filter only where the pattern may name one of our keys. */
function foundBy(run: Run, state: ShellState, call: Call): readonly Below[] | undefined {
  const own = call.row.finds?.(call).map(({ folder, ...rest }) => ({
    ...rest,
    folder: absolute(run.world, folder, state.cwd) ?? folder,
  }))
  const passed = call.input?.found
  if (!passed || call.row.hides) return own
  const [pattern] = call.row.searches ? call.operands : []
  return pattern && !call.given('-v --invert-match') && !mayNameKey(pattern.text) ? [] : passed
}

const LISTS_PROCESSES: ReadonlySet<string> = new Set(['pgrep', 'pidof', 'ps', 'lsof', 'fuser'])

const PRINTS_ITS_WORDS: ReadonlySet<string> = new Set(['echo', 'printf'])

/** Where the words of a command come from: `x=$(curl …); echo "$x"`. */
function flowsOf(words: readonly Word[]): Flow {
  return words.reduce((all, { flow }) => (flow ? mergeFlows(all, withoutText(flow)) : all), NOTHING)
}

function withoutText(flow: Flow | null): Flow {
  if (!flow) return NOTHING
  const { text: _, ...rest } = flow
  return rest
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

interface Applied {
  output: Flow
  /** What it read from files. */
  read: Flow
  hosts: string[]
}

/** Carries out the effects of a command: notes acts, follows what is started. */
export function apply(
  run: Run,
  outer: ShellState,
  effects: readonly Effect[],
  command: Command,
  row: Program,
  given: Given,
): Applied {
  const result: Applied = { output: NOTHING, read: NOTHING, hosts: [] }
  let state = outer
  for (const effect of effects)
    if ('cwd' in effect && Object.keys(effect).length === 1) {
      const folder = folderOf(run, state, effect.cwd)
      state = { ...state, cwd: folder }
    }
  const isSent = effects.some((effect) => 'does' in effect && effect.does === 'send')
  const add = (flow: Flow) => {
    result.output = result.output === NOTHING ? flow : mergeFlows(result.output, flow)
  }
  const written: string[] = []
  for (const effect of effects) {
    if (!spend(run, 1)) break
    if ('does' in effect) {
      const host =
        effect.host === undefined
          ? undefined
          : typeof effect.host === 'string'
            ? { text: effect.host }
            : effect.host
      const local = host && localPath(host.text)
      if (local !== undefined) {
        result.read = mergeFlows(result.read, readPath(run, state, { ...host, text: local }, command))
        continue
      }
      if (effect.does === 'read' && effect.path !== undefined) {
        const path = typeof effect.path === 'string' ? { text: effect.path } : effect.path
        if (path.flow) noteHeld(run, state, effect, path, command)
        const flow = path.flow ?? readPath(run, state, path, command, effect)
        result.read = result.read === NOTHING ? flow : mergeFlows(result.read, flow)
        continue
      }
      if (effect.does === 'read' && effect.place === 'environment')
        result.read = mergeFlows(result.read, { environment: true })
      if (effect.does === 'write' && effect.path !== undefined) {
        const path = typeof effect.path === 'string' ? { text: effect.path } : effect.path
        written.push(...writePath(run, state, path, command, effect))
        continue
      }
      if (host) {
        const name = hostOf(host.text)
        if (name !== undefined) result.hosts.push(name)
      }
      const sentTo = effect.does === 'send' && host === undefined ? hostsOf(effects)[0] : undefined
      act(run, state, sentTo === undefined ? effect : { ...effect, host: sentTo }, command)
    } else if ('takes' in effect) {
      const { takes, ...rest } = effect
      noteHeld(run, state, { ...rest, does: 'read', recursive: true }, takes, command)
    } else if ('guards' in effect) {
      noteGuards(run, state, effect, command)
    } else if ('argv' in effect) {
      const inner = nested(state, command, effect.elsewhere)
      if (effect.cwd) inner.cwd = folderOf(run, inner, effect.cwd)
      const env = new Map<string, Word>(given.env)
      for (const each of effect.env ?? []) {
        const [, name = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(each.text) ?? []
        env.set(name, { ...each, text: value })
      }
      add(
        runArgv(run, effect.argv, inner, {
          input: effect.input === undefined ? given.input : effect.input,
          env,
          isProgram: true,
          ...(given.redirected && { redirected: given.redirected }),
          ...(command.isGuess && { isGuess: true }),
        }),
      )
    } else if ('script' in effect) {
      const inner = nested(state, command, effect.elsewhere)
      if (effect.cwd) inner.cwd = folderOf(run, inner, effect.cwd)
      for (const [name, value] of given.env) inner.variables.set(name, value)
      add(runText(run, inner, 'shell', effect.script, effect.args, command, given.input, true))
    } else if ('code' in effect) {
      add(runText(run, state, effect.code, effect.text, [], command, given.input))
    } else if ('file' in effect) {
      add(runFile(run, state, effect, command, given))
    } else if ('made' in effect) {
      for (const { path } of locatePaths(run, state, effect.made, 'run')) {
        const flow = heldAt(run, state, path)
        if (flow?.hosts) remoteCode(run, state, flow, command)
      }
    } else if ('unpacks' in effect) {
      unpack(run, state, effect, given.input)
    } else if ('from' in effect) {
      for (const to of locatePaths(run, state, effect.to, 'write'))
        for (const from of effect.host === undefined
          ? locatePaths(run, state, effect.from, 'read')
          : [{ path: effect.from.text }]) {
          const flow =
            effect.host === undefined
              ? (state.files.get(from.path) ?? { paths: [from.path] })
              : { hosts: [effect.host] }
          const inside = `${to.path.replace(/\/$/, '')}/${from.path.split('/').at(-1)}`
          state.files.set(to.path, flow)
          state.files.set(inside, flow)
          if (effect.link) {
            const isFolder = state.elsewhere === undefined && run.world.disk?.isFolder(to.path) === true
            state.links.set(isFolder ? inside : to.path, from.path)
          }
        }
    }
  }
  if (isSent) noteSent(run, state, mergeFlows(withoutText(given.input), result.read), result.hosts, command)
  if (row.fetches && result.hosts.length > 0)
    for (const path of written) state.files.set(path, { hosts: result.hosts })
  else if (!row.copies && written.length > 0 && given.input && !effects.some((effect) => 'from' in effect))
    // tee: what is read on the input is what is written.
    for (const path of written) if (!state.files.has(path)) state.files.set(path, given.input)
  return result
}

/** What an archive holds comes from where the archive came from. */
function unpack(
  run: Run,
  state: ShellState,
  { unpacks, into }: Extract<Effect, { unpacks: Word | null }>,
  input: Flow | null,
): void {
  const archives = unpacks
    ? locatePaths(run, state, unpacks, 'read').map(({ path }) => state.files.get(path))
    : [input]
  const hosts = archives.flatMap((flow) => flow?.hosts ?? [])
  if (hosts.length > 0)
    for (const { path } of locatePaths(run, state, into, 'run'))
      state.files.set(`${path.replace(/\/$/, '')}/`, { hosts })
}

/** What this line wrote to a path, or unpacked there: of what was there before nothing is said. */
function heldAt(run: Run, state: ShellState, path: string): Flow | undefined {
  const own = state.files.get(path)
  if (own || !path.startsWith('/')) return own
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const unpacked = state.files.get(path.slice(0, at + 1))
    if (unpacked) return run.world.disk?.realpath(path) === undefined ? unpacked : undefined
  }
  return undefined
}

function hostsOf(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    if (!('does' in effect) || effect.host === undefined) return []
    const found = hostOf(typeof effect.host === 'string' ? effect.host : effect.host.text)
    return found === undefined ? [] : [found]
  })
}

/** What leaves the machine: the files that were read, the environment. */
function noteSent(run: Run, state: ShellState, flow: Flow, hosts: readonly string[], command: Command): void {
  const host = hosts[0]
  for (const path of flow.paths ?? [])
    act(
      run,
      state,
      { does: 'send', path, ...(host !== undefined && { host }), why: 'the content of the file leaves' },
      command,
    )
  if (flow.environment)
    act(
      run,
      state,
      {
        does: 'send',
        place: 'environment',
        ...(host !== undefined && { host }),
        why: 'the environment leaves',
      },
      command,
    )
}

function nested(state: ShellState, command: Command, elsewhere: string | undefined): ShellState {
  const inner = subshell(state)
  inner.through = [...state.through, command.name]
  if (elsewhere !== undefined) {
    inner.elsewhere = elsewhere
    inner.cwd = null
  }
  return inner
}

/** Text that is run: followed when it is known, noted when it is not. */
function runText(
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
    if (flow?.hosts) return {}
    if (flow?.decoded) act(run, state, { does: 'run', place: 'decoded', why: 'decoded text is run' }, command)
    else if (flow?.paths?.length)
      for (const path of flow.paths) act(run, state, { does: 'run', path }, command)
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

function remoteCode(run: Run, state: ShellState, flow: Flow, command: Command): void {
  for (const host of flow.hosts ?? [])
    act(run, state, { does: 'run', host, place: 'remote', why: `runs what came from ${host}` }, command)
}

/** Scripts of frameworks that stand in every project, and are started by an interpreter. */
const SCRIPTS = /^(?:artisan|manage\.py|rails|rake)$/

function runFile(
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
    act(run, state, { does: 'run', path: file }, command)
    // A shell shows the lines of a file that is no script.
    if (language === 'shell' && places.includes('secret'))
      act(run, state, { does: 'read', path: file }, command)
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

export function descriptor(text: string, state: ShellState): Flow | undefined {
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(text)?.[1]
  return number === undefined ? undefined : state.descriptors.get(Number(number))
}

export function asWord(flow: Flow, spelled: string): Word {
  if (flow.text === undefined) return { text: `$(${spelled})`, unknown: true, flow }
  return { text: flow.text, flow, ...(flow.partly && { unknown: true }) }
}

function folderOf(run: Run, state: ShellState, folder: Word): string | null {
  const [found] = locatePaths(run, state, folder, 'run')
  return found && !found.isUnknown ? found.path : null
}

export function locatePaths(
  run: Run,
  state: ShellState,
  path: Word,
  does: Does,
  recursive = false,
): Located[] {
  return locate(run.world, throughLinks(run, state, path), {
    cwd: state.cwd,
    does,
    recursive,
    isElsewhere: state.elsewhere !== undefined,
    dotglob: state.dotglob,
    shell: state,
  })
}

/** A link that this line made is not on the disk yet. */
function throughLinks(run: Run, state: ShellState, path: Word): Word {
  if (state.links.size === 0 || path.unknown) return path
  const raw = absolute(run.world, path.text, state.cwd)
  if (raw === null) return path
  let text = normal(raw)
  for (let hops = 0; hops < 8; hops++) {
    const link = [...state.links.keys()].find((each) => text === each || text.startsWith(`${each}/`))
    if (link === undefined) break
    text = state.links.get(link)! + text.slice(link.length)
  }
  return text === normal(raw) ? path : { ...path, text }
}

interface ActEffect {
  does: Does
  path?: Word | string
  host?: Word | string
  place?: Place
  why?: string
  certain?: boolean
  recursive?: boolean
  without?: readonly string[]
  search?: boolean
  gentle?: boolean
}

/** Notes an act, once for each path that it is about. */
export function noteAct(
  run: Run,
  state: ShellState,
  effect: ActEffect,
  command: Command | undefined,
): Located[] {
  const { does, why } = effect
  const hostText =
    effect.host === undefined ? undefined : typeof effect.host === 'string' ? effect.host : effect.host.text
  const host = hostText === undefined ? undefined : (hostOf(hostText) ?? hostText)
  const base: Act = {
    does,
    ...(host !== undefined && { host }),
    ...(command && { program: command.name, command: short(command.text) }),
    certain: effect.certain !== false && does !== 'unknown' && command?.isGuess !== true,
    ...(why !== undefined && { why }),
    ...(state.through.length > 0 && { through: [...state.through] }),
    ...(effect.place !== undefined && { places: [effect.place] }),
    ...(effect.recursive && { recursive: true }),
  }
  if (effect.path === undefined) {
    note(run, base)
    derive(run, base)
    return []
  }
  const path = typeof effect.path === 'string' ? { text: effect.path } : effect.path
  // Looking at the disk is what costs most.
  if (!spend(run, path.glob ? 200 : 20)) return []
  const found = locatePaths(run, state, path, does, effect.recursive)
  if (does === 'read' || does === 'send') noteHeld(run, state, effect, path, command)
  if (does === 'write' || does === 'delete') noteFoundGuards(run, state, path, command)
  for (const each of found) {
    const own = effect.gentle ? withoutTop(each.places) : each.places
    const places = [...(effect.place === undefined ? [] : [effect.place]), ...own]
    const known = state.files.get(each.path)
    if (does === 'read' || does === 'send')
      for (const origin of known?.paths ?? [])
        places.push(
          ...locate(
            run.world,
            { text: origin },
            { cwd: state.cwd, does, recursive: false, isElsewhere: false, dotglob: false },
          ).flatMap((other) => other.places.filter((place) => place === 'secret')),
        )
    const act: Act = {
      ...base,
      path: each.path,
      ...(path.text !== each.path && { spelled: short(path.text) }),
      certain: base.certain && !each.isUnknown && !each.isGuess,
      ...(places.length > 0 && { places: [...new Set(places)] }),
    }
    note(run, act)
    derive(run, act)
  }
  return found
}

const act = noteAct

/** The project stays what it is. */
function withoutTop(places: readonly Place[]): readonly Place[] {
  return places.includes('project') ? places.filter((place) => place !== 'root') : places
}

/** What a search lists is written or deleted: `find ~ -name HOOK.md | xargs rm`. */
function noteFoundGuards(run: Run, state: ShellState, path: Word, command: Command | undefined): void {
  if (state.elsewhere !== undefined) return
  for (const { folder, name } of [...(path.below ?? []), ...(path.flow?.found ?? [])]) {
    const raw = absolute(run.world, folder, state.cwd)
    if (raw === null) continue
    const top = normal(raw)
    if (name === undefined ? !holdsGuards(run.world, top) : !holdsGuardsNamed(run.world, top, name)) continue
    note(run, {
      does: 'change_guards',
      path: top,
      ...(command && { program: command.name, command: short(command.text) }),
      certain: name !== undefined && !/[*?[]/.test(name) && command?.isGuess !== true,
      why: 'changes what a search finds, and files that guard are among it',
      ...(state.through.length > 0 && { through: [...state.through] }),
      places: ['guard'],
    })
  }
}

/** Keys of ours and secrets of the home folder that go along when everything below a folder is read. */
function noteHeld(
  run: Run,
  state: ShellState,
  effect: ActEffect,
  path: Word,
  command: Command | undefined,
): void {
  if (effect.search || state.elsewhere !== undefined) return
  const wholes: Below[] = [
    ...(path.below ?? []),
    ...(path.flow?.found ?? []),
    ...(effect.recursive && !path.unknown ? [{ folder: path.text }] : []),
  ]
  for (const { folder, name } of wholes) {
    const raw = absolute(run.world, folder, state.cwd)
    if (raw === null) continue
    const isPattern = path.glob === true && folder === path.text && hasPattern(folder)
    const real = isPattern ? undefined : run.world.disk?.realpath(raw)
    const held = heldBelow(run.world, {
      path: real ?? normal(raw),
      glob: isPattern,
      dotglob: state.dotglob,
      ...(name !== undefined && { name }),
      ...(effect.without && { without: effect.without }),
    })
    for (const each of held) {
      const found: Act = {
        does: effect.does,
        path: each,
        spelled: short(path.text),
        ...(command && { program: command.name, command: short(command.text) }),
        certain: command?.isGuess !== true,
        why: 'it lies below what is read as a whole',
        ...(state.through.length > 0 && { through: [...state.through] }),
        places: [...new Set<Place>([...placesOf(run.world, each), 'secret'])],
      }
      note(run, found)
      derive(run, found)
    }
  }
}

/** Mounted over, linked to, handed to another program: where the guards are, that changes them. */
function noteGuards(
  run: Run,
  state: ShellState,
  { guards: word, why, certain }: Extract<Effect, { guards: Word }>,
  command: Command,
): void {
  if (state.elsewhere !== undefined || word.text === '') return
  for (const { path, isUnknown, isGuess, places } of locatePaths(run, state, word, 'run'))
    if (isUnknown ? places.includes('guard') : holdsGuards(run.world, path))
      note(run, {
        does: 'change_guards',
        path,
        ...(word.text !== path && { spelled: short(word.text) }),
        program: command.name,
        command: short(command.text),
        certain: certain !== false && !isUnknown && !isGuess && !command.isGuess,
        why,
        ...(state.through.length > 0 && { through: [...state.through] }),
        places: ['guard'],
      })
}

/** Acts that follow from others: reading a secret reveals it, writing where the guards live changes them. */
function derive(run: Run, act: Act): void {
  const { does, places = [] } = act
  if (
    (does === 'read' || does === 'send') &&
    (places.includes('secret') || (does === 'read' && places.includes('environment')))
  )
    note(run, { ...act, does: 'reveal_secret' })
  if (does === 'connect' && act.host !== undefined && isMetadataHost(act.host))
    note(run, {
      ...act,
      does: 'reveal_secret',
      places: ['secret'],
      why: 'the address that gives out the keys of the cloud account',
    })
  if (
    (does === 'write' || does === 'delete' || (does === 'connect' && act.path !== undefined)) &&
    places.includes('guard')
  )
    note(run, { ...act, does: 'change_guards' })
}

/** Notes that a path is read; gives what is in it. */
export function readPath(
  run: Run,
  state: ShellState,
  path: Word,
  command: Command | undefined,
  effect: Omit<ActEffect, 'does'> = {},
): Flow {
  const open = descriptor(path.text, state)
  if (open) return open
  let flow: Flow = NOTHING
  const found = noteAct(run, state, { ...effect, does: 'read', path }, command)
  for (const { path: each } of found) flow = mergeFlows(flow, state.files.get(each) ?? { paths: [each] })
  if (effect.place === 'environment') flow = mergeFlows(flow, { environment: true })
  return flow === NOTHING ? {} : flow
}

/** Notes that a path is written; gives the paths. */
export function writePath(
  run: Run,
  state: ShellState,
  path: Word,
  command: Command | undefined,
  effect: Omit<ActEffect, 'does'> = {},
): string[] {
  return noteAct(run, state, { ...effect, does: 'write', path }, command).map((each) => each.path)
}

export function commandText(argv: readonly Word[]): string {
  return argv.map(({ text }) => text).join(' ')
}

export function programName(text: string): string {
  const base = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).replace(/\r$/, '')
  return /\.(?:exe|cmd|bat|com)$/i.test(base) ? base.slice(0, -4).toLowerCase() : base
}

function quoted({ text }: Word): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
