/** A JSON file with the line of each of its parts, for problems that point at the place. Loaded only while reading files. */

import { findNodeAtLocation, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

export interface JsonDocument {
  value: unknown
  /** The line of a member or item; of the nearest part above it when it is not there. */
  line(path: readonly (string | number)[]): number
  /** Why the text is not JSON, and where. */
  error?: { message: string; line: number }
}

export function parseJson(text: string): JsonDocument {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const errors: ParseError[] = []
  const root = parseTree(source, errors, { disallowComments: true, allowTrailingComma: false })
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length
  const line = (path: readonly (string | number)[]): number => {
    for (let depth = path.length; root && depth > 0; depth--) {
      const node = findNodeAtLocation(root, path.slice(0, depth))
      if (node) return lineAt((node.parent?.type === 'property' ? node.parent : node).offset)
    }
    return 1
  }
  const first = errors[0]
  if (first)
    return {
      value: undefined,
      line,
      error: { message: sentence(printParseErrorCode(first.error)), line: lineAt(first.offset) },
    }
  return { value: JSON.parse(source), line }
}

/** `CommaExpected` → `comma expected`. */
function sentence(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}
