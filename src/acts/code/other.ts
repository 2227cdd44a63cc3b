/** Small languages that need no tokens: awk, sed, SQL, vim, Tcl, recipes and scripts. */

import { atMost, beginning } from '../cut.ts'
import type { Effect, Language } from '../program.ts'
import { sqlEffects } from '../programs/sql.ts'
import type { Word } from '../word.ts'
import { scanCmd, scanPowershell } from './powershell.ts'
import type { Scanned } from './scan.ts'
import { environmentEffects } from './shown-variables.ts'

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
    // c = "rm"; system(c " -rf /")
    const texts = new Map(
      [...code.matchAll(/\b([A-Za-z_]\w*)\s*=\s*"((?:\\.|[^"\\])*)"/g)]
        .reverse()
        .map(([, name, text]) => [name!, text!]),
    )
    for (const [, given, piped, read] of code.matchAll(
      /\bsystem\s*\(([^()]{1,500})\)|\|&?\s*([a-z_]\w*)|\b([a-z_]\w*)\s*\|&?\s*getline/g,
    )) {
      const script = concatenated(given ?? piped ?? read ?? '', texts)
      if (script !== undefined) effects.push({ script: { text: script } })
    }
    if (/\/inet[46]?\/tcp\//.test(code) && /getline/.test(code))
      effects.push({ does: 'run', place: 'remote', why: 'gives another machine a shell' })
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
    for (const line of atMost(code.split(/\n|;(?=\s*[\d$/{a-zA-Z])/), MAX_COMMANDS, 'commands of sed')) {
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
    // expect: what is typed into the program
    // An answer that is only known at run time is typed into a question, not into a shell.
    for (const [, line] of code.matchAll(
      /(?:^|[;\n{])\s*(?:exp_)?send\s+(?:-\w+\s+|--\s+)*"((?:\\.|[^"\\])*)"/g,
    ))
      if (!line!.startsWith('$'))
        effects.push({ script: { text: unescaped(line!).text.replace(/(?:\\[rn]|\s)+$/, '') } })
    for (const [, path] of code.matchAll(/\bfile\s+delete\s+(?:-force\s+|--\s+)*([^\s;\]}]+)/g))
      effects.push({ does: 'delete', path: bare(path!), recursive: true })
    for (const [, path, mode = 'r'] of code.matchAll(/\bopen\s+("[^"]+"|\{[^}]+\}|[^\s\]]+)(?:\s+(\w+))?/g)) {
      const { text } = bare(path!)
      if (text.startsWith('|')) effects.push({ script: { text: text.slice(1) } })
      else effects.push({ does: /[wa+]/.test(mode) ? 'write' : 'read', path: { text } })
    }
    return effects
  },
  make(code) {
    const values = new Map(
      [...code.matchAll(/^(?:export\s+)?([\w.-]+)\s*[:?+]{0,2}=[ \t]*(.*)$/gm)].map(([, name, text]) => [
        name!,
        text!,
      ]),
    )
    const scripts: string[] = []
    for (const line of code.split('\n')) {
      const [, recipe] =
        /^(?:\t| {2,})\s*[@\-+]*(.*)$/.exec(line) ?? /^[^\s#=][^=;]*:[^=;]*;\s*[@\-+]*(.*)$/.exec(line) ?? []
      if (recipe !== undefined) scripts.push(recipe)
      for (const [, shell] of line.matchAll(/\$\(shell ([^()]*(?:\([^()]*\)[^()]*)*)\)/g))
        scripts.push(shell!)
    }
    return scripts.map((text) => ({ script: { text: expandedByMake(text, values) } }))
  },
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
  powershell: scanPowershell,
  cmd: scanCmd,
}

/** `$(NAME)` of the file, or else of the environment; `$$` is a dollar of the shell. */
function expandedByMake(text: string, values: ReadonlyMap<string, string>, depth = 0): string {
  return text.replace(/\$(?:\$|[({]([\w.-]+)[)}])/g, (_, name?: string) => {
    if (name === undefined) return '$'
    const value = values.get(name)
    return value === undefined || depth > 4 ? `\${${name}}` : expandedByMake(value, values, depth + 1)
  })
}

function bare(text: string): Word {
  return { text: text.replace(/^["{]|["}]$/g, '') }
}

/** awk joins what stands side by side: texts, and variables that hold one. */
function concatenated(expression: string, texts: ReadonlyMap<string, string>): string | undefined {
  const parts = expression.match(/"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|\S/g) ?? []
  let script = ''
  let hasName = false
  for (const part of parts) {
    if (part.startsWith('"')) script += unescaped(part.slice(1, -1)).text
    else {
      if (!/^[A-Za-z_]\w*$/.test(part)) return undefined
      const text = texts.get(part)
      if (text === undefined) return undefined
      hasName = true
      script += unescaped(text).text
    }
  }
  return hasName ? script : undefined
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

const MAX_COMMANDS = 1_000
