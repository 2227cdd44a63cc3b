/** Rows as aligned columns. */

import { visible } from './visible.ts'

/** The last column is not padded. */
export function columns(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell))
  return rows
    .map((row) =>
      `${indent}${row.map((cell, at) => (at === row.length - 1 ? cell : cell + ' '.repeat(widths[at]! - textWidth(cell)))).join('  ')}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/** On one line, truncated to this many characters. */
export function brief(text: string, most = 60): string {
  const line = visible(text).replace(/\s+/g, ' ').trim()
  const letters = [...line]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line
}

/** Width on the screen, without colour codes. */
export function textWidth(text: string): number {
  return [...text.replace(/\u001b\[\d+m/g, '')].length
}
