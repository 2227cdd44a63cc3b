/** Completion of fields and values from the JSON Schema of a HOOK.md, by where the cursor stands in the frontmatter. */

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'

interface Schema {
  properties?: Record<string, Schema>
  description?: string
  enum?: unknown[]
  examples?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  type?: string | string[]
}

export function completeFrom(schema: unknown) {
  return (context: CompletionContext): CompletionResult | null => {
    const line = context.state.doc.lineAt(context.pos)
    if (!isInFrontmatter(context, line.number)) return null
    const before = line.text.slice(0, context.pos - line.from)
    const value = /^(\s*(?:- +)?)([\w-]+):\s+(?:\[(?:[^\]]*,)?\s*)?([\w/-]*)$/.exec(before)
    if (value) {
      const [, indent, key, typed] = value
      const found = at(schema as Schema, [...pathAbove(context, line.number, indent!.length), key!])
      const options = valuesOf(found).map((label): Completion => ({ label, type: 'enum' }))
      return options.length > 0 ? { from: context.pos - typed!.length, options } : null
    }
    const name = /^(\s*(?:- +)?)([\w-]*)$/.exec(before)
    if (!name || (!context.explicit && name[2] === '')) return null
    const found = at(schema as Schema, pathAbove(context, line.number, name[1]!.length))
    const options = Object.entries(propertiesOf(found)).map(
      ([label, { description }]): Completion => ({
        label,
        apply: `${label}: `,
        type: 'property',
        ...(description ? { info: description } : {}),
      }),
    )
    return options.length > 0 ? { from: context.pos - name[2]!.length, options } : null
  }
}

function isInFrontmatter({ state }: CompletionContext, line: number): boolean {
  if (line === 1 || state.doc.line(1).text.trimEnd() !== '---') return false
  for (let i = 2; i < line; i++) if (state.doc.line(i).text.trimEnd() === '---') return false
  return state.doc.line(line).text.trimEnd() !== '---'
}

/** The keys around a line, by their indentation. */
function pathAbove({ state }: CompletionContext, line: number, indent: number): string[] {
  const path: string[] = []
  let limit = indent
  for (let i = line - 1; i > 1 && limit > 0; i--) {
    const found = /^(\s*(?:- +)?)([\w-]+):/.exec(state.doc.line(i).text)
    if (!found || found[1]!.length >= limit) continue
    limit = /^(\s*)/.exec(found[1]!)![1]!.length
    path.unshift(found[2]!)
  }
  return path
}

function at(schema: Schema, path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((from, key) => propertiesOf(from)[key], schema)
}

/** Of an object, of what a list holds, and of each alternative. */
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
