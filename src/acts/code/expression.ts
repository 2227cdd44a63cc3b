/** Reads expressions token by token, and notes the calls in them. */

import type { Effect, Language } from '../program.ts'
import { called } from './called.ts'
import { CALLS, type Value } from './calls.ts'
import { type Token, tokenize } from './tokens.ts'
import { formatted, isPath, isPathValue, joined, type Text } from './values.ts'

export const MAX_DEPTH = 40

/** One expression by itself, with what is known here; what it calls is not noted. */
export function evaluated(scan: Scan, code: string, effects: Effect[] = []): Value {
  if (scan.depth > 8) return null
  const { tokens } = tokenize(code, scan.language)
  const depth = scan.depth + 1
  return expression({ ...scan, tokens, at: 0, effects, values: new Map(scan.values), depth })
}

export interface Scan {
  tokens: readonly Token[]
  at: number
  language: Language
  /** Names that imports gave to modules and functions. */
  names: Map<string, string>
  /** Variables that hold a literal. */
  values: Map<string, Value>
  effects: Effect[]
  depth: number
  /** It takes some of what it lists only. */
  picks: boolean
  /** It makes archives. */
  packs: boolean
  /** Where it went with `chdir`. */
  folder?: string
}

/** Reads one expression and notes the calls in it. */
export function expression(scan: Scan): Value {
  if (scan.depth > MAX_DEPTH) {
    scan.at++
    return null
  }
  scan.depth++
  let value = term(scan)
  for (;;) {
    const sign = signAt(scan)
    if (sign === '.' && scan.language === 'lua' && isSign(scan, 1, '.')) scan.at++
    if (
      sign === '+' ||
      (sign === '.' && /^(?:php|perl|lua)$/.test(scan.language)) ||
      (sign === '/' && isPath(value))
    ) {
      scan.at++
      const right = term(scan)
      value = joined(value, right, sign === '/' ? '/' : '')
    } else if (sign === '%' && value && 'text' in value) {
      scan.at++
      value = formatted(value, /%[-\d.]*[a-z]/g, term(scan))
    } else break
  }
  scan.depth--
  return value
}

/** What stands in a text for a value: `{x}`, `${x}`, `#{x}`, `$x`. */
function filled(scan: Scan, token: Extract<Token, { kind: 'text' }>): Text {
  if (!token.isUnknown) return { text: token.text }
  const result: Text = { text: '' }
  result.text = token.text.replace(
    SLOTS[scan.language] ?? /(?!)/g,
    (slot, braced?: string, bare?: string) => {
      const value = evaluated(scan, braced?.replace(/(?:![rsa])?(?::[^:()[\]]*)?$/, '') ?? bare ?? '')
      const found: Value = value && 'items' in value && value.items.length === 1 ? value.items[0]! : value
      if (!found || 'items' in found || found.isUnknown) {
        result.isUnknown = true
        return slot
      }
      if (found.isGlob) result.isGlob = true
      return found.text
    },
  )
  return result
}

const SLOTS: { [Each in Language]?: RegExp } = {
  python: /\{([^{}]+)\}/g,
  javascript: /\$\{([^{}]+)\}/g,
  ruby: /#\{([^{}]+)\}/g,
  perl: /\$\{(\w+)\}|(\$\w+)/g,
  php: /\{(\$[^{}]+)\}|(\$\w+)/g,
}

