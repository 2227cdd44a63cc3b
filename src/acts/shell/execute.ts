/** Follows a shell line node by node, as a shell would run it, taking every branch. */

import type {
  Command,
  CompoundList,
  ParsedScript,
  Word as ParsedWord,
  Pipeline,
  Script,
  Statement,
  SyntaxNode,
} from 'unbash'
import { atMost, beginning, cutShort } from '../cut.ts'
import { runArgv } from '../follow.ts'
import type { Given } from '../started-command.ts'
import type { Flow, Word } from '../word.ts'
import { evaluate } from './arithmetic.ts'
import { expandText, expandWord } from './expand.ts'
import {
  expectText,
  MAX_DEPTH,
  note,
  noteCommand,
  noteForkBomb,
  noteUnknown,
  type Run,
  short,
  spend,
} from './followed-call.ts'
import { looseWords } from './loose.ts'
import { readable } from './readable.ts'
import { otherReadings } from './readings.ts'
import { applyRedirects, writeOutput } from './redirects.ts'
import {
  array,
  assign,
  assignItem,
  keepOthers,
  mergeFlows,
  NOTHING,
  type ShellState,
  subshell,
  type Value,
} from './state.ts'

/** `:(){ :|:& };:` under any name. Names begin where no letter stands before, or a long word would be tried from each of its letters. */
const FORK_BOMB = /(?<![\w:.@-])([\w:.@-]+)\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&/

/** Rounds of a loop that are followed. */
const MAX_ROUNDS = 256
/** Loops over more values count numbers, which all behave alike: only the first few are followed. */
const FEW_VALUES = 16
const FEW_NUMBERS = 3

/** Follows a text as a script. What cannot be parsed is said, and cut into words loosely. */
export function runScript(run: Run, text: string, state: ShellState, input: Flow | null): Flow {
  if (text.trim() === '') return NOTHING
  if (run.depth >= MAX_DEPTH) {
    cutShort('too deep')
    return {}
  }
  if (text.includes('\0')) {
    // As an argument a text ends there; a shell that reads it as a script leaves the sign out.
    runScript(run, text.slice(0, text.indexOf('\0')), subshell(state), input)
    return runScript(run, text.replaceAll('\0', ''), state, input)
  }
  expectText(run, text)
  // Two pipes make a shell of a connection, whatever the order.
  if (
    /\bmkfifo\b|\bmknod\b/.test(text) &&
    /\b(?:nc|ncat|netcat|telnet|s_client)\b/.test(text) &&
    /\bsh\b/.test(text)
  )
    note(run, {
      does: 'run',
      certain: false,
      why: 'gives another machine a shell',
      places: ['remote'],
      command: short(text),
    })
  const followed = readable(text)
  if (!spend(run, 1 + (followed.length >> 9))) return {}
  run.depth++
  try {
    const script = run.parser.parse(followed)
    const error = script.errors?.[0]
    if (error) {
      noteUnknown(run, state, `not parsed at column ${error.pos + 1}`, text)
      // Other shells take it without the space: `:(){:|:&};:`
      if (FORK_BOMB.test(text)) noteForkBomb(run, 'a function that starts itself', text)
      runLoosely(run, followed, state)
    }
    return execute(run, script, state, input)
  } finally {
    run.depth--
  }
}

const MAX_LOOSE_COMMANDS = 2_000
const MAX_LOOSE_CHARS = 200_000

function runLoosely(run: Run, text: string, state: ShellState): void {
  const loose = looseWords(beginning(text, MAX_LOOSE_CHARS, 'a line that was not parsed'))
  for (const words of atMost(loose, MAX_LOOSE_COMMANDS, 'commands in a line that was not parsed'))
    runArgv(
      run,
      words.map((word) => ({ text: word })),
      subshell(state),
      { input: null, env: new Map(), isGuess: true },
    )
}

/** A command substitution: its own shell, and what it prints. */
export function substitute(run: Run, script: ParsedScript, state: ShellState): Flow {
  if (script.errors?.length) noteUnknown(run, state, 'a substitution was not parsed')
  const [statement] = script.commands
  const only = script.commands.length === 1 && statement ? statement.command : undefined
  if (only?.type === 'Command' && !only.name && only.prefix.length > 0 && only.redirects.length > 0) {
    // $(<file)
    const { input, targets } = applyRedirects(run, only.redirects, subshell(state), null)
    if (targets) noteCommand(run, targets)
    return input ?? NOTHING
  }
  return execute(run, script, subshell(state), state.input)
}

