/** Every simple command that a shell line would run, however it is quoted, nested or wrapped. */

import type { Assignment, Command, For, Pipeline, Redirection, SyntaxNode, Word } from 'unbash'
import { looseWords } from './shell-loose.ts'
import { expandWord, type Scope, staticOutput } from './shell-word.ts'
import { innermost, unwrap } from './shell-wrappers.ts'

export interface SimpleCommand {
  /** Program and arguments, quotes removed. */
  words: string[]
  /** The words joined by one space. */
  text: string
}

export interface Shell {
  /** The commands of a line, each with and without what wraps it (`sudo`, `env`, `bash -c`…). */
  line(text: string): SimpleCommand[]
  /** The same for a command that is given as a list of words and goes through no shell. */
  argv(words: readonly string[]): SimpleCommand[]
}

type Parse = typeof import('unbash')

/** The parser is loaded on the first call. */
export async function loadShell(): Promise<Shell> {
  const unbash = await import('unbash')
  return {
    line: (text) => collect(unbash, (run) => readScript(run, text, newScope())),
    argv: (words) => collect(unbash, (run) => addCommand(run, [...words], newScope(), null)),
  }
}

const LONGEST_LINE = 500_000
const MOST_STEPS = 50_000
const DEEPEST_SCRIPT = 12
const DEEPEST_WRAPPER = 24
const LONGEST_VALUE = 10_000

interface Run {
  unbash: Parse
  found: Map<string, SimpleCommand>
  /** What may still be done for this line, so that no nesting of loops and functions takes long. */
  budget: { steps: number }
  depth: number
}

function collect(unbash: Parse, read: (run: Run) => void): SimpleCommand[] {
  const run: Run = { unbash, found: new Map(), budget: { steps: MOST_STEPS }, depth: 0 }
  read(run)
  return [...run.found.values()]
}

function newScope(): Scope {
  return { variables: new Map(), functions: new Map(), positional: [] }
}

/** What cannot be parsed, is too long or too deep is cut into words loosely: more may match, nothing hides. */
function readScript(run: Run, text: string, scope: Scope): void {
  if (text.trim() === '') return
  if (run.depth >= DEEPEST_SCRIPT || text.length > LONGEST_LINE) {
    readLoosely(run, text)
    return
  }
  try {
    const script = run.unbash.parse(text)
    visit({ ...run, depth: run.depth + 1 }, script, scope)
    if (script.errors?.length || run.budget.steps <= 0) readLoosely(run, text)
  } catch {
    // The parser promises a tree for any text; should it break that, the loose reading takes over.
    readLoosely(run, text)
  }
}

function readLoosely(run: Run, text: string): void {
  const unlimited = {
    ...run,
    depth: Math.max(run.depth + 1, DEEPEST_SCRIPT),
    budget: { steps: Number.POSITIVE_INFINITY },
  }
  for (const words of looseWords(text)) addCommand(unlimited, words, newScope(), null)
}

function visit(run: Run, node: SyntaxNode, scope: Scope): void {
  if (run.budget.steps-- <= 0) return
  switch (node.type) {
    case 'Command':
      visitCommand(run, node, scope, null)
      break
    case 'Pipeline':
      visitPipeline(run, node, scope)
      break
    case 'For':
      visitFor(run, node, scope)
      break
    case 'Function':
      scope.functions.set(node.name.value, node.body)
      visit(run, node.body, scope)
      break
    default:
      if ('errors' in node && node.errors?.length && 'source' in node && node.source)
        readLoosely(run, node.source)
      run.unbash.forEachChild(node, (child) => visit(run, child, scope))
  }
}

/** What a stage prints, if it is plain to see, is what the next one reads: `echo rm -rf / | sh`. */
function visitPipeline(run: Run, node: Pipeline, scope: Scope): void {
  let input: string | null = null
  for (const command of node.commands) {
    if (command.type === 'Command') {
      visitCommand(run, command, scope, input)
      input = staticOutput(command, scope, input)
    } else {
      visit(run, command, scope)
      input = null
    }
  }
}

