/**
 * Steps of a longer task: each has a spinner while it runs and reports how it ended. Plain lines without a terminal.
 */

import type { Painter } from './paint.ts'
import { visible } from './visible.ts'

export interface Ended {
  state: 'done' | 'noted' | 'failed'
  text: string
  /** How to revert it. */
  undo?: string
}

const TURNS = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const TURN_MS = 80

export type Step = (doing: string, work: () => Promise<Ended>) => Promise<Ended>

export function steps(paint: Painter, output: NodeJS.WriteStream = process.stdout): Step {
  return async (doing, work) => {
    let turn = 0
    const draw = () => output.write(`\r\u001b[K${TURNS[turn++ % TURNS.length]} ${doing} …`)
    const timer = output.isTTY === true ? setInterval(draw, TURN_MS) : undefined
    if (timer) draw()
    try {
      const ended = await work()
      if (timer) output.write('\r\u001b[K')
      output.write(endWords(ended, paint))
      return ended
    } finally {
      clearInterval(timer)
    }
  }
}

function endWords({ state, text, undo }: Ended, paint: Painter): string {
  const mark = { done: paint.green('✓'), noted: paint.yellow('!'), failed: paint.red('✗') }[state]
  return `${mark} ${visible(text)}\n${undo ? `  ${paint.dim(`undo: ${visible(undo)}`)}\n` : ''}`
}
