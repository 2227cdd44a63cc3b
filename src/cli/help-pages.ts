/** The documentation pages in the package, as shown by `crosshook help TOPIC`. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fold } from './fold.ts'
import { galleryFolder } from './gallery.ts'
import type { Painter } from './paint.ts'
import { columns } from './table.ts'

/** The reference first, then the guides. */
const FOLDERS = ['docs/reference', 'docs']

export interface Page {
  topic: string
  title: string
  file: string
}

export function helpPages(): Page[] {
  const root = dirname(galleryFolder())
  const pages = FOLDERS.flatMap((folder) => {
    const at = join(root, folder)
    if (!existsSync(at)) return []
    return readdirSync(at)
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => ({ topic: name.slice(0, -3), file: join(at, name) }))
  })
  return pages.map(({ topic, file }) => ({
    topic,
    file,
    title: titleOf(readFileSync(file, 'utf8')) ?? topic,
  }))
}

function titleOf(text: string): string | undefined {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '')
}

/** Markdown for a terminal: tables as columns, without markup for comments, links and code. */
export function pageWords(file: string, paint: Painter, width: number): string {
  const lines = readFileSync(file, 'utf8')
    .replace(/<!--[\s\S]*?-->\n*/g, '')
    .split('\n')
  const out: string[] = []
  let rows: string[][] = []
  let isCode = false
  let paragraph = ''
  const endPart = () => {
    if (rows.length > 0) out.push(tableWords(rows, paint, width))
    rows = []
    if (paragraph !== '') out.push(`${fold(paragraph, width)}\n`)
    paragraph = ''
  }
  for (const line of lines) {
    if (!isCode && paragraph !== '' && isProse(line) && !ITEM.test(line)) {
      paragraph += ` ${plain(line.trim())}`
      continue
    }
    if (/^\|.*\|$/.test(line) && !isCode) {
      if (!/^\|[\s|:-]+\|$/.test(line)) rows.push(cellsOf(line))
      continue
    }
    endPart()
    if (line.startsWith('```')) isCode = !isCode
    else if (isCode) out.push(`    ${line}\n`)
    else if (/^#+ /.test(line)) out.push(`${paint.bold(plain(line.replace(/^#+ /, '')))}\n`)
    else if (line.trim() === '') out.push('\n')
    else paragraph = plain(line)
  }
  endPart()
  return out.join('').replace(/\n{3,}/g, '\n\n')
}

/** Start of a list item; its further lines are indented to its text. */
const ITEM = /^\s*(?:[-*]|\d+\.) /

function isProse(line: string): boolean {
  return line.trim() !== '' && !/^(?:\||#+ |```)/.test(line)
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => plain(cell.trim().replaceAll('\\|', '|')))
}

function plain(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
}

/** A last column narrower than this is printed below the others. */
const NARROWEST = 30

function tableWords(rows: readonly string[][], paint: Painter, width: number): string {
  const [head = [], ...body] = rows
  const widths = head.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  const first = widths.slice(0, -1).reduce((sum, each) => sum + Math.min(each, MAX_CELL_CHARS) + 2, 2)
  const last = width - first
  if (last < NARROWEST)
    return body
      .map(
        (row) =>
          `  ${paint.bold(row[0] ?? '')}\n${row
            .slice(1)
            .map((cell, at) =>
              cell === ''
                ? ''
                : wrapped(`${head[at + 1]}: ${cell}`, width - 6)
                    .map((part) => `      ${part}\n`)
                    .join(''),
            )
            .join('')}`,
      )
      .join('')
  const lines = body.flatMap((row) => wrappedRow(row, last, paint))
  return columns([head.map((cell) => paint.dim(cell)), ...lines], '  ')
}

/** Longest cell, except in the last column. */
const MAX_CELL_CHARS = 40

function wrappedRow(row: readonly string[], last: number, paint: Painter): string[][] {
  const cells = row.map((cell, at) => wrapped(cell, at === row.length - 1 ? last : MAX_CELL_CHARS))
  const height = Math.max(...cells.map((parts) => parts.length))
  return Array.from({ length: height }, (_, i) =>
    cells.map((parts, at) => (at === 0 ? paint.bold(parts[i] ?? '') : (parts[i] ?? ''))),
  )
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
