/** Small languages that need no tokens: awk, sed, SQL, vim, PowerShell, cmd. */

import type { Effect, Language } from '../program.ts'
import type { Word } from '../word.ts'
import type { Scanned } from './scan.ts'

export function scanOther(language: Language, code: string): Scanned | null {
  const scan = OTHERS[language]
  return scan ? { effects: scan(code), unknown: [] } : null
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
    if (/\bsystem\s*\(\s*[^"\s)]|\$\w+\s*\|\s*getline/.test(code))
      effects.push({ does: 'unknown', why: 'awk runs what it reads' })
    return effects
  },
  sed(code) {
    const effects: Effect[] = []
    for (const line of code.split(/\n|;(?=\s*[\d$/{a-zA-Z])/).slice(0, MOST_COMMANDS)) {
      const piece = line.slice(0, 2000)
      const write = /(?:^|[\s\d$/}!])w\s+(\S.*)$/.exec(piece)
      if (write) effects.push({ does: 'write', path: { text: write[1]!.trim() } })
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
  sql: (code) => sql(code),
  vim(code) {
    const effects: Effect[] = []
    for (const [, text] of code.matchAll(/(?:^|[\n|:])\s*(?:silent!?\s+)?(?:%|\d+|\.)?!\s*([^\n]+)/g))
      effects.push({ script: { text: text! } })
    for (const [, text] of code.matchAll(/\bsystem(?:list)?\(\s*(?:'([^']*)'|"([^"]*)")/g))
      if (text !== undefined) effects.push({ script: { text } })
    for (const [, path] of code.matchAll(/(?:^|[\n|:])\s*(?:w|write|sav|saveas)!?\s+(?!!)(\S+)/g))
      effects.push({ does: 'write', path: { text: path! } })
    for (const [, path] of code.matchAll(/(?:^|[\n|:])\s*(?:r|read|e|edit|so|source)!?\s+(?!!)(\S+)/g))
      effects.push({ does: 'read', path: { text: path! } })
    return effects
  },
  powershell: (code) => lines(code, /[;\n]|\|\||&&|\|(?!\|)/).map((argv) => ({ argv })),
  cmd: (code) => lines(code.replace(/\^([^\n])/g, '$1'), /\n|&{1,2}|\|{1,2}/).map((argv) => ({ argv })),
}

function unescaped(text: string): Word {
  return {
    text: text
      .replace(/\\(["\\/])/g, '$1')
      .replaceAll('\\n', '\n')
      .replaceAll('\\t', '\t'),
  }
}

const MOST_COMMANDS = 100

/** The commands of a line by program and arguments; the program's name in lower case, as these shells take it. */
function lines(code: string, separator: RegExp): Word[][] {
  return code
    .split(separator)
    .slice(0, MOST_COMMANDS)
    .map((line) => {
      const words = line.match(/"(?:`.|[^"])*"|'[^']*'|[^\s"'(){}]+/g) ?? []
      const argv = words.map((text) => {
        const bare = /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text
        return { text: bare, ...(/[$%]\w/.test(bare) && !text.startsWith("'") && { unknown: true }) }
      })
      if (argv[0]?.text === '&' || argv[0]?.text === '.') argv.shift()
      return argv.map((word, at) => (at === 0 ? { ...word, text: word.text.toLowerCase() } : word))
    })
    .filter((argv) => argv.length > 0)
}

const LONGEST_SQL = 20_000

function sql(code: string): Effect[] {
  const effects: Effect[] = []
  const plain = code.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').replace(/'(?:''|[^'])*'/g, "''")
  for (const statement of plain.split(';').slice(0, 200)) {
    const text = statement.trim()
    const drop =
      /^(?:drop\s+(?:database|schema|table|view|index|user|role|tablespace|keyspace|collection)|truncate(?:\s+table)?)\b\s*(?:if\s+exists\s+)?(\S*)/i.exec(
        text,
      )
    if (drop) effects.push({ does: 'delete', place: 'database', why: `${text.slice(0, 60)}` })
    else if (/^delete\s+from\b/i.test(text) && !/\bwhere\b(?!\s*(?:1\s*=\s*1|true)\b)/i.test(text))
      effects.push({ does: 'delete', place: 'database', why: 'deletes every row' })
    else if (/^update\b/i.test(text) && /\bset\b/i.test(text) && !/\bwhere\b/i.test(text))
      effects.push({ does: 'write', place: 'database', why: 'changes every row' })
    else if (/^alter\s+table\b.*\bdrop\b/is.test(text))
      effects.push({ does: 'delete', place: 'database', why: 'drops a column' })
    else if (/^(?:insert|update|delete|create|alter|grant|revoke|merge|replace)\b/i.test(text))
      effects.push({ does: 'write', place: 'database' })
    else if (/^(?:select|show|with|describe|explain)\b/i.test(text))
      effects.push({ does: 'read', place: 'database' })
  }
  const short = code.slice(0, LONGEST_SQL)
  for (const [, path] of short.matchAll(/\b(?:into\s+(?:out|dump)file|to)\s+'([^']+)'/gi))
    effects.push({ does: 'write', path: { text: path! } })
  for (const [, program] of short.matchAll(/\b(?:from|to)\s+program\s+'((?:''|[^'])+)'/gi))
    effects.push({ script: { text: program! } })
  return effects
}
