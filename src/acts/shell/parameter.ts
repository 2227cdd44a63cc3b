/** `$x`, `${x:-y}`, `${x%y}`, `${x[@]}`…: the value of a variable, where the line tells it. */

import type { ParameterExpansionPart, ParameterOperation } from 'unbash'
import { cutShort } from '../cut.ts'
import type { Word } from '../word.ts'
import { runScript } from './execute.ts'
import { type Expansion, expandText, expandWord } from './expand.ts'
import { type Run, spend } from './followed-call.ts'
import { shellPattern } from './shell-pattern.ts'
import { assign, resolveName, type ShellState, type Value } from './state.ts'

export function simple(run: Run, name: string, state: ShellState): Expansion {
  if (name === '@' || name === '*')
    return { words: state.positional.slice(1), isSeveral: true, ...(name === '*' && { isJoined: true }) }
  const value = lookup(run, name, state)
  return value ? { words: [value] } : unset(`$${name}`)
}

export function parameter(run: Run, part: ParameterExpansionPart, state: ShellState): Expansion {
  const { prefix, operation } = part
  followHidden(run, part, state)
  let name = part.parameter
  if (prefix === '!') {
    if (operation?.type === 'Names') {
      const names = [...state.variables.keys()].filter((each) => each.startsWith(name))
      return { words: names.map((text) => ({ text })), isSeveral: true }
    }
    const reference = state.references.get(name)
    const target = reference === undefined ? lookup(run, name, state) : { text: reference }
    if (!target || target.unknown) return { words: [{ text: part.text, unknown: true }] }
    name = target.text
  }
  const index =
    part.index === undefined ? /\[(.*)\]$/.exec(name)?.[1] : expandText(run, part.index, state).text
  const base = name.replace(/\[.*\]$/, '')
  if (base === '@' || base === '*' || index === '@' || index === '*') {
    const all = base === '@' || base === '*' ? state.positional.slice(1) : items(run, base, state)
    if (prefix === '#') return { words: [{ text: String(all.length) }] }
    if (all === null) return { words: [{ text: part.text, unknown: true }] }
    if (operation?.type === 'Slice') {
      const [from, length] = bounds(run, operation, state)
      if (from === null) return { words: all, isSeveral: true }
      const offset = base === '@' || base === '*' ? Math.max(0, from - 1) : from
      return { words: all.slice(offset, length === null ? undefined : offset + length), isSeveral: true }
    }
    const changed = operation
      ? all.map((word) => operate(run, word, operation, state, part.text).words[0] ?? { text: '' })
      : all
    const isJoined = base === '*' || index === '*'
    return { words: changed, isSeveral: true, ...(isJoined && { isJoined }) }
  }
  const value = index === undefined ? lookup(run, base, state) : item(run, base, index, state)
  if (prefix === '#')
    return {
      words: [
        value && !value.unknown ? { text: String(value.text.length) } : { text: part.text, unknown: true },
      ],
    }
  if (!operation) return value ? { words: [value] } : unset(part.text)
  if (operation.type === 'Default') return withDefault(run, base, value, operation, state, part.text)
  if (!value) return unset(part.text)
  return operate(run, value, operation, state, part.text)
}

/** A variable that the line does not set may be set by the environment, or be empty. */
function unset(spelled: string): Expansion {
  return { words: [{ text: spelled, unknown: true }], isUnset: true }
}

export function lookup(run: Run, name: string, state: ShellState): Value | undefined {
  const target = resolveName(state, name)
  const [, base, index] = /^(\w+)\[(.*)\]$/.exec(target) ?? []
  if (base !== undefined) return item(run, base, index!, state)
  const known = state.variables.get(target)
  if (known) return known
  if (/^[0-9]+$/.test(target)) {
    const at = Number(target)
    if (at === 0 && state.positional.length === 0) return { text: 'bash' }
    return state.positional[at] ?? { text: '' }
  }
  switch (target) {
    case '@':
    case '*':
      return {
        text: state.positional
          .slice(1)
          .map(({ text }) => text)
          .join(' '),
      }
    case '#':
      return { text: String(Math.max(0, state.positional.length - 1)) }
    case 'IFS':
      return { text: ' \t\n' }
    case 'PWD':
      return state.cwd === null ? undefined : { text: state.cwd }
    case 'OLDPWD':
      return state.folders.at(-1) === undefined ? undefined : { text: state.folders.at(-1)! }
    case '-':
    case '?':
    case '$':
    case '!':
    case '_':
      return { text: `$${target}`, unknown: true }
    default: {
      if (state.elsewhere !== undefined) return undefined
      const variable = run.world.variables[target]
      return variable === undefined ? undefined : { text: variable }
    }
  }
}

function items(run: Run, name: string, state: ShellState): Word[] {
  const value = lookup(run, name, state)
  if (!value) return []
  return value.items ? [...value.items.values()] : [value]
}

function item(run: Run, name: string, index: string, state: ShellState): Value | undefined {
  const value = lookup(run, name, state)
  if (!value) return undefined
  if (!value.items) return index === '0' ? value : undefined
  if (value.items.has(index)) return value.items.get(index)
  const computed = state.variables.get(index)?.text
  if (computed !== undefined && value.items.has(computed)) return value.items.get(computed)
  if (/^-\d+$/.test(index)) return [...value.items.values()].at(Number(index))
  return undefined
}

