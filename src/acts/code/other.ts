/** Small languages that need no tokens: awk, sed, SQL, vim, PowerShell, cmd. */

import { atMost, beginning } from '../cut.ts'
import type { Effect, Language } from '../program.ts'
import { isSecretName } from '../programs/secrets.ts'
import { sqlEffects } from '../programs/sql.ts'
import type { Word } from '../word.ts'
import { environmentEffects } from './environment.ts'
import type { Scanned } from './scan.ts'

export function scanOther(language: Language, code: string): Scanned | null {
  const scan = OTHERS[language]
  return scan ? { effects: scan(code) } : null
}

const OTHERS: { [Each in Language]?: (code: string) => Effect[] } = {
  awk(code) {
    const effects: Effect[] = []
    for (const [, text] of code.matchAll(/\bsystem\s*\(\s*"((?:\\.|[^"\\])*)"/g))
      effects.push({ script: unescaped(text!) })
    for (const [, text] of code.matchAll(/"((?:\\.|[^"\\])*)"\s*\|&?\s*getline/g))
      effects.push({ script: unescaped(text!) })
    for (const [, text] of code.matchAll(/\|&?\s*"((?:\\.|[^"\\])*)"/g))
      effects.push({ script: unescaped(text!) })
    for (const [, text] of code.matchAll(/>{1,2}\s*"((?:\\.|[^"\\])*)"/g))
      effects.push({ does: 'write', path: unescaped(text!) })
    for (const [, text] of code.matchAll(/getline\s*(?:\w+\s*)?<\s*"((?:\\.|[^"\\])*)"/g))
      effects.push({ does: 'read', path: unescaped(text!) })
    // cmd = "rm -rf /"; system(cmd)
    for (const [, name] of code.matchAll(
      /\b(?:system\s*\(|\|&?)\s*([a-z_]\w*)|\b([a-z_]\w*)\s*\|\s*getline/g,
    )) {
      const [, text] = new RegExp(`\\b${name}\\s*=\\s*"((?:\\\\.|[^"\\\\])*)"`).exec(code) ?? []
      if (name !== undefined && text !== undefined) effects.push({ script: unescaped(text) })
    }
    for (const [, text] of code.matchAll(
      /\bprintf?\s*\(?\s*"((?:\\.|[^"\\])*)"\s*\)?\s*\|\s*"(?:\S*\/)?(?:ba|da|z|k)?sh"/g,
    ))
      effects.push({ script: unescaped(text!) })
    effects.push(...environmentEffects(code))
    if (/\bsystem\s*\(\s*[^"\s)]|\$\w+\s*\|\s*getline/.test(code))
      effects.push(
        { script: { text: '$input', unknown: true } },
        { does: 'unknown', why: 'awk runs what it reads' },
      )
    return effects
  },
  sed(code) {
    const effects: Effect[] = []
    for (const line of atMost(code.split(/\n|;(?=\s*[\d$/{a-zA-Z])/), MOST_COMMANDS, 'commands of sed')) {
      const piece = beginning(line, 2000, 'a command of sed')
      const write = /(?:^|[\s\d$/}!])w\s+(\S.*)$/.exec(piece)
      if (write) effects.push({ does: 'write', path: { text: write[1]!.trim() } })
      const read = /(?:^|[\s\d$/}!])[rR]\s+(\S.*)$/.exec(piece)
      if (read) effects.push({ does: 'read', path: { text: read[1]!.trim() } })
      const run = /(?:^|[\s\d$/{]|\d)e\s+(\S.*)$/.exec(piece)
      if (run) effects.push({ script: { text: run[1]!.replace(/\}\s*$/, '') } })
      const substitution = /s([^\w\s\\])((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1([a-zA-Z0-9]*)/.exec(piece)
      if (substitution && /e/.test(substitution[4]!))
        effects.push({ script: { text: substitution[3]!.replace(/\\(.)/g, '$1') } })
      const to =
        substitution &&
        /w\s+(\S+)/.exec(piece.slice(piece.indexOf(substitution[0]) + substitution[0].length - 1))
      if (to) effects.push({ does: 'write', path: { text: to[1]! } })
    }
    return effects
  },
  sql: sqlEffects,
  vim(code) {
    const effects: Effect[] = []
    for (const [, text] of code.matchAll(/(?:^|[\n|:])\s*(?:silent!?\s+)?(?:%|\d+|\.)?!\s*([^\n]+)/g))
      effects.push({ script: { text: text! } })
    for (const [, text] of code.matchAll(/\bsystem(?:list)?\(\s*(?:'([^']*)'|"([^"]*)")/g))
      if (text !== undefined) effects.push({ script: { text } })
    for (const [, path] of code.matchAll(/\bdelete\(\s*['"]([^'"]+)['"]/g))
      effects.push({ does: 'delete', path: { text: path! }, recursive: true })
    for (const [, path] of code.matchAll(/(?:^|[\n|:])\s*(?:w|write|sav|saveas)!?\s+(?!!)(\S+)/g))
      effects.push({ does: 'write', path: { text: path! } })
    for (const [, path] of code.matchAll(/(?:^|[\n|:])\s*(?:r|read|e|edit|so|source)!?\s+(?!!)(\S+)/g))
      effects.push({ does: 'read', path: { text: path! } })
    return effects
  },
  tcl(code) {
    const effects: Effect[] = []
    for (const [, words] of code.matchAll(/(?:^|[;\n[{])\s*(?:exec|spawn|system)\s+([^;\n\]}]+)/g))
      effects.push({
        script: { text: words!.replace(/[{}]/g, '').replace(/^(?:-noecho|-ignorestderr|--)\s+/, '') },
      })
    for (const [, path] of code.matchAll(/\bfile\s+delete\s+(?:-force\s+|--\s+)*([^\s;\]}]+)/g))
      effects.push({ does: 'delete', path: bare(path!), recursive: true })
    for (const [, path, mode = 'r'] of code.matchAll(/\bopen\s+("[^"]+"|\{[^}]+\}|[^\s\]]+)(?:\s+(\w+))?/g)) {
      const { text } = bare(path!)
      if (text.startsWith('|')) effects.push({ script: { text: text.slice(1) } })
      else effects.push({ does: /[wa+]/.test(mode) ? 'write' : 'read', path: { text } })
    }
    return effects
  },
  make: (code) =>
    code
      .split(/\n/)
      .filter((line) => line.startsWith('\t') || /^[\w-]+\s*:=?.*\$\(shell /.test(line))
      .map((line) => ({
        script: {
          text: line.startsWith('\t')
            ? line.replace(/^\t[@\-+]*/, '').replaceAll('$$', '$')
            : (/\$\(shell (.*)\)/.exec(line)?.[1] ?? ''),
        },
      })),
  scripts(code) {
    try {
      const { scripts } = JSON.parse(code) as { scripts?: Record<string, unknown> }
      return Object.values(scripts ?? {}).flatMap((text) =>
        typeof text === 'string' ? [{ script: { text } }] : [],
      )
    } catch {
      return []
    }
  },
  powershell: (code) => [
    ...lines(code, /[;\n]|\|\||&&|\|(?!\|)/).map((argv) => ({ argv })),
    ...pipedDeletes(code),
    ...windowsEnvironment(code),
    ...ranAsCode(code),
  ],
  cmd: (code) =>
    lines(code.replace(/\^([^\n])/g, '$1'), /\n|&{1,2}|\|{1,2}/).map((argv) => {
      const at = argv[0]?.text === 'for' ? argv.findIndex(({ text }) => /^do$/i.test(text)) : -1
      const folder = at === -1 ? -1 : argv.findIndex(({ text }) => /^\/[rd]$/i.test(text))
      // for /r C:\ %f in (*) do del %f
      const rest = at === -1 ? argv : argv.slice(at + 1)
      const start = folder === -1 ? undefined : argv[folder + 1]
      return { argv: rest.map((word) => (start && /^%%?\w$/.test(word.text) ? start : word)).map(ofCmd) }
    }),
}

function bare(text: string): Word {
  return { text: text.replace(/^["{]|["}]$/g, '') }
}

/** `type` shows a file there. */
function ofCmd(word: Word, at: number): Word {
  return at === 0 && word.text === 'type' ? { ...word, text: 'cat' } : word
}

/** `dir env:`, `$env:API_KEY` by itself or printed. */
function windowsEnvironment(code: string): Effect[] {
  const isWhole =
    /\b(?:get-childitem|gci|dir|ls|get-item|gi|get-content)\s+(?:-path\s+)?['"]?env:[\\/]?\*?['"]?\s*(?:$|[|;)\n])/i
  const one = /(?:^|[;\n]|\b(?:echo|write-host|write-output|write))\s*\(?["']?\$env:(\w+)(?!\s*=|\w)/gi
  const isShown = isWhole.test(code) || [...code.matchAll(one)].some(([, name]) => isSecretName(name!))
  return isShown ? [{ does: 'read', place: 'environment', why: 'prints secrets of the environment' }] : []
}

/** `Get-ChildItem C:\ -Recurse | Remove-Item`: what is listed is deleted. */
function pipedDeletes(code: string): Effect[] {
  const effects: Effect[] = []
  for (const statement of code.split(/[;\n]/)) {
    const [from = '', ...to] = statement.split('|')
    if (!to.some((each) => /^\s*(?:remove-item|ri|rm|del|rd|erase)\b/i.test(each))) continue
    if (to.some((each) => /^\s*(?:where(?:-object)?|\?|select\w*)\b/i.test(each))) continue
    const listing = /^\s*(?:get-childitem|gci|dir|ls|get-item|gi)\b(.*)$/is.exec(from)
    if (!listing || /-(?:filter|include|exclude)\b/i.test(listing[1]!)) continue
    const path = /(?:^|\s)(?!-)("[^"]+"|'[^']+'|[^\s"']+)/.exec(
      listing[1]!.replace(/-(?:path|literalpath)\b/gi, ''),
    )
    if (path) effects.push({ does: 'delete', path: { text: path[1]!.replace(/["']/g, '') }, recursive: true })
  }
  return effects
}

/** `iex (iwr …)`, `iex $client.DownloadString(…)`, `iex (… FromBase64String …)`. */
function ranAsCode(code: string): Effect[] {
  if (!/\b(?:iex|invoke-expression)\b|\[scriptblock\]::create|\.invokescript\(/i.test(code)) return []
  if (/\b(?:iwr|irm|curl|wget|invoke-(?:webrequest|restmethod)|downloadstring|downloaddata)\b/i.test(code))
    return [{ does: 'run', place: 'remote', why: 'runs what it fetches' }]
  return /frombase64string|-join\s|\[char\]|decompress/i.test(code)
    ? [{ does: 'run', place: 'decoded', why: 'runs what it decodes' }]
    : []
}

function unescaped(text: string): Word {
  return {
    text: text
      .replace(/\\(["\\/])/g, '$1')
      .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
      .replaceAll('\\n', '\n')
      .replaceAll('\\t', '\t'),
  }
}

const MOST_COMMANDS = 1_000

/** The commands of a line by program and arguments; the program's name in lower case, as these shells take it. */
function lines(code: string, separator: RegExp): Word[][] {
  return atMost(code.split(separator), MOST_COMMANDS, 'commands in a script')
    .map((line) => {
      const words = line.match(/"(?:`.|[^"])*"|'[^']*'|[^\s"'(){}]+/g) ?? []
      const argv = words.map((text) => {
        const bare = (/^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text).replace(
          /^(?:\$HOME|\$env:(?:HOME|USERPROFILE)|%USERPROFILE%)(?=[\\/]|$)/i,
          '~',
        )
        return { text: bare, ...(/[$%]\w/.test(bare) && !text.startsWith("'") && { unknown: true }) }
      })
      if (argv[0]?.text === '&' || argv[0]?.text === '.') argv.shift()
      return argv.map((word, at) => (at === 0 ? { ...word, text: word.text.toLowerCase() } : word))
    })
    .filter((argv) => argv.length > 0)
}
