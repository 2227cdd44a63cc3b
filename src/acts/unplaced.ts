/** A file that is written or edited, and no field that may say which one. */

import { isObject } from '../spec/tool.ts'

const WRITES: ReadonlySet<string> = new Set(['WriteFile', 'EditFile'])
const MAX_DEPTH = 4
const MAX_ITEMS = 20

/** Agents and servers have names of their own for the path, so whatever may be one counts, and so does a patch. */
const SAYS_WHERE =
  /path|file|uri|url|target|dest|document|notebook|folder|dir|location|name|source|^(?:to|patch(?:_?text)?|input|diff|cell_id)$/i

/** Why nobody can tell which file it is; undefined where a field may say. */
export function unplaced(tool: string, input: Readonly<Record<string, unknown>>): string | undefined {
  return WRITES.has(tool) && !saysWhere(input, 0) ? 'no field says which file is written' : undefined
}

function saysWhere(input: Readonly<Record<string, unknown>>, depth: number): boolean {
  return Object.entries(input).some(([field, value]) => {
    if (SAYS_WHERE.test(field)) return value !== undefined && value !== null && value !== ''
    const items = Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value]
    return depth < MAX_DEPTH && items.some((item) => isObject(item) && saysWhere(item, depth + 1))
  })
}
