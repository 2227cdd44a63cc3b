/** A list to choose from on a terminal: arrows move, space marks, enter goes on, escape gives up. */

import { emitKeypressEvents, type Key } from 'node:readline'
import type { Painter } from './paint.ts'

export interface Choice {
  id: string
  text: string
  note?: string
  isMarked: boolean
}

export interface Chooser {
  title: string
  choices: readonly Choice[]
  /** Only one of them. */
  isSingle?: boolean
}

/** The marked ids; undefined when the person cancelled. */
export async function choose(
  { title, choices, isSingle = false }: Chooser,
  paint: Painter,
  input: NodeJS.ReadStream = process.stdin,
  output: NodeJS.WriteStream = process.stdout,
): Promise<string[] | undefined> {
  const marked = new Set(choices.filter(({ isMarked }) => isMarked).map(({ id }) => id))
  let at = Math.max(
    0,
    choices.findIndex(({ isMarked }) => isMarked),
  )
  let drawn = 0
  const draw = (isOver = false) => {
    const lines = [
      `${paint.bold(title)}${isOver ? '' : paint.dim('   ↑ ↓ move, space marks, enter goes on, esc stops')}`,
      ...choices.map(({ id, text, note }, i) => {
        const mark = marked.has(id) ? paint.green('◉') : '◯'
        const line = `${i === at && !isOver ? paint.bold('›') : ' '} ${mark} ${text}`
        return clip(`${line}${note ? `  ${paint.dim(note)}` : ''}`, output.columns)
      }),
    ]
    output.write(
      `${drawn > 0 ? `\u001b[${drawn}A` : ''}${lines.map((line) => `\r\u001b[K${line}\n`).join('')}`,
    )
    drawn = lines.length
  }
  const toggle = () => {
    const { id } = choices[at]!
    if (isSingle) marked.clear()
    if (marked.has(id)) marked.delete(id)
    else marked.add(id)
  }
  const { promise, resolve } = Promise.withResolvers<string[] | undefined>()
  const onKey = (_: string | undefined, key: Key) => {
    if (key.name === 'escape' || (key.ctrl && (key.name === 'c' || key.name === 'd')))
      return resolve(undefined)
    if (key.name === 'return' || key.name === 'enter')
      return resolve(choices.map(({ id }) => id).filter((id) => marked.has(id)))
    if (key.name === 'up' || key.name === 'k') at = (at + choices.length - 1) % choices.length
    if (key.name === 'down' || key.name === 'j') at = (at + 1) % choices.length
    if (isSingle && key.name !== 'space') {
      marked.clear()
      marked.add(choices[at]!.id)
    } else if (key.name === 'space') toggle()
    draw()
  }
  emitKeypressEvents(input)
  input.setRawMode(true)
  input.resume()
  input.on('keypress', onKey)
  try {
    draw()
    const chosen = await promise
    draw(true)
    return chosen
  } finally {
    input.off('keypress', onKey)
    input.setRawMode(false)
    input.pause()
  }
}

/** A line that wraps would be drawn twice. Colour codes take no columns. */
function clip(line: string, columns = 80): string {
  let width = 0
  let text = ''
  for (const [part] of line.matchAll(/\u001b\[\d+m|./gsu)) {
    if (part.startsWith('\u001b')) text += part
    else if (++width < columns) text += part
  }
  return text
}
