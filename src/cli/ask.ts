/** A yes-or-no question on a terminal. */

import { createInterface } from 'node:readline/promises'

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

export async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } catch {
    return false // Ctrl-C or Ctrl-D at the question
  } finally {
    lines.close()
  }
}
