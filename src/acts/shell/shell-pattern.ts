/** Shell patterns (`*`, `?`, `[a-z]`), matched without backtracking over more than the last star. */

type Token =
  | { kind: 'char'; char: string }
  | { kind: 'any' }
  | { kind: 'star' }
  | { kind: 'set'; has: (char: string) => boolean }

export type ShellPattern = (text: string) => boolean

export function shellPattern(pattern: string, ignoreCase = false): ShellPattern {
  const tokens = tokenize(ignoreCase ? pattern.toLowerCase() : pattern)
  return (text) => matches(tokens, ignoreCase ? text.toLowerCase() : text)
}

function matches(tokens: readonly Token[], text: string): boolean {
  let at = 0
  let token = 0
  let star = -1
  let retry = 0
  while (at < text.length) {
    const next = tokens[token]
    if (next?.kind === 'star') {
      star = token++
      retry = at
    } else if (next && accepts(next, text[at]!)) {
      at++
      token++
    } else if (star !== -1) {
      token = star + 1
      at = ++retry
    } else return false
  }
  while (tokens[token]?.kind === 'star') token++
  return token === tokens.length
}

function accepts(token: Token, char: string): boolean {
  if (token.kind === 'char') return token.char === char
  if (token.kind === 'set') return token.has(char)
  return token.kind === 'any'
}

function tokenize(pattern: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
    } else if (char === '?') tokens.push({ kind: 'any' })
    else if (char === '\\' && at + 1 < pattern.length) tokens.push({ kind: 'char', char: pattern[++at]! })
    else if (char === '[') {
      const end = setEnd(pattern, at)
      if (end === -1) tokens.push({ kind: 'char', char })
      else {
        tokens.push({ kind: 'set', has: set(pattern.slice(at + 1, end)) })
        at = end
      }
    } else tokens.push({ kind: 'char', char })
  }
  return tokens
}

function setEnd(pattern: string, start: number): number {
  let at = start + 1
  if (pattern[at] === '!' || pattern[at] === '^') at++
  if (pattern[at] === ']') at++
  for (; at < pattern.length; at++) {
    if (pattern.startsWith('[:', at)) {
      const end = pattern.indexOf(':]', at)
      if (end !== -1) at = end + 1
    } else if (pattern[at] === ']') return at
  }
  return -1
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /[a-zA-Z]/,
  digit: /[0-9]/,
  alnum: /[a-zA-Z0-9]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /\s/,
  punct: /[!-/:-@[-`{-~]/,
  blank: /[ \t]/,
  print: /[ -~]/,
  graph: /[!-~]/,
}

function set(body: string): (char: string) => boolean {
  const isNegated = body.startsWith('!') || body.startsWith('^')
  const rest = isNegated ? body.slice(1) : body
  const tests: ((char: string) => boolean)[] = []
  for (let at = 0; at < rest.length; at++) {
    const named = /^\[:(\w+):\]/.exec(rest.slice(at, at + 12))
    if (named) {
      const known = CLASSES[named[1]!]
      tests.push((char) => known?.test(char) ?? true)
      at += named[0].length - 1
    } else if (rest[at + 1] === '-' && at + 2 < rest.length) {
      const [from, to] = [rest[at]!, rest[at + 2]!]
      tests.push((char) => char >= from && char <= to)
      at += 2
    } else {
      const only = rest[at]!
      tests.push((char) => char === only)
    }
  }
  return (char) => tests.some((test) => test(char)) !== isNegated
}

export function hasPattern(text: string): boolean {
  return /[*?[]/.test(text)
}