export function execute(run: Run, node: SyntaxNode, state: ShellState, input: Flow | null): Flow {
  if (!spend(run, 1)) return {}
  switch (node.type) {
    case 'Script':
    case 'CompoundList':
      return sequence(run, node, state, input)
    case 'Statement': {
      if (!node.background) return execute(run, node.command, state, input)
      run.parallel++
      const output = execute(run, node.command, subshell(state), input)
      run.parallel--
      return output
    }
    case 'AndOr':
      return branches(run, node.commands, state, input)
    case 'Pipeline':
      return pipeline(run, node, state, input)
    case 'Subshell':
      return execute(run, node.body, subshell(state), input)
    case 'BraceGroup':
      return execute(run, node.body, state, input)
    case 'Redirected': {
      const redirected = applyRedirects(run, node.redirects, state, input)
      const output = execute(run, node.command, redirected.state, redirected.input)
      return writeOutput(run, redirected, output)
    }
    case 'Function':
      // A pattern also holds for what is only defined.
      if (run.commands) execute(run, node.body, subshell(state), null)
      state.functions.set(node.name.value, node.body)
      return NOTHING
    case 'Coproc': {
      const output = execute(run, node.body, subshell(state), input)
      const number = 60 + state.descriptors.size
      state.descriptors.set(number, output)
      assignItem(state, node.name?.value ?? 'COPROC', '0', { text: String(number) })
      return NOTHING
    }
    case 'If':
      return branches(
        run,
        [
          node.clause,
          node.then,
          ...node.elif.flatMap((each) => [each.clause, each.then]),
          ...(node.else ? [node.else] : []),
        ],
        state,
        input,
      )
    case 'While':
      if (isEndless(node.clause, node.kind) && startsWithoutWaiting(node.body))
        noteForkBomb(run, 'a loop without an end starts jobs', `${node.kind} …`)
      return loop(run, [node.clause, node.body], state, input)
    case 'ArithmeticFor':
      if (!node.test && startsWithoutWaiting(node.body))
        noteForkBomb(run, 'a loop without an end starts jobs', 'for (( ; ; )) …')
      for (const each of [node.initialize, node.test, node.update]) if (each) evaluate(run, each, state)
      return execute(run, node.body, state, input)
    case 'For':
    case 'Select':
      return each(run, node.name.value, node.wordlist, node.body, state, input)
    case 'Case': {
      expandText(run, node.word, state)
      let output = NOTHING
      for (const item of node.items) {
        for (const pattern of item.pattern) expandText(run, pattern, state)
        const before = new Map(state.variables)
        output = mergeFlows(output, execute(run, item.body, state, input))
        keepOthers(state, before)
      }
      return output
    }
    case 'ArithmeticCommand':
      if (node.expression) evaluate(run, node.expression, state)
      return NOTHING
    case 'TestCommand':
      words(run, node, state)
      return NOTHING
    case 'Command':
      return command(run, node, state, input)
    default:
      return NOTHING
  }
}

function sequence(
  run: Run,
  node: Script | { commands: readonly SyntaxNode[] },
  state: ShellState,
  input: Flow | null,
): Flow {
  return all(run, node.commands, state, input)
}

function all(run: Run, nodes: readonly SyntaxNode[], state: ShellState, input: Flow | null): Flow {
  let output: Flow = NOTHING
  for (const node of nodes) {
    output = mergeFlows(output, execute(run, node, state, input))
    if (run.steps <= 0) break
  }
  return output
}

/** The first is run, each of the others may be. */
function branches(run: Run, nodes: readonly SyntaxNode[], state: ShellState, input: Flow | null): Flow {
  let output: Flow = NOTHING
  for (const [at, node] of nodes.entries()) {
    const before = at === 0 ? undefined : new Map(state.variables)
    output = mergeFlows(output, execute(run, node, state, input))
    if (before) keepOthers(state, before)
    if (run.steps <= 0) break
  }
  return output
}

function pipeline(run: Run, node: Pipeline, state: ShellState, input: Flow | null): Flow {
  if (node.commands.length === 1) return execute(run, node.commands[0]!, state, input)
  run.parallel++
  let flow = input
  node.commands.forEach((stage, at) => {
    const found = isSifted(stage, node.commands[at + 1]) ? new Set(run.found.keys()) : undefined
    flow = execute(run, stage, subshell(state), flow && { ...flow })
    if (!found) return
    // Only what the next stage lets through is seen.
    for (const [key, act] of run.found)
      if (!found.has(key) && act.places?.includes('environment')) run.found.delete(key)
    flow = {}
  })
  run.parallel--
  return flow ?? NOTHING
}

