/** The documents of the repository, and the fenced blocks in them. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

const PLACES = [
  '*.md',
  'docs/**/*.md',
  'packaging/**/*.md',
  'examples/**/*.md',
  'python/*.md',
  'gallery/*.md',
]

export function documents(): string[] {
  const found = PLACES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  return found.filter((file) => !file.includes('node_modules')).sort()
}

export interface Block {
  /** Of the fence, from 1. */
  line: number
  language: string
  text: string
  /** What the comment before it says: `file: PATH`, `not run: REASON`. */
  comment: string | undefined
}

export function blocksIn(file: string): Block[] {
  const page = readFileSync(join(ROOT, file), 'utf8')
  const fences = page.matchAll(/(?:^ *<!-- (.*?) -->\n+)?^( *)```(\S*)\n([\s\S]*?)^\2```/gm)
  return [...fences].map((found) => ({
    line: page.slice(0, found.index + found[0].indexOf('```')).split('\n').length,
    language: found[3]!,
    text: found[4]!,
    comment: found[1],
  }))
}
