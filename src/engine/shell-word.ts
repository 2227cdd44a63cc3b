/** What a word of a shell line becomes: quotes removed, braces and known variables expanded. */

import type { Command, SyntaxNode, Word, WordPart } from 'unbash'

/** What is known while a line is read. */
export interface Scope {
  variables: Map<string, string>
  functions: Map<string, SyntaxNode>
  /** `$0`, `$1`… */
  positional: readonly string[]
}

const MOST_FIELDS = 256

/** One word may become several (`{rm,-rf}`, `$IFS`) or none. `unknown` says what stands for an unknown variable. */
export function expandWord(word: Word, scope: Scope, unknown: 'text' | 'empty' = 'text'): string[] {
  if (!word.parts) return [word.value]
  const fields: string[] = []
  let current = ['']
  let holdsWord = false
  const append = (choices: readonly string[]) => {
    current = current.flatMap((start) => choices.map((choice) => start + choice)).slice(0, MOST_FIELDS)
  }
  const separate = () => {
    fields.push(...current.filter((field) => field !== '' || holdsWord))
    current = ['']
    holdsWord = false
  }
  const split = (value: string) => {
    const pieces = value.split(/[ \t\n]+/)
    pieces.forEach((piece, index) => {
      if (index > 0) separate()
      append([piece])
    })
  }
  for (const part of word.parts) {
    if (part.type === 'BraceExpansion') append(expandBrace(part.text))
    else if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
      holdsWord = true
      for (const child of part.parts) {
        if (isAll(child) && scope.positional.length > 1) {
          const values = scope.positional.slice(1)
          values.forEach((value, index) => {
            if (index > 0) separate()
            append([value])
            holdsWord = true
          })
        } else append([partText(child, scope, unknown)])
      }
    } else if (part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') {
      holdsWord = true
      append([part.value])
    } else if (part.type === 'Literal' || part.type === 'Glob') append([part.value])
    else split(partText(part, scope, unknown))
  }
  separate()
  return fields.slice(0, MOST_FIELDS)
}

/** What a command prints, when that can be told from the line alone. */
export function staticOutput(command: Command, scope: Scope, input: string | null): string | null {
  if (!command.name) return null
  const [program, ...args] = [command.name, ...command.args].flatMap((word) =>
    word.type === 'Assignment' ? [word.text] : expandWord(word, scope),
  )
  const base = program?.slice(program.lastIndexOf('/') + 1)
  if (base === 'echo') {
    const words = args.filter((arg, index) => !(index === 0 && /^-[neE]+$/.test(arg)))
    return args[0]?.includes('e') && words.length < args.length
      ? decodeEscapes(words.join(' '))
      : words.join(' ')
  }
  if (base === 'printf') return formatted(args[0] === '--' ? args.slice(1) : args)
  const here = command.redirects.find((redirection) => redirection.type !== 'Redirect')
  const text =
    here?.type === 'HereDoc'
      ? here.body.text
      : here?.type === 'HereString' && here.target
        ? expandWord(here.target, scope).join(' ')
        : input
  if (text === null) return null
  if (base === 'cat' || base === 'tee') return text
  if (base === 'rev') return [...text].reverse().join('')
  if (base === 'base64' && args.some((arg) => /^(-d|-D|-di|--decode)$/.test(arg)))
    return Buffer.from(text, 'base64').toString('utf8')
  if (base === 'xxd' && args.some((arg) => arg.startsWith('-r')) && args.some((arg) => /p/.test(arg)))
    return Buffer.from(text.replace(/\s/g, ''), 'hex').toString('utf8')
  return null
}

function formatted([format = '', ...values]: string[]): string {
  let next = 0
  const text = decodeEscapes(format).replace(/%[-0-9.]*([sbdq%])/g, (_, kind: string) =>
    kind === '%' ? '%' : (values[next++] ?? ''),
  )
  return next < values.length ? [text, ...values.slice(next)].join(' ') : text
}

function decodeEscapes(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([nt\\]))/g, (_, hex, octal, plain) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    return plain === 'n' ? '\n' : plain === 't' ? '\t' : '\\'
  })
}

function isAll(part: WordPart): boolean {
  return /^\$(?:[@*]|\{[@*]\})$/.test(part.text)
}

function partText(part: WordPart, scope: Scope, unknown: 'text' | 'empty'): string {
  if (part.type === 'Literal') return part.value
  if (part.type === 'SimpleExpansion') return variable(part.text.slice(1), scope, unknown) ?? part.text
  if (part.type === 'CommandExpansion') return substitution(part, scope) ?? part.text
  if (part.type !== 'ParameterExpansion') return part.text
  const { parameter, operation, prefix } = part
  if (parameter === 'IFS') return ' '
  if (prefix !== undefined) return part.text
  const known = variable(parameter, scope, unknown)
  if (operation === undefined) return known ?? part.text
  const value = scope.variables.get(parameter)
  if (operation.type === 'Default' && !operation.operator.includes('+') && !operation.operator.includes('?'))
    return value || expandWord(operation.operand, scope, unknown).join(' ')
  return unknown === 'empty' ? (value ?? '') : part.text
}

function variable(name: string, scope: Scope, unknown: 'text' | 'empty'): string | undefined {
  if (name === 'IFS') return ' '
  if (name === '@' || name === '*') return scope.positional.slice(1).join(' ')
  if (/^[0-9]$/.test(name)) return scope.positional[Number(name)] ?? ''
  return scope.variables.get(name) ?? (unknown === 'empty' ? '' : undefined)
}

function substitution(part: Extract<WordPart, { type: 'CommandExpansion' }>, scope: Scope): string | null {
  let output: string | null = null
  const statement = part.script?.commands[0]
  if (!statement || part.script!.commands.length > 1) return null
  const { command } = statement
  const stages = command.type === 'Pipeline' ? command.commands : [command]
  for (const stage of stages) {
    if (stage.type !== 'Command') return null
    output = staticOutput(stage, scope, output)
    if (output === null) return null
  }
  return output?.replace(/\n+$/, '') ?? null
}

/** `{a,b{c,d}}` → its choices. A range such as `{1..3}` stays as it is. */
function expandBrace(text: string): string[] {
  const choices: string[] = []
  let depth = 0
  let start = 1
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === "'" || char === '"') at = Math.max(at, text.indexOf(char, at + 1))
    else if (char === '{') depth++
    else if ((char === ',' && depth === 1) || (char === '}' && --depth === 0)) {
      choices.push(text.slice(start, at))
      start = at + 1
    }
  }
  if (choices.length < 2) return [text]
  return choices.flatMap((choice) => {
    const inner = choice.indexOf('{')
    const nested = inner === -1 ? undefined : choice.slice(inner, choice.lastIndexOf('}') + 1)
    if (!nested) return [bare(choice)]
    const [before, after] = [choice.slice(0, inner), choice.slice(inner + nested.length)]
    return expandBrace(nested).map((middle) => bare(before) + middle + bare(after))
  })
}

function bare(text: string): string {
  return text.replace(/\\([\s\S])|["']/g, '$1')
}
