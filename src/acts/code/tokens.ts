/** Code of any language as strings, names and signs. Comments are dropped; nothing is understood beyond that. */

export type Token =
  | { kind: 'text'; text: string; isUnknown?: boolean; isCommand?: boolean }
  | { kind: 'name'; name: string }
  | { kind: 'number'; text: string }
  | { kind: 'sign'; sign: string }
  | { kind: 'line' }

import type { Language } from '../program.ts'

const MAX_TOKENS = 60_000

/** Expressions inside of expressions inside of texts. */
const MAX_INSIDE = 3

/** What stands in texts (`${…}`, `#{…}`, f'{…}') follows all other code, as words that are given to a function. */
export function tokenize(code: string, language: Language, depth = 0): { tokens: Token[]; isCut: boolean } {
  const inside: string[] = []
  const found = tokensOf(code, language, inside)
  if (inside.length === 0 || depth >= MAX_INSIDE) return found
  for (const each of inside) {
    if (found.tokens.length >= MAX_TOKENS) return { ...found, isCut: true }
    const inner = tokenize(each, language, depth + 1)
    found.tokens.push({ kind: 'line' }, { kind: 'name', name: 'String' }, { kind: 'sign', sign: '(' })
    for (const token of inner.tokens) found.tokens.push(token)
    found.tokens.push({ kind: 'sign', sign: ')' }, { kind: 'line' })
    found.isCut ||= inner.isCut
  }
  return found
}

function tokensOf(code: string, language: Language, inside: string[]): { tokens: Token[]; isCut: boolean } {
  const tokens: Token[] = []
  const hashes = language !== 'javascript' && language !== 'lua' && language !== 'sql' && language !== 'vim'
  const slashes = language === 'javascript' || language === 'php' || language === 'other'
  const names =
    language === 'perl' || language === 'php'
      ? /[$@%]?[A-Za-z_][\w:]*/y
      : /[$@]?[A-Za-z_][\w]*(?:::\w+)*[!?]?/y
  let at = 0
  while (at < code.length) {
    if (tokens.length >= MAX_TOKENS) return { tokens, isCut: true }
    const char = code[at]!
    if (char === '\n') {
      tokens.push({ kind: 'line' })
      at++
    } else if (char <= ' ') at++
    else if (char === '#' && hashes && !(language === 'perl' && code[at - 1] === '$')) at = lineEnd(code, at)
    else if (char === '/' && slashes && code[at + 1] === '/') at = lineEnd(code, at)
    else if (char === '/' && slashes && code[at + 1] === '*') {
      const end = code.indexOf('*/', at + 2)
      at = end === -1 ? code.length : end + 2
    } else if (char === '-' && code[at + 1] === '-' && (language === 'lua' || language === 'sql'))
      at = lineEnd(code, at)
    else if (
      char === '%' &&
      language === 'ruby' &&
      PERCENT.test(code.slice(at, at + 3)) &&
      !endsValue(tokens)
    ) {
      const kind = /^%[a-zA-Z]?/.exec(code.slice(at, at + 2))![0]
      const quoted = quoteWord(code, at + kind.length, kind, language)
      tokens.push(quoted?.token ?? { kind: 'sign', sign: char })
      at = quoted?.end ?? at + 1
    } else if (char === '$' && code[at + 1] === '`' && language === 'javascript') {
      // Bun.$`rm -rf /`, and zx
      const found = readText(code, at + 1, language, tokens, inside)
      tokens.push({ ...found.token, isCommand: true })
      at = found.end
    } else if (char === '"' || char === "'" || char === '`') {
      const found = readText(code, at, language, tokens, inside)
      tokens.push(found.token)
      at = found.end
    } else if (/[A-Za-z_$@%]/.test(char)) {
      names.lastIndex = at
      const name = names.exec(code)?.[0]
      if (name === undefined || name === '') {
        tokens.push({ kind: 'sign', sign: char })
        at++
        continue
      }
      at += name.length
      const quoted = quoteWord(code, at, name, language)
      if (quoted) {
        tokens.push(quoted.token)
        at = quoted.end
      } else tokens.push({ kind: 'name', name })
    } else if (/[0-9]/.test(char)) {
      const number = /^[0-9][\w.]*/.exec(code.slice(at, at + 40))![0]
      tokens.push({ kind: 'number', text: number })
      at += number.length
    } else {
      tokens.push({ kind: 'sign', sign: char })
      at++
    }
  }
  return { tokens, isCut: false }
}

/** `%x(`, `%w[`, `%(`. */
const PERCENT = /^%(?:[xqQwWi][^\w\s]|[({[<|])/

/** What stands before is a value: a percent sign is an operator there. */
function endsValue(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)
  return (
    last?.kind === 'text' || last?.kind === 'number' || (last?.kind === 'sign' && /[)\]}]/.test(last.sign))
  )
}