/** `env | grep PATH`: variables are looked for by a name that says nothing of a secret. */
function isSifted(stage: SyntaxNode, next: SyntaxNode | undefined): boolean {
  if (stage.type !== 'Command' || next?.type !== 'Command') return false
  if (!/^(?:env|printenv|set)$/.test(stage.name?.text ?? '') || stage.args.length > 0) return false
  const words = next.args.map((arg) => ('value' in arg ? String(arg.value) : '-v'))
  if (NAMES_ONLY.test([next.name?.text, ...words].join(' '))) return true
  if (!/^[efr]?grep$/.test(next.name?.text ?? '')) return false
  const patterns = words.filter((word) => !word.startsWith('-'))
  if (patterns.length !== 1 || words.some((word) => /^-(?:-|\w*[vfec])/.test(word))) return false
  return patterns[0]!.split(/\\?\|/).every((name) => /^\^?\w{3,}=?$/.test(name) && !MAY_BE_SECRET.test(name))
}

/** Of each variable its name, or only how many there are. */
const NAMES_ONLY =
  /^(?:cut (?:-d ?= -f ?1|-f ?1 -d ?=)|awk -F ?= \{\s*print \$1;?\s*\}|sed (?:-E )?s\/=\.\*\/\/|wc -l|[ef]?grep -c \S+)$/

const MAY_BE_SECRET =
  /key|token|secret|pass|pwd|auth|cred|api|private|dsn|conn|url|uri|cert|sign|aws|session/i

/** `while true`, `until false`, `while :`, `while [[ 1 ]]`. */
function isEndless(clause: CompoundList, kind: string): boolean {
  if (clause.commands.length !== 1) return false
  const [{ command: test }] = clause.commands as [Statement]
  if (test.type === 'TestCommand') return kind === 'while'
  if (test.type !== 'Command' || !test.name) return false
  const name = test.name.text.replace(/^.*\//, '')
  return kind === 'until' ? name === 'false' : name === 'true' || name === ':'
}

/** The last job that it starts in the background is not waited for, and nothing leaves the loop. */
function startsWithoutWaiting(body: CompoundList): boolean {
  let isOpen = false
  for (const statement of body.commands) {
    const { command: each } = statement as Statement
    const name = each.type === 'Command' ? each.name?.text : undefined
    if ((statement as Statement).background) isOpen = true
    else if (name === 'wait') isOpen = false
    else if (/^(?:break|exit|return|sleep|read)$/.test(name ?? '')) return false
  }
  return isOpen
}

/** `while read l` goes once through each line that is known, other loops once. */
function loop(run: Run, nodes: readonly SyntaxNode[], state: ShellState, input: Flow | null): Flow {
  let output: Flow = NOTHING
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = input?.text
    for (const node of nodes) output = mergeFlows(output, execute(run, node, state, input))
    if (!before || input?.text === before || !input?.text) return output
  }
  cutShort(`more than ${MAX_ROUNDS} rounds of a loop`)
  return output
}

function each(
  run: Run,
  name: string,
  wordlist: readonly ParsedWord[] | undefined,
  body: SyntaxNode,
  state: ShellState,
  input: Flow | null,
): Flow {
  const values = wordlist
    ? wordlist.flatMap((word) => expandWord(run, word, state))
    : state.positional.slice(1)
  let output: Flow = NOTHING
  for (const value of values.length === 0 ? [{ text: `$${name}`, unknown: true }] : rounds(values)) {
    assign(state, name, value)
    output = mergeFlows(output, execute(run, body, state, input))
  }
  return output
}

/** The values that are tried. */
function rounds(values: readonly Word[]): readonly Word[] {
  if (values.length <= FEW_VALUES) return values
  let numbers = 0
  const tried = values.filter(({ text }) => !/^\d+$/.test(text) || numbers++ < FEW_NUMBERS)
  return atMost(tried, MAX_ROUNDS, 'rounds of a loop')
}

/** Every word below a node, for what its substitutions run. */
function words(run: Run, node: SyntaxNode, state: ShellState): void {
  if (!spend(run, 1)) return
  if (node.type === 'Word') expandText(run, node, state)
  else run.parser.forEachChild(node, (child) => words(run, child, state))
}

