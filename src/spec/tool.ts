/** Canonical tools: the shell tool is called `Shell`, whatever an agent calls it. */

export const TOOLS = {
  Shell: { fields: ['command'], needs: 'command' },
  ReadFile: { fields: ['path'] },
  WriteFile: { fields: ['path', 'content'] },
  EditFile: { fields: ['path', 'old_string', 'new_string', 'edits', 'patch', 'paths'] },
  DeleteFile: { fields: ['path'] },
  Search: { fields: ['pattern', 'path'] },
  FindFiles: { fields: ['pattern', 'path'] },
  ListFolder: { fields: ['path'] },
  WebFetch: { fields: ['url'] },
  WebSearch: { fields: ['query'] },
  Subagent: { fields: ['prompt', 'subagent_type'] },
  Todo: { fields: ['todos'] },
} as const satisfies Record<string, ToolFields>

interface ToolFields {
  fields: readonly string[]
  /** Without it a call does not say what it does. */
  needs?: string
}

export type ToolName = keyof typeof TOOLS

/** Canonical fields that are not texts. A command is a line, or a list of words. */
const NOT_TEXT: Readonly<Record<string, (value: unknown) => boolean>> = {
  command: isCommand,
  edits: Array.isArray,
  paths: Array.isArray,
  todos: Array.isArray,
}

/**
 * What is wrong with the given fields of a canonical tool, since such a call could not be judged; undefined when
 * nothing is, and for other tools.
 */
export function wrongField(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  isLongText: (field: string) => boolean = () => false,
): string | undefined {
  const fields = Object.hasOwn(TOOLS, tool) ? TOOLS[tool as ToolName].fields : []
  for (const field of fields) {
    if (isLongText(field)) continue // long texts are not read for this
    const value = input[field]
    if (value === undefined) continue
    const fits = NOT_TEXT[field] ?? ((given: unknown) => typeof given === 'string')
    if (!fits(value)) return `\`${field}\` of ${tool} is ${kindOf(value)}`
  }
  return undefined
}

/** Why nobody can say what a call is about to do; undefined when nothing speaks against it. */
export function unreadInput(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  isLongText: (field: string) => boolean = () => false,
): string | undefined {
  const row: ToolFields | undefined = Object.hasOwn(TOOLS, tool) ? TOOLS[tool as ToolName] : undefined
  if (row === undefined) return undefined
  const { needs } = row
  const isMissing = needs !== undefined && !isLongText(needs) && input[needs] === undefined
  return isMissing ? `\`${needs}\` of ${tool} is missing` : wrongField(tool, input, isLongText)
}

export function isCommand(value: unknown): boolean {
  return (
    typeof value === 'string' || (Array.isArray(value) && value.every((word) => typeof word === 'string'))
  )
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The type of a value in words: the value itself may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** One native tool: its canonical name, and the canonical names of its fields. */
export interface ToolRow {
  name: ToolName
  /** Native field → canonical field, where they differ. */
  fields?: Readonly<Record<string, string>>
}

/** Native tool name → row. */
export type ToolTable = Readonly<Record<string, ToolRow>>

/** MCP tools have one canonical spelling, `mcp__server__tool`. */
export function mcpName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`
}

export function parseMcpName(name: string): { server: string; tool: string } | undefined {
  const found = /^mcp__(.+?)__(.+)$/.exec(name)
  return found ? { server: found[1]!, tool: found[2]! } : undefined
}

/** A native call with canonical names. Fields without a canonical name are kept. */
export function toCanonicalTool(
  table: ToolTable,
  name: string,
  input: Record<string, unknown>,
  copy: CopyField = copyField,
): { name: string; input: Record<string, unknown> } {
  const row = Object.hasOwn(table, name) ? table[name] : undefined
  return row ? { name: row.name, input: renameFields(input, row.fields ?? {}, copy) } : { name, input }
}

/** A rewritten canonical input with the agent's own field names. */
export function toNativeInput(
  table: ToolTable,
  nativeName: string,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const row = Object.hasOwn(table, nativeName) ? table[nativeName] : undefined
  if (!row?.fields) return input
  const back = Object.fromEntries(
    Object.entries(row.fields).map(([native, canonical]) => [canonical, native]),
  )
  return renameFields(input, back)
}

/** A format's own name for a canonical tool: the first native tool with that canonical name. */
export function toNativeTool(
  table: ToolTable,
  name: string,
  input: Record<string, unknown>,
): { name: string; input: Record<string, unknown> } {
  const native = Object.keys(table).find((key) => table[key]!.name === name)
  return native === undefined ? { name, input } : { name: native, input: toNativeInput(table, native, input) }
}

const PATH_FIELDS = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'notebook_path',
  'absolute_path',
  'directory_path',
  'dir_path',
]
const PATH_LISTS = ['paths', 'files', 'file_paths', 'filePaths', 'operations', 'edits']

/** Every path that a tool's input names. */
export function touchedPaths(input: Record<string, unknown>): string[] {
  const found: string[] = []
  for (const field of PATH_FIELDS) {
    const value = input[field]
    if (typeof value === 'string') found.push(value)
  }
  for (const field of PATH_LISTS) {
    const value = input[field]
    if (!Array.isArray(value)) continue
    for (const item of value) {
      if (typeof item === 'string') found.push(item)
      else if (typeof item === 'object' && item !== null)
        found.push(...touchedPaths(item as Record<string, unknown>))
    }
  }
  for (const field of ['patch', 'input', 'diff']) {
    const text = input[field]
    if (typeof text !== 'string') continue
    for (const line of text.matchAll(
      /^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$|^\*\*\* Move to: (.+?)\s*$/gm,
    ))
      found.push((line[1] ?? line[2])!)
    for (const line of text.matchAll(/^(?:---|\+\+\+) (?:[ab]\/)?(?!\/dev\/null)(.+?)(?:\t.*)?$/gm))
      found.push(line[1]!)
  }
  return [...new Set(found)]
}

/** `to[name] = from[field]` */
type CopyField = (
  from: Record<string, unknown>,
  field: string,
  to: Record<string, unknown>,
  name: string,
) => void

const copyField: CopyField = (from, field, to, name) => {
  const value = from[field]
  // A plain assignment to `__proto__` would change what the copy inherits.
  Object.defineProperty(to, name, { value, writable: true, enumerable: true, configurable: true })
}

function renameFields(
  input: Record<string, unknown>,
  names: Readonly<Record<string, string>>,
  copy: CopyField = copyField,
): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(input)) copy(input, key, out, Object.hasOwn(names, key) ? names[key]! : key)
  return out
}
