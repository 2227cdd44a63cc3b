/** Code and statements that tools are given: cells of notebooks, lines of an interpreter, scripts of a browser. */

import type { Effect, Language } from './program.ts'

type Input = Readonly<Record<string, unknown>>

const CODE =
  /^(?:code|source|source_?code|snippet|cell_?source|new_?source|script|javascript|js|gdscript|python|expression|function|input)$/i
const CELLS = /notebook|jupyter|ipython|cell|colab/i

/** What a field with code in it does; undefined when it is none. */
export function codeIn(
  verb: string,
  name: string,
  field: string,
  value: string,
  around: Input,
): Effect[] | undefined {
  const isCell = field === 'content' && around.cell_type === 'code'
  if (!CODE.test(field) && !isCell) return undefined
  if (isCell || (CELLS.test(name) && field !== 'input')) {
    const kind = around.cell_type ?? around.cellType ?? around.type
    return verb === 'read' || verb === 'look' || kind === 'markdown' || kind === 'raw'
      ? []
      : cellEffects(value)
  }
  if (/applescript|osascript|jxa/i.test(name) || /applescript|jxa/i.test(String(around.language)))
    return appleScripts(value)
  const language = 'language' in around || 'lang' in around ? languageOf(name, around) : spoken(name)
  if (/^(?:script|input|function|expression)$/.test(field)) {
    if (language === undefined || language === 'shell') return undefined
    if (field === 'input' && !/repl|python|node|interpreter/i.test(name)) return undefined
  } else if (verb !== 'run' && language === undefined) return undefined
  else if (field === 'source' && !('language' in around || 'lang' in around)) return undefined
  if (verb === 'read' || verb === 'look') return undefined
  if (language === undefined || language === 'python') return cellEffects(value)
  return [{ code: language, text: { text: value } }]
}

/** A cell: `%%bash` makes it another language's, `!command` and `%sx command` are lines for a shell. */
function cellEffects(cell: string): Effect[] {
  let start = 0
  for (let magic = magicAt(cell, start); magic; magic = magicAt(cell, start)) {
    const [head, name = '', rest = ''] = magic
    start += head.length
    const target = /^(?:writefile|file)$/.test(name) ? rest.trim().split(/\s+/).at(-1) : undefined
    if (target) return [{ does: 'write', path: { text: target } }]
    const program = name === 'script' ? (rest.trim().split(/\s+/)[0] ?? '') : name
    const language = MAGICS.find(([test]) => test.test(program))?.[1]
    if (language) return [{ code: language, text: { text: cell.slice(start) } }]
    // `%%time`, `%%capture`: the rest is a cell as any other.
  }
  const effects: Effect[] = []
  const plain = cell.slice(start).replace(SHELL_LINE, (_, command: string) => {
    effects.push({ script: { text: command.replace(/\\\n/g, ' ') } })
    return ''
  })
  return [...effects, { code: 'python', text: { text: plain } }]
}

/** The first line of a cell that begins here, if it says what the cell is. */
function magicAt(cell: string, start: number): RegExpExecArray | null {
  MAGIC.lastIndex = start
  return MAGIC.exec(cell)
}

const MAGIC = /\s*%%(\S+)([^\n]*)\n/y

const MAGICS: readonly (readonly [RegExp, Language])[] = [
  [/^(?:.*\/)?(?:ba|z|da|k)?sh$|^(?:system|sx|!)$/, 'shell'],
  [/^(?:.*\/)?(?:python|pypy)[\d.]*$/, 'python'],
  [/^(?:.*\/)?(?:node|deno|bun)$/, 'javascript'],
  [/^(?:.*\/)?perl$/, 'perl'],
  [/^(?:.*\/)?ruby$/, 'ruby'],
  [/^(?:powershell|pwsh)$/, 'powershell'],
  [/^cmd$/, 'cmd'],
  [/^(?:sql|bigquery)$/, 'sql'],
]
const SHELL_LINE = /^[ \t]*(?:[\w, ]+=[ \t]*)?(?:!!?|%sx[ \t]|%system[ \t]|%%sx[ \t])((?:\\\n|[^\n])+)$/gm

/** AppleScript and JXA start a shell by name. */
function appleScripts(script: string): Effect[] {
  const found = script.matchAll(/do\s*shell\s*script\s*\(?\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)')/gi)
  return [...found].map(([, double, single]) => ({
    script: { text: (double ?? single ?? '').replace(/\\(.)/g, '$1') },
  }))
}

function languageOf(name: string, around: Input): Language {
  const said = ['language', 'lang', 'runtime', 'interpreter', 'kernel']
    .map((field) => around[field])
    .find((value) => typeof value === 'string')
  return spoken(typeof said === 'string' ? said : '') ?? spoken(name) ?? 'python'
}

/** By the name of a language, or a tool's name with one in it. */
function spoken(hint: string): Language | undefined {
  if (
    /node|javascript|typescript|(?:^|[\W_])[jt]s(?:$|[\W_])|deno|bun|browser|puppeteer|playwright|chrome|devtools|selenium|webdriver/i.test(
      hint,
    )
  )
    return 'javascript'
  if (/python|ipython|jupyter|(?:^|[\W_])py(?:$|[\W_])/i.test(hint)) return 'python'
  if (/ruby/i.test(hint)) return 'ruby'
  if (/perl/i.test(hint)) return 'perl'
  if (/(?:^|[\W_])php/i.test(hint)) return 'php'
  if (/powershell|pwsh/i.test(hint)) return 'powershell'
  if (/bash|shell|(?:^|[\W_])z?sh(?:$|[\W_])/i.test(hint)) return 'shell'
  // By the words around their texts.
  if (
    /unity|csharp|godot|gdscript|matlab|octave|groovy|kotlin|julia|elisp|emacs|clojure|swift|dotnet/i.test(
      hint,
    )
  )
    return 'other'
  if (/(?:^|[\W_])r(?:$|[\W_])/i.test(hint)) return 'r'
  return undefined
}

const STORES =
  /sql|postgres|database|sqlite|mysql|db|bigquery|snowflake|clickhouse|supabase|neon|redshift|databricks|duckdb|trino|athena|migration/i

/** By its field and the tool, or by how it begins where no other tool takes such a text. */
export function isSql(name: string, field: string, value: string): boolean {
  if (/^(?:sql|ddl|cql|sql_?(?:quer(?:y|ies)|statements?|text|string|code)|raw_?sql)$/i.test(field))
    return true
  if (!/^(?:quer(?:y|ies)|statements?|migration)$/i.test(field)) return false
  if (STORES.test(name)) return true
  return (
    /^\s*(?:drop\s+(?:table|database|schema|index|view)|truncate\s|delete\s+from|alter\s+table)\s*\S/i.test(
      value,
    ) && !/search|docs|documentation|find|web|ask|issue|list/i.test(name)
  )
}

/** It is looked at, not carried out. */
export function isExplained(name: string, input: Input): boolean {
  return /(?:^|_)(?:explain|validate|format|lint|parse)(?:[_-]|[A-Z]|$)/.test(name) && input.analyze !== true
}

export function isSelect(input: Input): boolean {
  const statement = input.query ?? input.sql ?? input.statement
  return typeof statement === 'string' && /^\s*(?:select|explain)\b/i.test(statement)
}
