/** A tolerant scan of code: string literals that reach known functions. It runs nothing and understands no control flow. */

import { atMost, beginning, cutShort } from '../cut.ts'
import { hostOf, isNearHost } from '../hosts.ts'
import type { Effect, Language } from '../program.ts'
import { isSecretFile } from '../secret-files.ts'
import { CALLS, REQUESTS, type Value, walked } from './calls.ts'
import { environmentEffects } from './environment.ts'
import { listed, loopsOf, PICKS } from './loops.ts'
import { scanLoosely } from './loosely.ts'
import { scanOther } from './other.ts'
import { storeEffects } from './stores.ts'
import { type Token, tokenize } from './tokens.ts'

export interface Scanned {
  effects: Effect[]
}

const LONGEST_CODE = 500_000
const DEEPEST = 40
const MOST_EFFECTS = 2_000
const MOST_ITEMS = 50

export function scanCode(language: Language, code: string): Scanned {
  const followed = beginning(code, LONGEST_CODE, 'the code')
  const other = scanOther(language, followed)
  if (other) return other
  const text = followed
    .replaceAll('$ENV{HOME}', '~')
    .replace(/[$#]\{(?:process\.env\.HOME|ENV\[['"]HOME['"]\])\}/g, '~')
  const { tokens, isCut } = tokenize(text, language)
  const scan: Scan = {
    tokens,
    at: 0,
    language,
    names: imports(followed),
    values: new Map(),
    effects: [],
    depth: 0,
    picks: PICKS.test(text),
  }
  bindLoops(scan, text)
  while (scan.at < tokens.length && scan.effects.length < MOST_EFFECTS) {
    const before = scan.at
    const known = scan.effects.length
    expression(scan)
    if (scan.effects.length > known && isOnlyRequest(scan, before)) scan.effects.push(...unheard(scan, known))
    if (scan.at === before) scan.at++
  }
  if (isCut || scan.at < tokens.length) cutShort('the code is too long to be followed')
  if (
    /\b(?:socket|Socket|TCPSocket|fsockopen|net\.(?:connect|Socket|createConnection)|net['"]\)\.(?:connect|Socket|createConnection))\b/.test(
      text,
    ) &&
    /\/bin\/(?:ba|da|z|k)?sh\b|cmd\.exe|powershell/.test(text) &&
    /dup2|spawn|exec|popen|subprocess|system|open\(\s*STDIN/.test(text)
  )
    scan.effects.push({ does: 'run', place: 'remote', why: 'gives another machine a shell' })
  else if (
    /\bTCPSocket\.(?:new|open)\b/.test(text) &&
    /\.gets\b/.test(text) &&
    /\b(?:popen|exec|system|eval)\b/.test(text)
  )
    scan.effects.push({ does: 'run', place: 'remote', why: 'runs what another machine says' })
  if (
    /\b(?:exec|eval|Function|instance_eval|assert)\s*\(/.test(text) &&
    /b64decode|base64|fromhex|unhexlify|decompress|codecs\.decode|marshal\.loads|atob\s*\(|unpack\s*\(|rot_?13/.test(
      text,
    )
  )
    scan.effects.push({ does: 'run', place: 'decoded', certain: false, why: 'runs what it decodes' })
  if (RUNS_WHAT_IT_FETCHES.test(text))
    scan.effects.push({ does: 'run', place: 'remote', certain: false, why: 'runs what it fetches' })
  if (/\.then\(\s*(?:eval|Function)\s*\)/.test(text))
    scan.effects.push({ does: 'run', place: 'decoded', why: 'code that is made while it runs' })
  scan.effects.push(...environmentEffects(text), ...storeEffects(text))
  if (
    /\bfork\s*(?:\(\s*\))?\s+while\s+(?:fork|1)\b|while\b[^;\n]{0,60}[:{;\s]\s*(?:os\.|Process\.|pcntl_)?fork\b|\bloop\s*(?:\{|do)\s*(?:Process\.)?fork\b|\bfork\(\)\s+for\b/.test(
      text,
    )
  )
    scan.effects.push({ does: 'kill', place: 'machine', why: 'starts itself again and again: a fork bomb' })
  if (KILLS_ALL.test(text)) scan.effects.push({ does: 'kill', place: 'machine', why: 'ends every process' })
  scan.effects.push(...scanLoosely(language, text, tokens))
  return { effects: READS.test(text) ? scan.effects : scan.effects.filter((effect) => !isWalk(effect)) }
}

/** A statement that is a request and nothing else: `urlopen("https://…")`, `s.connect((host, 80))`. */
function isOnlyRequest(scan: Scan, start: number): boolean {
  const { tokens } = scan
  const isEnd = (token: Token | undefined) =>
    token === undefined || token.kind === 'line' || (token.kind === 'sign' && token.sign === ';')
  const before = tokens[start - 1]
  const isAwaited = before?.kind === 'name' && before.name === 'await'
  if (!isEnd(isAwaited ? tokens[start - 2] : before) || !isEnd(tokens[scan.at])) return false
  let at = start
  let name = ''
  for (let token = tokens[at]; token?.kind === 'name'; token = tokens[at]) {
    name += at === start ? (scan.names.get(token.name) ?? token.name) : `.${token.name}`
    at++
    const next = tokens[at]
    if (next?.kind !== 'sign' || next.sign !== '.') break
    at++
  }
  return (REQUESTS.test(name) || /\.connect(?:_ex)?$/.test(name)) && closesAt(tokens, at) === scan.at
}

/** Where the call ends whose bracket opens here. */
function closesAt(tokens: readonly Token[], from: number): number {
  let open = 0
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.kind !== 'sign') continue
    if (token.sign === '(') open++
    else if (token.sign === ')' && --open === 0) return at + 1
  }
  return -1
}

/** A request whose answer nobody looks at tells the other machine something, and does nothing else. */
function unheard(scan: Scan, from: number): Effect[] {
  return scan.effects.slice(from).flatMap((effect): Effect[] => {
    if (!('does' in effect) || effect.does !== 'connect' || effect.host === undefined) return []
    const text = typeof effect.host === 'string' ? effect.host : effect.host.text
    const host = hostOf(text)
    return host === undefined || isNearHost(host)
      ? []
      : [{ does: 'send', host: text, place: 'remote', why: `calls ${host} and does not look at the answer` }]
  })
}

/** The content of files, not only their names and sizes. */
const READS =
  /\b(?:open|read_text|read_bytes|read|readFile(?:Sync)?|createReadStream|file_get_contents|copy(?:File(?:Sync)?|2)?|add|sendall|upload\w*)\s*\(/

function isWalk(effect: Effect): boolean {
  return 'takes' in effect && effect.walked === true
}

/** `os.kill(-1, 9)`, `kill 9, -1`. */
const KILLS_ALL =
  /\bkill(?:pg)?\s*\(?\s*(?:-1\s*,|["':]?(?:SIG)?(?:KILL|TERM|9|15)["']?\s*,\s*-1\b|signal\.\w+\s*,\s*-1\b)/

/** Gives the variables of loops an element of what they run over. */
function bindLoops(scan: Scan, text: string): void {
  // Loops over one name are looked for once: the code may be long.
  const lists = new Map<string, string | undefined>()
  const listOf = (name: string) => {
    if (!lists.has(name)) lists.set(name, assigned(text, name))
    return lists.get(name)
  }
  for (const [names, collection] of loopsOf(text)) {
    const held = /^\w+/.exec(collection)?.[0]
    if (held !== undefined && /^\w+\s*\./.test(collection) && !scan.values.has(held)) {
      const right = assignedPath(text, held)
      const found = right === undefined ? null : evaluated(scan, right)
      if (found) scan.values.set(held, found)
    }
    const value = evaluated(scan, (held === undefined ? undefined : listOf(held)) ?? collection)
    // os.walk gives a folder, its folders and its files.
    const isWalk = /^(?:os|fs)\.(?:walk|fwalk)\s*\(/.test(collection) && names.length === 3
    const folder = isWalk && value && 'items' in value ? value.items[0] : undefined
    if (folder && 'text' in folder) {
      scan.values.set(names[0]!, { text: folder.text.replace(/\/\*$/, '') })
      for (const name of names.slice(1)) scan.values.set(name, { items: [{ text: '*', isGlob: true }] })
    } else if (value && (names.length === 1 || /^(?:i?pairs|enumerate)\b/.test(collection)))
      scan.values.set(names.at(-1)!, 'items' in value ? { ...value, isOneOf: true } : value)
  }
}

/** `cmds = [...]` somewhere before `for c in cmds`. */
function assigned(text: string, name: string): string | undefined {
  const at = text.search(new RegExp(`(?<![\\w.])${name}\\s*=\\s*[[(]`))
  return at === -1 ? undefined : text.slice(text.indexOf('=', at) + 1, at + 500)
}

/** `home = Path.home()` somewhere before `for f in home.iterdir()`. */
function assignedPath(text: string, name: string): string | undefined {
  const at = text.search(new RegExp(`(?<![\\w.])${name}\\s*=\\s*[\\w.]*(?:Path|path|os|dir|Dir|File)\\b`))
  return at === -1 ? undefined : /^[^\n;]{0,300}/.exec(text.slice(text.indexOf('=', at) + 1))?.[0]
}

/** One expression by itself, with what is known here; what it calls is not noted. */
function evaluated(scan: Scan, code: string, effects: Effect[] = []): Value {
  if (scan.depth > 8) return null
  const { tokens } = tokenize(code, scan.language)
  const depth = scan.depth + 1
  return expression({ ...scan, tokens, at: 0, effects, values: new Map(scan.values), depth })
}

/** `system(urlopen(…))`, `eval(get("http…"))`, `include "http…"`, `import("https…")`. */
const RUNS_WHAT_IT_FETCHES =
  /\b(?:exec|eval|system|popen|check_output|check_call|execSync|subprocess\.\w+)\s*\(?[^;\n]{0,80}(?:urlopen|urlretrieve|requests\.get|httpx\.get|file_get_contents\(\s*['"]https?:|URI\.open|Net::HTTP\.get|LWP|\bget\(\s*['"]https?:)|\b(?:include|include_once|require|require_once|import)\s*\(?\s*['"]https?:/

interface Scan {
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
}

function module(name: string): string {
  return name
    .replace(/^node:/, '')
    .replace('fs/promises', 'fs')
    .replace(/^(?:fs-extra|graceful-fs)$/, 'fs')
}

/** `import subprocess as s`, `from os import system as x`, `const { rmSync: x } = require('fs')`. */
function imports(code: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const found of code.matchAll(/\bimport\s+([\w.]+)\s+as\s+(\w+)/g)) names.set(found[2]!, found[1]!)
  for (const found of code.matchAll(/\bfrom\s+([\w.]+)\s+import\s+([^\n;)]{1,400})/g))
    for (const item of found[2]!.replace(/[()]/g, '').split(',')) {
      const [name = '', as = name] = item.trim().split(/\s+as\s+/)
      if (name !== '' && name !== '*')
        names.set(as.trim(), found[1] === 'pathlib' ? name : `${found[1]}.${name}`)
    }
  for (const found of code.matchAll(
    /(?:\b(?:const|let|var)\s+|,\s*)(\w+)\s*=\s*(?:await\s+)?(?:require|import)\(\s*['"]([^'"]+)['"]\s*\)\s*(?:\.(\w+))?/g,
  ))
    names.set(found[1]!, module(found[2]!) + (found[3] && found[3] !== 'promises' ? `.${found[3]}` : ''))
  for (const found of code.matchAll(
    /(?:const|let|var|import)\s*\{([^}]{0,400})\}\s*(?:=\s*(?:await\s+)?(?:require|import)\(|from)\s*['"]([^'"]+)['"]/g,
  ))
    for (const item of found[1]!.split(',')) {
      const [name = '', as = name] = item.trim().split(/\s*(?::|\bas\b)\s*/)
      if (name !== '') names.set(as.trim(), `${module(found[2]!)}.${name.trim()}`)
    }
  for (const found of code.matchAll(/\bimport\s+(?:\*\s+as\s+)?(\w+)\s+from\s*['"]([^'"]+)['"]/g))
    names.set(found[1]!, module(found[2]!))
  return names
}

/** Reads one expression and notes the calls in it. */
function expression(scan: Scan): Value {
  if (scan.depth > DEEPEST) {
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

/** `'rm %s' % x`, `'rm {}'.format(x)`. */
function formatted(format: Text, slots: RegExp, given: Value): Text {
  const values = given && 'items' in given ? given.items : [given]
  let at = 0
  let isUnknown = format.isUnknown === true
  const text = format.text.replace(slots, (slot) => {
    const value = values[/^\{\d+\}$/.test(slot) ? Number(slot.slice(1, -1)) : at++]
    if (value && 'text' in value && !value.isUnknown) return value.text
    isUnknown = true
    return slot
  })
  return { text, ...(isUnknown && { isUnknown }) }
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

function isPath(value: Value): boolean {
  return value !== null && 'text' in value
}

type Text = Extract<Value, { text: string }>

function joined(left: Value, right: Value, between: string): Value {
  for (const [side, other] of [
    [left, right],
    [right, left],
  ])
    if (
      side &&
      'items' in side &&
      side.isOneOf &&
      side.items.length <= MOST_ITEMS &&
      !(other && 'items' in other)
    )
      return {
        items: side.items.map((item) =>
          side === left ? joined(item, other!, between) : joined(other!, item, between),
        ),
        isOneOf: true,
      }
  if (left && right && 'items' in left && 'items' in right) return { items: [...left.items, ...right.items] }
  const text = (value: Value): Text =>
    value && 'text' in value
      ? value
      : value?.items.length === 1
        ? text(value.items[0]!)
        : { text: '$x', isUnknown: true }
  const [a, b] = [text(left), text(right)]
  return {
    text: a.text + between + b.text,
    ...((a.isUnknown || b.isUnknown) && { isUnknown: true }),
    ...((a.isGlob || b.isGlob) && { isGlob: true }),
    ...(a.isPath && { isPath: true }),
  }
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
    if ((signAt(scan) === '.' || isArrow) && next?.kind === 'name') {
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
  if (/^(?:process\.env\.HOME|Dir\.home)$/.test(name) && signAt(scan) !== '(')
    return postfix(scan, { text: '~' }, '*')
  return postfix(scan, scan.values.get(name) ?? null, name)
}

/** In php and perl a dot joins two texts. */
function takesDots(language: Language): boolean {
  return language === 'php' || language === 'perl' || language === 'lua'
}

function isPathValue(value: Value): boolean {
  return value !== null && 'text' in value && value.isPath === true
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
      } else if (key === 'HOME' && /^(?:process\.env|os\.environ|ENV)$/.test(name)) {
        value = { text: '~' }
        name = '*'
      } else if (!value && name !== '*' && key !== undefined && /^[A-Za-z_]\w*$/.test(key)) name += `.${key}`
      else if (value && 'items' in value)
        value = value.items[Number((index && 'text' in index && index.text) || 0)] ?? null
    } else if (sign === '.' && scan.tokens[scan.at + 1]?.kind === 'name') {
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

function called(
  scan: Scan,
  name: string,
  args: readonly Value[],
  receiver: Value,
): { value: Value; name: string } {
  const [first] = args
  if (receiver && 'items' in receiver && receiver.isOneOf && /^(?:\*|Path)\.(?!join$)/.test(name)) {
    for (const item of atMost(receiver.items, MOST_ITEMS, 'values of a loop'))
      called(scan, name.replace(/^\*/, isPathValue(item) ? 'Path' : '*'), args, item)
    return { value: null, name: '*' }
  }
  const many = args.findIndex((arg) => arg && 'items' in arg && arg.isOneOf && arg.items.length > 1)
  if (many !== -1) {
    const { items } = args[many] as { items: Value[] }
    for (const item of atMost(items, MOST_ITEMS, 'values of a loop'))
      called(scan, name, args.with(many, item), receiver)
    return { value: null, name: '*' }
  }
  // php: ("sys" . "tem")("…")
  if (
    name === '*' &&
    scan.language === 'php' &&
    receiver &&
    'text' in receiver &&
    /^\w+$/.test(receiver.text)
  )
    return called(scan, receiver.text, args, null)
  // Functions that only change a text.
  if (
    /^(?:require|__import__|importlib\.import_module|import|process\.(?:mainModule\.require|getBuiltinModule))$/.test(
      name,
    ) &&
    first &&
    'text' in first
  )
    return { value: null, name: module(first.text) }
  if (name === 'getattr' && args[1] && 'text' in args[1]) return { value: null, name: `os.${args[1].text}` }
  if (
    /^(?:os\.getenv|os\.environ\.get|getenv|ENV\.fetch)$/.test(name) &&
    first &&
    'text' in first &&
    first.text === 'HOME'
  )
    return { value: { text: '~' }, name: '*' }
  // ruby: File.send(:unlink, path)
  if (/\.(?:send|public_send|__send__)$/.test(name) && first && 'text' in first)
    return called(scan, `${name.slice(0, name.lastIndexOf('.'))}.${first.text}`, args.slice(1), receiver)
  if (/^Buffer\.from$/.test(name) && args[1] && 'text' in args[1] && first && 'text' in first) {
    const encoding = /^(?:base64|base64url|hex)$/.exec(args[1].text)?.[0] as BufferEncoding | undefined
    if (encoding && !first.isUnknown)
      return { value: { text: Buffer.from(first.text, encoding).toString('utf8') }, name: '*' }
  }
  if (/^(?:chr|String\.fromCharCode)$/.test(name))
    return {
      value: {
        text: args
          .map((arg) => (arg && 'text' in arg ? String.fromCharCode(Number(arg.text)) : '?'))
          .join(''),
      },
      name: '*',
    }
  if (
    /^(?:os\.path\.(?:expanduser|abspath|realpath|normpath)|path\.(?:resolve|normalize)|File\.expand_path|str|String|Pathname|Pathname\.new|shlex\.split|bytes|Buffer\.from)$/.test(
      name,
    ) &&
    args.length === 1
  )
    return { value: first ?? null, name: '*' }
  if (/^os\.path\.expandvars$/.test(name) && first && 'text' in first)
    return { value: { ...first, text: first.text.replace(/^\$\{?HOME\}?(?=\/|$)/, '~') }, name: '*' }
  if (/^(?:Path|PurePath|pathlib\.Path|pathlib\.PurePath|PosixPath)$/.test(name))
    return { value: asPath(join(args)), name: 'Path' }
  if (/^(?:Path\.home|os\.homedir|homedir|pathlib\.Path\.home|Dir\.home)$/.test(name))
    return { value: { text: '~', isPath: true }, name: 'Path' }
  if (/^(?:os\.getcwd|process\.cwd|Path\.cwd|Dir\.pwd)$/.test(name))
    return { value: { text: '.', isPath: true }, name: 'Path' }
  if (/^(?:Path\.(?:expanduser|resolve|absolute))$/.test(name)) return { value: receiver, name: 'Path' }
  if (/^(?:os\.path\.join|path\.join|path\.resolve|File\.join|(?:Path|\*)\.joinpath)$/.test(name))
    return { value: join(/joinpath$/.test(name) ? [receiver, ...args] : args), name: 'Path' }
  if (
    /^(?:glob\.glob|glob\.iglob|Dir\.glob|glob|Path\.glob|Path\.rglob|globSync|fs\.globSync)$/.test(name) &&
    first &&
    'text' in first
  ) {
    const text =
      name.startsWith('Path.') && receiver && 'text' in receiver
        ? `${receiver.text}/${first.text}`
        : first.text
    return { value: { items: [{ text, isGlob: true }] }, name: '*' }
  }
  if (/^\*\.(?:join)$/.test(name) && receiver && first && 'items' in first) {
    const separator = 'text' in receiver ? receiver.text : ''
    return {
      value: first.items.reduce<Value>((all, item, at) => (at === 0 ? item : joined(all, item, separator)), {
        text: '',
      }),
      name: '*',
    }
  }
  if (/^\*\.join$/.test(name) && receiver && 'items' in receiver) {
    const separator = first && 'text' in first ? first.text : ','
    return {
      value: receiver.items.reduce<Value>(
        (all, item, at) => (at === 0 ? item : joined(all, item, separator)),
        { text: '' },
      ),
      name: '*',
    }
  }
  if (/^(?:implode|join|paste)$/.test(name) && args.length > 1) {
    const separator = name === 'paste' ? { text: ' ' } : (first ?? null)
    const rest = name === 'paste' ? args : args.slice(1)
    const items = rest.flatMap((arg) => (arg && 'items' in arg ? arg.items : [arg]))
    return called(scan, '*.join', [{ items }], separator)
  }
  if (/^\*\.format$/.test(name) && receiver && 'text' in receiver)
    return { value: formatted(receiver, /\{\w*\}/g, { items: [...args] }), name: '*' }
  if (LISTS_NAMES.test(name) || LISTS_PATHS.test(name)) {
    const folder = name.startsWith('Path.') ? receiver : (first ?? null)
    scan.effects.push(...walked(folder))
    return { value: scan.picks ? null : listed(folder, LISTS_PATHS.test(name)), name: '*' }
  }
  if (
    /^(?:list|sorted|set|tuple|reversed|Array\.from|map|filter|i?pairs|enumerate|RecursiveIteratorIterator)$/.test(
      name,
    ) &&
    args.length === 1
  )
    return { value: first ?? null, name: '*' }
  if (/^\*\.(?:split)$/.test(name) && receiver && 'text' in receiver)
    return { value: { items: receiver.text.split(/\s+/).map((text) => ({ text })) }, name: '*' }
  if (/^\*\.(?:strip|trim|encode|decode|toString|rstrip|lstrip)$/.test(name))
    return { value: receiver, name: '*' }
  if (
    /^(?:base64\.(?:b64decode|urlsafe_b64decode|standard_b64decode)|atob|base64_decode|Base64\.(?:decode64|strict_decode64|urlsafe_decode64)|decode_base64|bytes\.fromhex|binascii\.unhexlify|hex2bin|str_rot13|codecs\.decode|zlib\.decompress)$/.test(
      name,
    )
  )
    return {
      value:
        !first || !('text' in first) || first.isUnknown
          ? { text: '$decoded', isUnknown: true }
          : { text: decoded(name, first.text, args) },
      name: '*',
    }
  // php: $f = "system"; $f("…")
  const held = /^\$\w+$/.test(name) ? scan.values.get(name) : undefined
  if (held && 'text' in held && /^[\w.]+$/.test(held.text)) return called(scan, held.text, args, null)
  // php: array_map("unlink", …)
  if (/^(?:array_map|array_walk|call_user_func|call_user_func_array)$/.test(name) && first && 'text' in first)
    return called(scan, first.text, args.slice(1), null)
  const plain = name.replace(/^(?:pathlib\.)?Path\./, 'Path.')
  // In other languages `exec` starts a program.
  const short = plain === 'exec' && scan.language === 'python' ? 'eval' : plain
  for (const [test, handler] of CALLS)
    if (test.test(short)) {
      scan.effects.push(...handler(args, receiver, short))
      if (
        /^(?:eval|exec|compile|Function|instance_eval|class_eval|vm\.run\w+|loadstring|load|assert)$/.test(
          short,
        ) &&
        first &&
        'text' in first &&
        !first.isUnknown &&
        scan.depth < DEEPEST &&
        scan.language !== 'shell'
      ) {
        const inner = scanCode(scan.language, first.text)
        scan.effects.push(...inner.effects)
      }
      return { value: null, name: '*' }
    }
  if (first && 'text' in first && !first.isUnknown) scan.effects.push(...secretRead(short, first.text))
  return { value: null, name: '*' }
}

/** A function that nobody knows, called as if it read a file, with a file of secrets. */
function secretRead(name: string, text: string): Effect[] {
  const last = name.slice(name.lastIndexOf('.') + 1)
  return /read|load|parse|values|open|slurp|lines|dump/i.test(last) &&
    !/^(?:load_dotenv|loadEnvFile|config|loadEnv)$/.test(last) &&
    !/\s/.test(text) &&
    isSecretFile(text)
    ? [{ does: 'read', path: text, certain: false, why: `${name} may show it` }]
    : []
}

function decoded(name: string, text: string, args: readonly Value[]): string {
  const second = args[1] && 'text' in args[1] ? args[1].text : ''
  if (/rot/.test(name + second))
    return text.replace(/[a-z]/gi, (letter) => {
      const base = letter <= 'Z' ? 65 : 97
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
    })
  return Buffer.from(text, /hex/.test(name + second) ? 'hex' : 'base64').toString('utf8')
}

/** Functions that give the names in a folder, and those that give whole paths. */
const LISTS_NAMES =
  /^(?:os\.listdir|(?:fs|fsp|promises|fs\.promises)\.readdir(?:Sync)?|readdirSync|Dir\.(?:children|entries|each_child|foreach)|scandir)$/
const LISTS_PATHS =
  /^(?:os\.(?:scandir|walk|fwalk)|(?:Recursive)?DirectoryIterator|FilesystemIterator|Path\.(?:iterdir|walk)|list\.files|File\.ls!?)$/

function asPath(value: Value): Value {
  return value && 'text' in value ? { ...value, isPath: true } : value
}

function join(args: readonly Value[]): Value {
  return args.reduce<Value>((all, item, at) => (at === 0 ? item : joined(all, item, '/')), { text: '' })
}