function lineEnd(code: string, at: number): number {
  const end = code.indexOf('\n', at)
  return end === -1 ? code.length : end
}

function readText(
  code: string,
  start: number,
  language: Language,
  tokens: Token[],
  inside: string[],
): { token: Extract<Token, { kind: 'text' }>; end: number } {
  const quote = code[start]!
  const long = language === 'python' && code.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote
  let at = start + long.length
  let text = ''
  let isUnknown = false
  const prefix = language === 'python' && /[a-z]/i.test(code[start - 1] ?? '') ? prefixOf(tokens) : ''
  const isRaw = prefix.includes('r')
  const isFormat = prefix.includes('f')
  if (prefix !== '') tokens.pop()
  const expands =
    (quote === '`' && language === 'javascript') ||
    (quote === '"' && (language === 'ruby' || language === 'perl' || language === 'php')) ||
    isFormat
  while (at < code.length && !code.startsWith(long, at)) {
    const char = code[at]!
    if (char === '\\' && !isRaw && at + 1 < code.length) {
      const escaped = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|[ux]\{([0-9a-fA-F]+)\}|([0-7]{2,3}))/.exec(
        code.slice(at, at + 12),
      )
      if (escaped && !(quote === "'" && (language === 'perl' || language === 'ruby' || language === 'php'))) {
        const [whole, hex, short, long4, octal] = escaped
        text += String.fromCodePoint(
          Math.min(
            0x10ffff,
            octal ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? short ?? long4 ?? '0', 16),
          ),
        )
        at += whole.length
      } else {
        const next = code[at + 1]!
        text +=
          next === 'n' && quote !== "'"
            ? '\n'
            : next === 't' && quote !== "'"
              ? '\t'
              : next === '\n'
                ? ''
                : next
        at += 2
      }
    } else {
      if (
        expands &&
        (char === '$' ||
          (char === '#' && code[at + 1] === '{') ||
          (isFormat && char === '{') ||
          (char === '@' && language === 'perl'))
      ) {
        isUnknown = true
        const end = language === 'perl' || language === 'php' ? -1 : expressionEnd(code, at)
        if (end !== -1) {
          inside.push(code.slice(code.indexOf('{', at) + 1, end))
          text += code.slice(at, end + 1)
          at = end + 1
          continue
        }
      }
      text += char
      at++
    }
  }
  const isCommand = quote === '`' && (language === 'perl' || language === 'ruby' || language === 'php')
  return {
    token: { kind: 'text', text, ...(isUnknown && { isUnknown }), ...(isCommand && { isCommand }) },
    end: at + long.length,
  }
}

/** Where the bracket closes that opens at a `${`, `#{` or `{`; -1 for what calls nothing. */
function expressionEnd(code: string, start: number): number {
  const open = code[start] === '{' ? start : start + 1
  if (code[open] !== '{' || code[open + 1] === '{') return -1
  let depth = 0
  const last = Math.min(code.length, open + MAX_EXPRESSION_CHARS)
  for (let at = open; at < last; at++) {
    if (code[at] === '{') depth++
    else if (code[at] === '}' && --depth === 0) return /[(`]/.test(code.slice(open, at)) ? at : -1
  }
  return -1
}

const MAX_EXPRESSION_CHARS = 500

/** `f"…"`, `rb'…'`: the letters before the quote were read as a name. */
function prefixOf(tokens: readonly Token[]): string {
  const last = tokens.at(-1)
  return last?.kind === 'name' && /^[rbfuRBFU]{1,2}$/.test(last.name) ? last.name.toLowerCase() : ''
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']', '<': '>' }

/** `qx(…)`, `q{…}`, `%x(…)`, `%w[…]`: quotes that begin with a word. */
function quoteWord(
  code: string,
  at: number,
  name: string,
  language: Language,
): { token: Token; end: number } | undefined {
  const kind =
    language === 'perl'
      ? /^(qx|qq|q|qw)$/.exec(name)?.[1]
      : language === 'ruby'
        ? /^%(x|q|Q|w|W|)$/.exec(name)?.[1]
        : undefined
  if (kind === undefined) return undefined
  const open = /^\s*([^\w\s,;=.)])/.exec(code.slice(at, at + 4))
  if (!open) return undefined
  const from = at + open[0].length
  const end = code.indexOf(PAIRS[open[1]!] ?? open[1]!, from)
  if (end === -1) return undefined
  const text = code.slice(from, end)
  return { token: { kind: 'text', text, ...(kind.endsWith('x') && { isCommand: true }) }, end: end + 1 }
}