function term(scan: Scan): Value {
  const token = scan.tokens[scan.at]
  if (!token) return null
  if (token.kind === 'text') {
    scan.at++
    let value: Text = filled(scan, token)
    if (token.isCommand)
      scan.effects.push({ script: { text: value.text, ...(value.isUnknown && { unknown: true }) } })
    // Adjacent literals are one.
    while (scan.tokens[scan.at]?.kind === 'text' && scan.language === 'python') {
      value = joined(value, filled(scan, scan.tokens[scan.at++] as typeof token), '') as Text
    }
    return postfix(scan, value, '*')
  }
  if (token.kind === 'name') return named(scan)
  if (token.kind === 'number') {
    scan.at++
    return { text: token.text }
  }
  const sign = signAt(scan)
  // ruby: a symbol
  const symbol = scan.tokens[scan.at + 1]
  if (sign === ':' && symbol?.kind === 'name' && scan.language === 'ruby') {
    scan.at += 2
    return { text: symbol.name }
  }
  if (sign === '[' || sign === '(') {
    scan.at++
    const items = list(scan, sign === '[' ? ']' : ')')
    const value: Value = sign === '(' && items.length === 1 ? (items[0] ?? null) : { items }
    return postfix(scan, value, '*')
  }
  // perl: $ENV{HOME} (home-folder.ts)
  if (sign === '~' && scan.language === 'perl') {
    scan.at++
    return { text: '~' }
  }
  if (sign === '*') {
    scan.at++
    return term(scan)
  }
  if (sign === '{' || sign === '\\' || sign === '!' || sign === '&' || sign === '-') scan.at++
  return null
}

function signAt({ tokens, at }: Scan): string | undefined {
  const token = tokens[at]
  return token?.kind === 'sign' ? token.sign : undefined
}

/** Values up to the closing sign. */
function list(scan: Scan, close: string): Value[] {
  const items: Value[] = []
  while (scan.at < scan.tokens.length && items.length < 500) {
    const token = scan.tokens[scan.at]!
    if (token.kind === 'line') {
      scan.at++
      continue
    }
    const sign = signAt(scan)
    if (sign === close) {
      scan.at++
      break
    }
    if (sign === ',') {
      scan.at++
      continue
    }
    const before = scan.at
    items.push(expression(scan))
    if (scan.at === before) scan.at++
  }
  return items
}

const SYNTAX =
  /^(?:import|from|as|if|else|elif|for|in|while|return|const|let|var|new|await|async|def|function|with|try|except|finally|catch|print|puts|my|our|local|use|and|or|not|yield|lambda|then|do|end|unless|begin|rescue|echo|typeof|void|delete|throw|raise)$/

/** A dotted name, and the call that may follow. */
function named(scan: Scan): Value {
  const first = scan.tokens[scan.at++] as { name: string }
  if (SYNTAX.test(first.name)) return null
  const held = scan.values.get(first.name)
  if (held && signAt(scan) === '.' && !scan.names.has(first.name) && !takesDots(scan.language))
    return postfix(scan, held, isPathValue(held) ? 'Path' : '*')
  let name = scan.names.get(first.name) ?? first.name
  // globalThis.x, builtins.x
  while (/^(?:globalThis|global|window|builtins|__builtins__)$/.test(name) && signAt(scan) === '.') {
    const next = scan.tokens[scan.at + 1]
    if (next?.kind !== 'name') break
    name = next.name
    scan.at += 2
  }
  for (;;) {
    const isArrow =
      signAt(scan) === '-' &&
      scan.tokens[scan.at + 1]?.kind === 'sign' &&
      (scan.tokens[scan.at + 1] as { sign: string }).sign === '>'
    const next = scan.tokens[scan.at + (isArrow ? 2 : 1)]
    if ((isArrow || (signAt(scan) === '.' && !joinsByDot(scan.language))) && next?.kind === 'name') {
      name += `.${next.name}`
      scan.at += isArrow ? 3 : 2
    } else break
  }
  const adds = (signAt(scan) === '+' || signAt(scan) === '.') && isSign(scan, 1, '=')
  if (adds) scan.at++
  if (signAt(scan) === '=' && !isSign(scan, 1, '=') && !isSign(scan, 1, '>')) {
    scan.at++
    const from = scan.at
    const right = expression(scan)
    const value = adds ? joined(scan.values.get(first.name) ?? null, right, '') : right
    if (value) scan.values.set(first.name, value)
    else {
      scan.values.delete(first.name)
      const held = dotted(scan.tokens.slice(from, scan.at))
      if (held !== undefined) scan.names.set(first.name, scan.names.get(held) ?? held)
    }
    return value
  }
  if (/^(?:(?:process|Bun|import\.meta)\.env\.HOME|Dir\.home)$/.test(name) && signAt(scan) !== '(')
    return postfix(scan, { text: '~' }, '*')
  return postfix(scan, scan.values.get(name) ?? null, name)
}