function withDefault(
  run: Run,
  name: string,
  value: Value | undefined,
  { operator, operand }: Extract<ParameterOperation, { type: 'Default' }>,
  state: ShellState,
  spelled: string,
): Expansion {
  const isSet = value !== undefined && !value.isUnset && (operator.length === 1 || value.text !== '')
  const other = () => expandWord(run, operand, state)
  switch (operator.at(-1)) {
    case '+':
      return isSet
        ? { words: other() }
        : value
          ? { words: [] }
          : { words: other().map((word) => ({ ...word, unknown: true })), isUnset: true }
    case '?':
      return isSet ? { words: [value] } : unset(spelled)
    case '=': {
      if (isSet) return { words: [value] }
      const words = other()
      assign(state, name, words[0] ?? { text: '' })
      return { words }
    }
    default:
      return { words: isSet ? [value] : other() }
  }
}

/** Above this, patterns are not tried. */
const MAX_CHARS_FOR_PATTERNS = 1_000

/** Patterns are tried from each character. */
function isTooLong(text: string): boolean {
  if (text.length <= MAX_CHARS_FOR_PATTERNS) return false
  cutShort(`a value of more than ${MAX_CHARS_FOR_PATTERNS} characters is changed by a pattern`)
  return true
}

function operate(
  run: Run,
  value: Word,
  operation: ParameterOperation,
  state: ShellState,
  spelled: string,
): Expansion {
  const lost: Expansion = {
    words: [{ text: spelled, unknown: true, ...(value.flow && { flow: value.flow }) }],
  }
  if (value.unknown) return lost
  const { text } = value
  const answer = (changed: string): Expansion => ({ words: [{ ...value, text: changed }] })
  switch (operation.type) {
    case 'Slice': {
      const [from, length] = bounds(run, operation, state)
      if (from === null) return lost
      const start = from < 0 ? Math.max(0, text.length + from) : from
      const end = length === null ? text.length : length < 0 ? text.length + length : start + length
      return answer(text.slice(start, end))
    }
    case 'CaseModification': {
      const change = (part: string) =>
        operation.operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase()
      return answer(operation.operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1))
    }
    case 'Remove': {
      if (isTooLong(text) || !spend(run, 1 + (text.length >> 2))) return lost
      return answer(remove(text, operation.operator, expandText(run, operation.operand, state).text))
    }
    case 'Replace': {
      const pattern = expandText(run, operation.pattern, state).text
      if ((isPattern(pattern) && isTooLong(text)) || !spend(run, 1 + (text.length >> 1))) return lost
      const replacement = expandText(run, operation.replacement, state).text
      return answer(replace(text, operation.operator, pattern, replacement))
    }
    case 'Transform': {
      const kind = operation.operand.value
      if (kind === 'U') return answer(text.toUpperCase())
      if (kind === 'L') return answer(text.toLowerCase())
      if (kind === 'u') return answer(text.slice(0, 1).toUpperCase() + text.slice(1))
      if (kind === 'P') {
        runScript(run, `: "${text.replaceAll('"', '\\"')}"`, state, null)
        return lost
      }
      return kind === 'E' || kind === 'Q' ? answer(text) : lost
    }
    default:
      return lost
  }
}

function bounds(
  run: Run,
  { offset, length }: Extract<ParameterOperation, { type: 'Slice' }>,
  state: ShellState,
): [number | null, number | null] {
  const value = (word: typeof offset) => {
    const { text, unknown } = expandText(run, word, state)
    const name = /^[A-Za-z_]\w*$/.test(text) ? state.variables.get(text)?.text : text
    const found =
      unknown || name === undefined ? Number.NaN : Number(name.replace(/^\s*\(?\s*|\s*\)?\s*$/g, '') || 0)
    return Number.isInteger(found) ? found : null
  }
  return [value(offset), length === undefined ? null : value(length)]
}

function remove(text: string, operator: string, pattern: string): string {
  const matches = shellPattern(pattern)
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length)
  const order = operator.length === 2 ? lengths.reverse() : lengths
  if (operator.startsWith('#')) {
    const length = order.find((each) => matches(text.slice(0, each)))
    return length === undefined ? text : text.slice(length)
  }
  const length = order.find((each) => matches(text.slice(text.length - each)))
  return length === undefined ? text : text.slice(0, text.length - length)
}

function isPattern(text: string): boolean {
  return /[*?[\\]/.test(text)
}

function replace(text: string, operator: string, pattern: string, replacement: string): string {
  if (pattern === '') return text
  if (!isPattern(pattern)) {
    if (operator === '//') return text.replaceAll(pattern, () => replacement)
    if (operator === '/#') return text.startsWith(pattern) ? replacement + text.slice(pattern.length) : text
    if (operator === '/%') return text.endsWith(pattern) ? text.slice(0, -pattern.length) + replacement : text
    return text.replace(pattern, () => replacement)
  }
  const matches = shellPattern(pattern)
  let out = ''
  for (let at = 0; at < text.length; ) {
    let end = -1
    const longest = Math.min(text.length, at + 200)
    for (let to = longest; to > at && end === -1; to--) if (matches(text.slice(at, to))) end = to
    if (end === -1) out += text[at++]
    else {
      out += replacement
      at = end
      if (operator !== '//') return out + text.slice(at)
    }
  }
  return out
}

/** The parser ends `${x/$(rm /)/}` at the first slash, so what stands behind the name is read once more as words. */
function followHidden(run: Run, part: ParameterExpansionPart, state: ShellState): void {
  const kind = part.operation?.type
  if ((kind !== 'Replace' && kind !== 'Unknown') || !/[$<>]\(|`/.test(part.text)) return
  runScript(run, `: ${part.text.slice(part.parameterEnd - part.pos, -1)}`, state, null)
}
