/** Parses JavaScript literals: no names, no calls, no expressions. */

export interface Literal {
  value: unknown
  /** Where it ends. */
  end: number
}

/** Values within values. */
const MAX_DEPTH = 32

/** Undefined where something has to be computed. */
export function literalAt(text: string, start: number, depth = 0): Literal | undefined {
  const at = afterSpace(text, start)
  const first = text[at]
  if (first === '"' || first === "'" || first === '`') return stringAt(text, at, first)
  if (depth < MAX_DEPTH && first === '{') return objectAt(text, at + 1, depth + 1)
  if (depth < MAX_DEPTH && first === '[') return arrayAt(text, at + 1, depth + 1)
  const word = matchAt(WORD, text, at)
  return word === undefined ? undefined : { value: JSON.parse(word), end: at + word.length }
}

const SPACE = /(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/y
const WORD = /(?:true|false|null|-?\d+(?:\.\d+)?)(?![\w$.])/y
const KEY = /[A-Za-z_$][\w$]*/y

export function afterSpace(text: string, at: number): number {
  return at + (matchAt(SPACE, text, at)?.length ?? 0)
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  '\n': '',
}

function stringAt(text: string, start: number, quote: string): Literal | undefined {
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    const letter = text[at]!
    if (letter === quote) return { value, end: at + 1 }
    if (quote === '`' && letter === '$' && text[at + 1] === '{') return undefined
    if (quote !== '`' && letter === '\n') return undefined
    if (letter !== '\\') {
      value += letter
      continue
    }
    const escaped = text[++at] ?? ''
    const code = matchAt(/u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}/y, text, at)
    if (code === undefined) value += ESCAPES[escaped] ?? escaped
    else {
      const number = Number.parseInt(code.replace(/[ux{}]/g, ''), 16)
      if (number > 0x10ffff) return undefined
      value += String.fromCodePoint(number)
      at += code.length - 1
    }
  }
  return undefined
}

function objectAt(text: string, start: number, depth: number): Literal | undefined {
  const value: Record<string, unknown> = {}
  for (let at = afterSpace(text, start); ; ) {
    if (text[at] === '}') return { value, end: at + 1 }
    const quoted = text[at] === '"' || text[at] === "'" ? stringAt(text, at, text[at]!) : undefined
    const plain = quoted ? undefined : matchAt(KEY, text, at)
    const name = quoted ? String(quoted.value) : plain
    if (name === undefined) return undefined
    at = afterSpace(text, quoted?.end ?? at + name.length)
    if (text[at] !== ':') return undefined
    const item = literalAt(text, at + 1, depth)
    if (!item) return undefined
    Object.defineProperty(value, name, {
      value: item.value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
    at = afterSpace(text, item.end)
    if (text[at] === ',') at = afterSpace(text, at + 1)
    else if (text[at] !== '}') return undefined
  }
}

function arrayAt(text: string, start: number, depth: number): Literal | undefined {
  const value: unknown[] = []
  for (let at = afterSpace(text, start); ; ) {
    if (text[at] === ']') return { value, end: at + 1 }
    const item = literalAt(text, at, depth)
    if (!item) return undefined
    value.push(item.value)
    at = afterSpace(text, item.end)
    if (text[at] === ',') at = afterSpace(text, at + 1)
    else if (text[at] !== ']') return undefined
  }
}