/** In php and perl a dot joins two texts. */
function takesDots(language: Language): boolean {
  return language === 'php' || language === 'perl' || language === 'lua'
}

/** There it is nothing else. */
function joinsByDot(language: Language): boolean {
  return language === 'php' || language === 'perl'
}

/** `read = Bun.file`: another name for a function. */
function dotted(tokens: readonly Token[]): string | undefined {
  const isName = tokens.every((token, at) =>
    at % 2 === 0 ? token.kind === 'name' : token.kind === 'sign' && token.sign === '.',
  )
  return isName && tokens.length >= 3 && tokens.length % 2 === 1
    ? tokens.map((token) => (token.kind === 'name' ? token.name : '.')).join('')
    : undefined
}

function isSign({ tokens, at }: Scan, offset: number, sign: string): boolean {
  const token = tokens[at + offset]
  return token?.kind === 'sign' && token.sign === sign
}

/** Calls, indexes and methods behind a value. `name` is what it is called, `*` for a value without a name. */
function postfix(scan: Scan, start: Value, start_name: string): Value {
  let value = start
  let name = start_name
  for (let round = 0; round < 20; round++) {
    const sign = signAt(scan)
    const next = scan.tokens[scan.at]
    if (sign === '(') {
      scan.at++
      const args = list(scan, ')')
      ;({ value, name } = called(scan, name, args, value))
    } else if (
      name !== '*' &&
      (next?.kind === 'text' || (next?.kind === 'name' && !SYNTAX_AFTER.test(next.name))) &&
      takesBareArguments(scan.language) &&
      (name === 'glob' || CALLS.some(([test]) => test.test(name)))
    ) {
      // perl and ruby: system "rm -rf /"
      const args: Value[] = []
      while (
        scan.at < scan.tokens.length &&
        scan.tokens[scan.at]!.kind !== 'line' &&
        signAt(scan) !== ';' &&
        signAt(scan) !== '}'
      ) {
        const before = scan.at
        if (signAt(scan) === ',') scan.at++
        else args.push(expression(scan))
        if (scan.at === before) scan.at++
      }
      ;({ value, name } = called(scan, name, args, value))
    } else if (sign === '[' && isSign(scan, 1, ':') && isSign(scan, 2, ':') && isSign(scan, 3, '-')) {
      // python: a text backwards
      scan.at += 4
      list(scan, ']')
      if (value && 'text' in value) value = { ...value, text: [...value.text].reverse().join('') }
    } else if (sign === '[') {
      scan.at++
      const [index] = list(scan, ']')
      const key = index && 'text' in index ? index.text : undefined
      if (name === 'Dir' && key !== undefined) {
        value = { items: [{ text: key, isGlob: true }] }
        name = '*'
      } else if (
        key === 'HOME' &&
        /^(?:process\.env|Bun\.env|os\.environ|ENV|\$_SERVER|\$_ENV)$/.test(name)
      ) {
        value = { text: '~' }
        name = '*'
      } else if (!value && name !== '*' && key !== undefined && /^[A-Za-z_]\w*$/.test(key)) name += `.${key}`
      else if (value && 'items' in value)
        value = value.items[Number((index && 'text' in index && index.text) || 0)] ?? null
    } else if (sign === '.' && !joinsByDot(scan.language) && scan.tokens[scan.at + 1]?.kind === 'name') {
      const method = (scan.tokens[scan.at + 1] as { name: string }).name
      scan.at += 2
      // A module (`require('fs')`) keeps its name; of a value only its kind is known.
      const owner = value ? (name.startsWith('Path') || isPathValue(value) ? 'Path' : '*') : name
      name = `${owner}.${method}`
    } else break
  }
  return value
}

/** Words that do not begin an argument. */
const SYNTAX_AFTER = /^(?:if|unless|while|until|for|foreach|or|and|do|then|x|eq|ne|as|in|rescue)$/

function takesBareArguments(language: Language): boolean {
  return language === 'perl' || language === 'ruby' || language === 'php'
}
