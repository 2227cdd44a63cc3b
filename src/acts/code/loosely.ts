/**
 * Languages that nobody writes a table for (Julia, Groovy, Elixir, Erlang, Scala, Lisps, Swift, R …): the words right
 * before and after string literals tell what is done with them.
 */

import type { Effect, Language } from '../program.ts'
import type { Token } from './tokens.ts'

export function scanLoosely(language: Language, code: string, tokens: readonly Token[]): Effect[] {
  const effects: Effect[] = []
  if (language !== 'other' && language !== 'r') return effects
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]!.kind !== 'text') continue
    const before = namesBefore(tokens, at)
    const { texts, end } = BUILDER.test(before) ? built(tokens, at) : literals(tokens, at)
    const around = before === '' || WRAPS.test(before) ? namesAround(tokens, at) : ''
    at = end - 1
    const after = namesAfter(tokens, end)
    effects.push(...doneWith(texts, before, after))
    if (around !== '') effects.push(...doneWith(JOINS.test(before) ? [texts.join('/')] : texts, around, ''))
  }
  if (PRINTS_ENVIRONMENT.test(code))
    effects.push({ does: 'read', place: 'environment', why: 'prints the environment' })
  return effects
}

const RUNS =
  /(?:^|[^a-z])(?:system[*2]?|shell|sh|bash|exec\w*|run|program|cmd|command|popen|spawn\w*|process\*?|callprocess|processbuilder|syscmd|esyscmd|dir_?shell|callcommand|readprocess\w*|doshellscript|pipeline|command(?:::|\.)new)$/i
const DELETES =
  /(?:^|[^a-z])(?:rm|rm_rf|rm_r|rmdir|rmtree|remove[\w/-]*|delete[\w/-]*|unlink\w*|del_dir(?:_r)?|deltree)[!?]?$/i
const READS =
  /(?:^|[^a-z])(?:read\w*|slurp|text|eachline|file\.copy|file\.stream!?|lines|getlines|file->\w+|fromfile|include|load_file|contents\w*|newreader|scan)[!?]?$/i
const WRITES =
  /(?:^|[^a-z])(?:write\w*|spit|append\w*|settext|with-output-to-file|display-to-file|touch)[!?]?$/i
/** A list, or a path that is made of its parts: the name around it says what is done. */
const WRAPS =
  /(?:^|[^a-z])(?:list\.files|file\.path|path\.expand|normalizepath|sys\.glob|paste0?|joinpath|path|paths\.get|path\.of|path\.join|file|url|fileurlwithpath|string|list\.of|listof|arrayof|aslist|seq|array|vector|readdir|glob|expand|abspath|expanduser)$/i
const JOINS = /(?:joinpath|file\.path|paths\.get|path\.of|path\.join)$/i
const PRINTS_ENVIRONMENT =
  /\bforeach\(\s*print\w*\s*,\s*ENV\b|\b(?:System\.getenv\(\)|Sys\.getenv\(\)|System\.get_env\(\)|os:getenv\(\)|sys\.env\b(?!\s*[(.])|getEnvironment\b|ProcessInfo\.processInfo\.environment\b(?!\[)|print\w*\(?\s*ENV\s*\)?\s*$)/

function doneWith(texts: readonly string[], before: string, after: string): Effect[] {
  const names = [before, ...after.split(' ')]
  const is = (kind: RegExp) => names.some((name) => kind.test(name))
  const [first = ''] = texts
  // scala: "rm -rf /".!
  if (is(RUNS) || /^!+$/.test(after))
    return texts.length === 1
      ? [{ script: { text: first } }]
      : [{ argv: texts.map((text) => ({ text })) }, { script: { text: first } }]
  const does = is(DELETES) ? 'delete' : is(WRITES) ? 'write' : is(READS) ? 'read' : undefined
  if (does === undefined || first === '' || /\s/.test(first)) return []
  return [{ does, path: first, ...(does === 'delete' && { recursive: true }) }]
}

/** `uiop:run-program`, `clojure.java.shell/sh`, `new File`: the names that end right before the literal. */
function namesBefore(tokens: readonly Token[], at: number): string {
  let index = at - 1
  // elixir: ~c"…"
  if (tokens[index]?.kind === 'name' && isSign(tokens[index - 1], '~')) index -= 2
  // An opening bracket, and the name of a parameter.
  while (index >= 0 && isSign(tokens[index], '([{') && at - index < 4) index--
  if (isSign(tokens[index], ':=')) {
    const outer = index - 2
    const label = tokens[index - 1]
    // swift: String(contentsOfFile: "…")
    if (label?.kind === 'name' && /^contentsOf/.test(label.name)) return label.name
    if (isSign(tokens[outer], '(')) index = outer - 1
  }
  const parts: string[] = []
  for (; index >= 0 && parts.length < 12; index--) {
    const token = tokens[index]!
    if (token.kind === 'name') {
      if (parts.length > 0 && !/^[-.:/*!>]$/.test(parts[0]!)) break
      parts.unshift(token.name)
    } else if (isSign(token, '-.:/*!>')) parts.unshift((token as { sign: string }).sign)
    else break
  }
  return parts.join('')
}

/** The name before the brackets around the literal, those of lists and paths left out. */
function namesAround(tokens: readonly Token[], at: number): string {
  let open = 0
  for (let index = at - 1; index >= 0 && at - index < MAX_AROUND; index--) {
    if (isSign(tokens[index], ')]}')) open++
    else if (isSign(tokens[index], '([{') && open-- === 0) {
      open = 0
      const name = isSign(tokens[index], '(') ? namesBefore(tokens, index) : ''
      if (name !== '' && !WRAPS.test(name)) return name
    } else if (tokens[index]?.kind === 'line' || isSign(tokens[index], ';')) return ''
  }
  return ''
}

const MAX_AROUND = 24

const BUILDER = /command(?:::|\.)new$/i

/** rust: `Command::new("rm").arg("-rf").arg("/")` */
function built(tokens: readonly Token[], start: number): { texts: string[]; end: number } {
  const texts: string[] = []
  let end = start
  for (let at = start; at < tokens.length && at - start < 400 && !isSign(tokens[at], ';}'); at++) {
    const token = tokens[at]!
    if (token.kind !== 'text') continue
    texts.push(token.text)
    end = at + 1
  }
  return { texts, end }
}

/** Literals that stand in one list: `"rm", ["-rf", "/"]`, `c("-rf", "/")`. */
function literals(tokens: readonly Token[], start: number): { texts: string[]; end: number } {
  const texts: string[] = []
  let end = start
  for (let at = start; at < tokens.length && texts.length < 100; at++) {
    const token = tokens[at]!
    if (token.kind === 'text') {
      texts.push(token.text)
      end = at + 1
    } else if (token.kind === 'name' ? token.name !== 'c' && token.name !== 'list' : !isSign(token, ',[({'))
      break
  }
  return { texts, end }
}

function namesAfter(tokens: readonly Token[], from: number): string {
  let at = from
  while (isSign(tokens[at], ')]')) at++
  if (!isSign(tokens[at], '.|')) return ''
  while (isSign(tokens[at], '.|>')) at++
  const token = tokens[at]
  if (token?.kind === 'name') {
    // raku: "x".IO.unlink
    const next = isSign(tokens[at + 1], '.') ? tokens[at + 2] : undefined
    return next?.kind === 'name' ? `${token.name} ${next.name}` : token.name
  }
  return isSign(token, '!') ? '!' : ''
}

function isSign(token: Token | undefined, signs: string): boolean {
  return token?.kind === 'sign' && signs.includes(token.sign)
}
