/** In which line of the text a field stands. */

import { findNodeAtLocation, type ParseError, parseTree } from 'jsonc-parser'
import type { Issue } from './issues.ts'

export function lineFinder(text: string): (at: Pick<Issue, 'path'>) => number | undefined {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true })
  return ({ path }) => {
    if (path.length === 0) return errors[0] && lineOf(text, errors[0].offset)
    // A field that is missing is reported where it should stand.
    for (let length = path.length; tree !== undefined && length >= 0; length--) {
      const node = findNodeAtLocation(tree, path.slice(0, length))
      if (node === undefined) continue
      return lineOf(text, node.parent?.type === 'property' ? node.parent.offset : node.offset)
    }
    return undefined
  }
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