const MOST_ROUNDS = 8

function visitFor(run: Run, node: For, scope: Scope): void {
  for (const word of node.wordlist ?? []) visit(run, word, scope)
  const values = (node.wordlist ?? []).flatMap((word) => expandWord(word, scope)).slice(0, MOST_ROUNDS)
  if (values.length === 0) visit(run, node.body, scope)
  for (const value of values) {
    scope.variables.set(node.name.value, value)
    visit(run, node.body, scope)
  }
}

function visitCommand(run: Run, node: Command, scope: Scope, piped: string | null): void {
  run.unbash.forEachChild(node, (child) => visit(run, child, scope))
  for (const item of [...node.prefix, ...node.suffix]) if (item.type === 'Assignment') remember(item, scope)
  let input = piped
  for (const redirection of node.redirects) input = inputOf(redirection, scope) ?? input
  const words = node.name ? expandWord(node.name, scope) : []
  for (const item of node.args)
    words.push(...(item.type === 'Assignment' ? [item.text] : expandWord(item, scope)))
  addCommand(run, words, scope, input)
  if (node.name?.parts) {
    // `r${x}m` runs rm when x is empty.
    const [bare, ...more] = expandWord(node.name, scope, 'empty')
    if (bare && bare !== words[0]) addCommand(run, [bare, ...more, ...words.slice(1)], scope, input)
  }
  const targets = node.redirects.flatMap((redirection) => redirectText(redirection, scope))
  if (targets.length > 0) add(run, [...words, ...targets])
  const body = words[0] === undefined ? undefined : scope.functions.get(words[0])
  if (body && run.depth < DEEPEST_SCRIPT)
    visit({ ...run, depth: run.depth + 1 }, body, { ...scope, positional: words })
}

function remember({ name, value }: Assignment, scope: Scope): void {
  if (value.type === 'ArrayValue') return
  const isStatic = !value.parts?.some(
    (part) => part.type === 'CommandExpansion' || part.type === 'ProcessSubstitution',
  )
  const text = expandWord(value, scope).join(' ')
  if (text.length < LONGEST_VALUE && (isStatic || !text.includes('$('))) scope.variables.set(name, text)
  else scope.variables.delete(name)
}

function inputOf(redirection: Redirection, scope: Scope): string | null {
  if (redirection.type === 'HereDoc') return redirection.body.text
  if (redirection.type === 'HereString' && redirection.target)
    return expandWord(redirection.target, scope).join(' ')
  return null
}

function redirectText(redirection: Redirection, scope: Scope): string[] {
  if (redirection.type !== 'Redirect' || !redirection.target) return []
  return [redirection.operator, ...expandWord(redirection.target as Word, scope)]
}

/** Notes a command, then what it starts in turn. */
function addCommand(run: Run, words: string[], scope: Scope, input: string | null): void {
  if (words.length === 0 || words[0] === '' || run.budget.steps-- <= 0) return
  add(run, words)
  const program = words[0]!
  const base = program.slice(program.lastIndexOf('/') + 1)
  const plain = base === program || base === '' ? words : [base, ...words.slice(1)]
  if (plain !== words) add(run, plain)
  if (run.depth >= DEEPEST_WRAPPER) {
    add(run, innermost(plain))
    return
  }
  const deeper = { ...run, depth: run.depth + 1 }
  for (const inner of unwrap(plain, input)) {
    if ('script' in inner)
      readScript(deeper, inner.script, { ...newScope(), ...inner.scope, functions: scope.functions })
    else addCommand(deeper, inner.words, scope, inner.input ?? null)
  }
}

function add(run: Run, words: string[]): void {
  const text = words.join(' ')
  if (text === '' || run.found.has(text)) return
  run.found.set(text, { words, text })
  run.budget.steps -= text.length >> 6
}
