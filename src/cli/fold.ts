/** Lines that are longer than the terminal is wide go on below their own text, and are broken between words. */

import { terminalWidth } from './paint.ts'
import { textWidth } from './table.ts'

/** As wide as the terminal behind this descriptor; what goes to a file or a program stays as it is. */
export function foldedFor(fd: 1 | 2, text: string): string {
  const width = terminalWidth(fd)
  return width === undefined ? text : fold(text, width)
}

export function fold(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (textWidth(line) > width ? foldLine(line, width) : line))
    .join('\n')
}

/** A word with the blanks before it; a command between backquotes is one word, so that it can be copied. */
const WORD = /\s*(?:[^\s`]*`crosshook [^`]*`[^\s`]*|\S+)/g

function foldLine(line: string, width: number): string {
  const { indent, isFar } = indentOf(line, width)
  const lines: string[] = []
  let current = ''
  const words = (line.match(WORD) ?? []).flatMap((word) =>
    indent + textWidth(word.trimStart()) > width ? (word.match(/\s*\S+/g) ?? []) : [word],
  )
  for (const word of words) {
    const mustBreak = isFar && lines.length === 0 && word.startsWith('  ')
    if (current.trim() === '' || (!mustBreak && textWidth(current + word) <= width)) current += word
    else {
      lines.push(current)
      current = ' '.repeat(indent) + word.trimStart()
    }
  }
  return [...lines, current].join('\n')
}

/** Where the text of the last column begins; below the first one where that is too far to the right. */
function indentOf(line: string, width: number): { indent: number; isFar: boolean } {
  const plain = line.replace(COLOUR, '')
  const gaps = [...plain.matchAll(/\S {2,}(?=\S)/g)].map((gap) => gap.index + gap[0].length)
  const near = gaps.filter((end) => end <= width / 2)
  const first = Math.min(plain.search(/\S/), Math.floor(width / 4))
  const item = /^\s*(?:[-*]|\d+\.) /.exec(plain)?.[0].length
  if (item !== undefined && item < width / 2) return { indent: item, isFar: false }
  if (near.length > 0) return { indent: near.at(-1)!, isFar: false }
  return gaps.length > 0 ? { indent: first + 4, isFar: true } : { indent: first, isFar: false }
}

const COLOUR = /\u001b\[\d+m/g
