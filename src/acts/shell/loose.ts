/** Words of a text that is no valid shell line: cut wherever a command could begin. */

import { decodeEscapes } from './prints.ts'

export function looseWords(text: string): string[][] {
  const pieces: string[][] = []
  const plain = text
    .replace(/\\\r?\n/g, '')
    .replace(/\$\{?IFS\}?/g, ' ')
    .replace(/\$'((?:\\[\s\S]|[^'\\])*)'/g, (_, quoted: string) => decodeEscapes(quoted))
    .replace(/\{([^{}\s]*,[^{}\s]*)\}/g, (_, choices: string) => choices.replaceAll(',', ' '))
  for (const piece of plain.split(/[;&|\n(){}`!]+/)) {
    const words = piece
      .split(/\s+/)
      .map((word) => word.replace(/[\\"'$]/g, ''))
      .filter((word) => word !== '')
    while (words.length > 0 && (LEADERS.has(words[0]!) || /^[A-Za-z_]\w*\+?=/.test(words[0]!))) words.shift()
    if (words.length > 0) pieces.push(words)
  }
  return pieces
}

const LEADERS = new Set([
  'if',
  'then',
  'else',
  'elif',
  'while',
  'until',
  'do',
  'time',
  'fi',
  'done',
  'case',
  'in',
])
