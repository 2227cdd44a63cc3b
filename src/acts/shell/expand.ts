/** What the words of a line become: quotes removed, everything expanded that the line tells, the rest marked unknown. */

import type { DoubleQuotedChild, Word as ParsedWord, WordPart } from 'unbash'
import { cutShort } from '../cut.ts'
import type { Flow, Word } from '../word.ts'
import { evaluate } from './arithmetic.ts'
import { expandBraces } from './brace.ts'
import { runScript, substitute } from './execute.ts'
import { type Run, spend } from './followed-call.ts'
import { parameter, simple } from './parameter.ts'
import { mergeFlows, type ShellState, subshell } from './state.ts'

/** What an expansion gives: one text, or several words (`"$@"`). */
export type Expansion = {
  words: readonly Word[]
  isSeveral?: boolean
  isUnset?: boolean
  /** In quotes they are one word, with the first separator between them: `"$*"`. */
  isJoined?: boolean
}

/** Words that one expansion may become. */
const MAX_FIELDS = 4_096

export function expandWord(run: Run, word: ParsedWord, state: ShellState): Word[] {
  if (!spend(run, 1 + (word.text.length >> 10))) return [{ text: word.value, unknown: true }]
  const { parts } = word
  if (!parts) return [{ text: word.value }]
  if (parts.some(({ type }) => type === 'BraceExpansion' || type === 'ExtendedGlob')) {
    const texts = alternatives(word.text)
    if (texts.length > 1 || texts[0] !== word.text)
      return texts.flatMap((text) => {
        if (!spend(run, 1 + (text.length >> 5))) return []
        return reparse(run, text).flatMap((each) =>
          each.parts ? fields(run, each.parts, state) : [{ text: each.value }],
        )
      })
  }
  return fields(run, parts, state)
}

const MAX_ALTERNATIVES_CHARS = 2_000

/** `{a,b}`, and `@(a|b)` as if it were written so. */
function alternatives(text: string): string[] {
  if (text.length > MAX_ALTERNATIVES_CHARS) {
    cutShort(`a word with braces is longer than ${MAX_ALTERNATIVES_CHARS} characters`)
    return [text]
  }
  const plain = text.replace(/([@+*?])\(([^()]*)\)/g, (_, kind: string, list: string) => {
    const choices = list.split('|')
    if (kind === '?' || kind === '*') choices.push('')
    return choices.length === 1 ? choices[0]! : `{${choices.join(',')}}`
  })
  return expandBraces(plain).filter((each) => each !== '')
}

/** One text, as in an assignment or a here-string: no splitting. */
export function expandText(run: Run, word: ParsedWord, state: ShellState): Word {
  if (!word.parts) return { text: word.value }
  const builder = new Builder(' \t\n')
  for (const part of word.parts) addPart(run, part, state, builder, true)
  const [first = { text: '' }, ...more] = builder.done(true)
  return more.length === 0 ? first : { ...first, text: [first, ...more].map(({ text }) => text).join(' ') }
}

/** The text of a here-document. */
export function expandParts(run: Run, parts: readonly WordPart[], state: ShellState): Word {
  const builder = new Builder(' \t\n')
  for (const part of parts) addPart(run, part, state, builder, true)
  const [first = { text: '' }, ...more] = builder.done(true)
  return more.length === 0 ? first : { ...first, text: [first, ...more].map(({ text }) => text).join(' ') }
}

function fields(run: Run, parts: readonly WordPart[], state: ShellState): Word[] {
  const separator = state.variables.get('IFS')
  const builder = new Builder(separator && !separator.unknown ? separator.text : ' \t\n')
  for (const part of parts) addPart(run, part, state, builder, false)
  return builder.done(false)
}

