/** Wraps lines that are longer than the terminal is wide, between words and indented to their text. */

import { terminalWidth } from './paint.ts'
import { textWidth } from './table.ts'

/** Wraps to the width of the terminal at this descriptor; output to a file or program is unchanged. */
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

/** A word with the blanks before it; a command in backquotes is one word, so that it can be copied. */
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

/** Column of the last cell's text; of the first one where that is too far to the right. */
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