function command(run: Run, node: Command, state: ShellState, input: Flow | null): Flow {
  // Before the words: `$(cat)` and `>(sh)` among them read what the command reads.
  const redirected = applyRedirects(run, node.redirects, state, input)
  state.input = redirected.input
  const argv: Word[] = node.name ? expandWord(run, node.name, state) : []
  const last = node.prefix.at(-1)
  const split =
    last?.type === 'Assignment' && node.name?.pos === last.end && node.name.text.startsWith('<(')
      ? { name: last.name, value: argv.shift()! }
      : undefined
  const isDeclaration = DECLARES.has(argv[0]?.text ?? '')
  // All words are expanded before anything is assigned: `declare A=1 B=$A` takes the old A.
  const declared: ShellState[] = []
  for (const item of node.args) {
    if (item.type === 'Word') argv.push(...expandWord(run, item, state))
    else if (isDeclaration) {
      const inner = subshell(state)
      const value = assigned(run, item, inner)
      declared.push(inner)
      argv.push({ text: `${item.name}=${value.text}`, ...(value.unknown && { unknown: true }) })
    } else argv.push(...reparsed(run, item.text, state))
  }
  if (declared.length > 0) {
    const before = new Map(state.variables)
    for (const { variables } of declared)
      for (const [name, value] of variables) if (value !== before.get(name)) state.variables.set(name, value)
  }
  const env = new Map<string, Word>()
  for (const item of node.prefix)
    if (item.type === 'Assignment') {
      const value = assigned(run, item, argv.length === 0 ? state : subshell(state))
      env.set(item.name, value)
    }
  // The parser cuts `A=<(…) program` behind the equals sign.
  if (split) env.set(split.name, split.value)
  if (argv.length === 0) {
    if (redirected.targets) noteCommand(run, redirected.targets)
    return writeOutput(run, redirected, NOTHING)
  }
  const given: Given = { input: redirected.input, env, redirected }
  const output = runArgv(run, argv, redirected.state, given)
  if (redirected.targets) noteCommand(run, [...argv.map(({ text }) => text), ...redirected.targets])
  if (run.commands) otherReadings(run, node, argv, subshell(redirected.state), given)
  if (argv[0]?.text === 'exec' && argv.length === 1)
    for (const [descriptor, flow] of redirected.state.descriptors) state.descriptors.set(descriptor, flow)
  return writeOutput(run, redirected, output)
}

/** Commands whose arguments may be assignments. */
const DECLARES: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'local', 'readonly'])

function reparsed(run: Run, text: string, state: ShellState): Word[] {
  const [statement] = run.parser.parse(`: \\${text}`).commands
  const parsed = statement?.command
  if (parsed?.type !== 'Command') return [{ text, unknown: /[$`]/.test(text) }]
  return parsed.args.flatMap((arg) =>
    arg.type === 'Word' ? expandWord(run, arg, state) : [{ text: arg.text }],
  )
}

type Assigned = Extract<Command['prefix'][number], { type: 'Assignment' }>

/** Sets the variable and gives its value. */
function assigned(run: Run, { name, value, append, index }: Assigned, state: ShellState): Value {
  if (value.type === 'ArrayValue') {
    const before = append
      ? (state.variables.get(name)?.items ?? new Map<string, Word>())
      : new Map<string, Word>()
    const items = new Map(before)
    let next = items.size
    for (const element of value.elements) {
      const [, key, rest] = /^\[([^\]]+)\]=([\s\S]*)$/.exec(element.text) ?? []
      if (key !== undefined) items.set(key, reparsed(run, rest!, state)[0] ?? { text: '' })
      else for (const word of expandWord(run, element, state)) items.set(String(next++), word)
    }
    const whole = array(items)
    state.variables.set(name, whole)
    return whole
  }
  // `x=*` is a star; only what is done with `$x` may make a pattern of it.
  const { glob: _, ...word } = expandText(run, value, state)
  if (index) {
    assignItem(state, name, expandText(run, index, state).text, word)
    return word
  }
  const before = append ? state.variables.get(name) : undefined
  const whole: Value = before
    ? {
        ...word,
        text: before.text + word.text,
        ...((before.unknown || word.unknown) && { unknown: true }),
      }
    : word
  assign(state, name, whole)
  return whole
}