function addPart(run: Run, part: WordPart, state: ShellState, builder: Builder, isText: boolean): void {
  switch (part.type) {
    case 'Literal':
      builder.literal(part.value, false)
      break
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      builder.literal(part.value, true)
      break
    case 'DoubleQuoted':
    case 'LocaleString':
      builder.literal('', true)
      for (const child of part.parts) addChild(run, child, state, builder)
      break
    case 'Glob':
      builder.literal(part.value, false)
      builder.glob()
      break
    case 'ExtendedGlob':
      // The choices are written as those of `case` are.
      if (/[$<>]\(|`/.test(part.text))
        runScript(run, `case x in ${part.text.slice(2)} ;; esac`, subshell(state), null)
      builder.literal(part.text, false)
      break
    case 'BraceExpansion':
      builder.literal(part.text, false)
      break
    case 'ProcessSubstitution': {
      const flow = part.script ? substitute(run, part.script, state) : {}
      builder.flow('/dev/fd/63', flow)
      break
    }
    default: {
      const expansion = expansionOf(run, part, state)
      if (isText) builder.quoted(expansion, part.text)
      else builder.split(expansion, part.text)
    }
  }
}

function addChild(run: Run, child: DoubleQuotedChild, state: ShellState, builder: Builder): void {
  if (child.type === 'Literal') builder.literal(child.value, true)
  else builder.quoted(expansionOf(run, child, state), child.text)
}

function expansionOf(
  run: Run,
  part: Exclude<WordPart, { type: 'Literal' | 'Glob' }>,
  state: ShellState,
): Expansion {
  switch (part.type) {
    case 'SimpleExpansion':
      return simple(run, part.text.slice(1), state)
    case 'ParameterExpansion':
      return parameter(run, part, state)
    case 'ArithmeticExpansion': {
      const value = part.expression ? evaluate(run, part.expression, state) : null
      return { words: [value === null ? { text: part.text, unknown: true } : { text: String(value) }] }
    }
    case 'CommandExpansion': {
      const flow = part.script
        ? substitute(run, part.script, state)
        : runScript(run, part.text.replace(/^\$\(|^`|\)$|`$/g, ''), state, null)
      return { words: [ofFlow(flow, part.text)] }
    }
    default:
      return { words: [{ text: part.text, unknown: true }] }
  }
}

export function ofFlow(flow: Flow, spelled: string): Word {
  const below = flow.found && { below: flow.found }
  if (flow.text === undefined) return { text: spelled, unknown: true, flow, ...below }
  const text = flow.text.replace(/\n+$/, '')
  if (flow.partly && !flow.isListing) return { text, unknown: true, flow, ...below }
  return flow.paths || flow.hosts || flow.decoded ? { text, flow, ...below } : { text, ...below }
}

function reparse(run: Run, text: string): ParsedWord[] {
  const [statement] = run.parser.parse(`: ${text}`).commands
  const command = statement?.command
  if (command?.type !== 'Command') return []
  return command.args.filter((arg) => arg.type === 'Word')
}

/** Puts words together from quoted and unquoted pieces. */
class Builder {
  private readonly fields: Word[] = []
  private text = ''
  /** The same word if every unset variable is empty. */
  private blank = ''
  private isWord = false
  private isUnknown = false
  private isGlob = false
  private isSpliced = false
  private source: Flow | undefined
  /** Of the one variable that is the whole word. */
  private others: readonly Word[] | undefined
  private below: Word['below']

  private readonly separators: string

  constructor(separators: string) {
    this.separators = separators
  }

  literal(text: string, isQuoted: boolean): void {
    this.text += text
    this.blank += text
    if (isQuoted || text !== '') this.isWord = true
  }

  glob(): void {
    this.isGlob = true
  }

  flow(text: string, flow: Flow): void {
    this.literal(text, true)
    this.source = this.source ? mergeFlows(this.source, flow) : flow
  }

  quoted(expansion: Expansion, spelled: string): void {
    // "$@" without arguments is no word at all, "$x" is an empty one.
    if (!expansion.isSeveral || expansion.words.length > 0) this.isWord = true
    expansion.words.forEach((word, index) => {
      if (index > 0 && expansion.isJoined) this.literal(this.separators.slice(0, 1), true)
      else if (index > 0) this.separate(true)
      this.append(word, expansion.isUnset === true, spelled)
    })
  }

  split(expansion: Expansion, spelled: string): void {
    expansion.words.forEach((word, index) => {
      if (index > 0) this.separate(false)
      if (word.unknown) {
        this.append(word, expansion.isUnset === true, spelled)
        return
      }
      if (/[*?[]/.test(word.text)) this.isGlob = true
      const pieces = splitFields(word.text, this.separators)
      pieces.forEach((piece, at) => {
        if (at > 0) this.separate(false)
        this.append({ ...word, text: piece }, false, spelled)
      })
    })
  }

  done(isText: boolean): Word[] {
    this.separate(isText)
    return this.fields
  }

  private append(word: Word, isUnset: boolean, spelled: string): void {
    this.text += word.text
    if (!isUnset) this.blank += word.text
    else this.isSpliced = true
    if (word.text !== '') this.isWord = true
    if (word.unknown) this.isUnknown = true
    if (word.glob) this.isGlob = true
    if (word.flow) this.source = this.source ? mergeFlows(this.source, word.flow) : word.flow
    if (word.below) this.below = word.below
    if (word.others && this.text === word.text) this.others = word.others
    void spelled
  }

  private separate(isKept: boolean): void {
    if (this.fields.length >= MAX_FIELDS) cutShort(`more than ${MAX_FIELDS} words of one expansion`)
    else if (this.isWord || isKept) {
      const { text, blank } = this
      // `$DIR/x` with an empty DIR is seldom meant; `.e${x}nv` always is.
      const isSplice = this.isSpliced && blank !== '' && !/^\$\{?\w+\}?(?:\/|$)/.test(text)
      this.fields.push({
        text,
        ...(this.isUnknown && { unknown: true }),
        ...(this.isGlob && { glob: true }),
        ...(this.source && { flow: this.source }),
        ...(isSplice && { blank }),
        ...(this.others && { others: this.others }),
        ...(this.below && { below: this.below }),
      })
    }
    this.text = ''
    this.blank = ''
    this.isWord = false
    this.isUnknown = false
    this.isGlob = false
    this.isSpliced = false
    this.source = undefined
    this.others = undefined
    this.below = undefined
  }
}

/** One space after another separates once; of other separators each one does. */
export function splitFields(text: string, separators: string): string[] {
  const found = [...separators].filter((each) => text.includes(each))
  if (found.length === 0) return [text]
  const pieces: string[] = []
  let start = 0
  for (let at = 0; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at)!)
    const next = at + char.length
    if (found.includes(char)) {
      const isRepeated = /\s/.test(char) && at === start && pieces.length > 0
      if (!isRepeated) pieces.push(text.slice(start, at))
      start = next
    }
    at = next
  }
  pieces.push(text.slice(start))
  return pieces
}
