/** Completion at the cursor in the frontmatter, from the JSON Schema of a HOOK.md. */

import type { EditorState } from '@codemirror/state'

interface Schema {
  properties?: Record<string, Schema>
  description?: string
  enum?: unknown[]
  examples?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  type?: string | string[]
}

export interface Choice {
  label: string
  /** The text that is inserted. */
  text: string
  info?: string | undefined
}

export interface Choices {
  /** Where the part that was already typed begins. */
  from: number
  all: Choice[]
}

const MAX_OPTIONS = 40

/** `isAsked`: the person pressed Ctrl-Space, so show all options even when nothing has been typed. */
export function choicesAt(state: EditorState, schema: unknown, isAsked: boolean): Choices | undefined {
  const { head, empty } = state.selection.main
  const line = state.doc.lineAt(head)
  if (!empty || !isInFrontmatter(state, line.number)) return undefined
  const before = line.text.slice(0, head - line.from)
  const value = /^(\s*(?:- +)?)([\w-]+):\s+(?:\[(?:[^\]]*,)?\s*)?([\w/-]*)$/.exec(before)
  if (value) {
    const [, indent, key, typed] = value
    const found = at(schema as Schema, [...pathAbove(state, line.number, indent!.length), key!])
    const all = valuesOf(found).map((label): Choice => ({ label, text: label }))
    return chosen(all, typed!, head, isAsked)
  }
  const name = /^(\s*(?:- +)?)([\w-]*)$/.exec(before)
  if (!name) return undefined
  const found = at(schema as Schema, pathAbove(state, line.number, name[1]!.length))
  const all = Object.entries(propertiesOf(found)).map(
    ([label, { description }]): Choice => ({ label, text: `${label}: `, info: description }),
  )
  return chosen(all, name[2]!, head, isAsked)
}

/** Options that begin with the typed text, then those that contain it. */
function chosen(all: readonly Choice[], typed: string, head: number, isAsked: boolean): Choices | undefined {
  if (typed === '' && !isAsked) return undefined
  const word = typed.toLowerCase()
  const begin = all.filter(({ label }) => label.toLowerCase().startsWith(word))
  const hold = all.filter((each) => !begin.includes(each) && each.label.toLowerCase().includes(word))
  const found = [...begin, ...hold].slice(0, MAX_OPTIONS)
  if (found.length === 0 || (found.length === 1 && found[0]!.label === typed)) return undefined
  return { from: head - typed.length, all: found }
}

function isInFrontmatter({ doc }: EditorState, line: number): boolean {
  if (line === 1 || doc.line(1).text.replace('\ufeff', '').trimEnd() !== '---') return false
  for (let i = 2; i < line; i++) if (doc.line(i).text.trimEnd() === '---') return false
  return doc.line(line).text.trimEnd() !== '---'
}

/** The keys around a line, by their indentation. */
function pathAbove({ doc }: EditorState, line: number, indent: number): string[] {
  const path: string[] = []
  let limit = indent
  for (let i = line - 1; i > 1 && limit > 0; i--) {
    const found = /^(\s*(?:- +)?)([\w-]+):/.exec(doc.line(i).text)
    if (!found || found[1]!.length >= limit) continue
    limit = /^(\s*)/.exec(found[1]!)![1]!.length
    path.unshift(found[2]!)
  }
  return path
}

function at(schema: Schema, path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((from, key) => propertiesOf(from)[key], schema)
}

/** Properties of an object, of the items of a list, and of each alternative. */
function propertiesOf(schema: Schema | undefined): Record<string, Schema> {
  if (!schema) return {}
  return {
    ...(schema.items ? propertiesOf(schema.items) : {}),
    ...Object.assign({}, ...(schema.anyOf ?? []).map(propertiesOf)),
    ...schema.properties,
  }
}

function valuesOf(schema: Schema | undefined): string[] {
  if (!schema) return []
  const own = [...(schema.enum ?? []), ...(schema.examples ?? [])].map(String)
  const inner = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap(valuesOf)
  return [...new Set([...own, ...inner, ...(schema.type === 'boolean' ? ['true', 'false'] : [])])]
}
