/** What checks read of a tool's input: paths, command lines, texts. Computed once per input for all hooks. */

import type { CommandReader } from '../acts/commands.ts'
import type { SimpleCommand } from '../acts/word.ts'
import type { HookEvent } from '../spec/event.ts'
import { touchedPaths } from '../spec/tool.ts'

type PlainReader = (line: string) => string[] | undefined
let plainReader: PlainReader | undefined

/** See plain-lines.ts. */
export function readPlainLinesBy(reader: PlainReader): void {
  plainReader = reader
}

export function inputOf(event: HookEvent): Record<string, unknown> {
  const input = event.tool_input
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : NO_INPUT
}

const NO_INPUT: Record<string, unknown> = Object.freeze({})

/** A rewritten input is a new object and is computed again. */
function remembered<T>(compute: (input: Record<string, unknown>) => T): (event: HookEvent) => T {
  const known = new WeakMap<object, T>()
  return (event) => {
    const input = inputOf(event)
    let value = known.get(input)
    if (value === undefined) {
      value = compute(input)
      known.set(input, value)
    }
    return value
  }
}

export const paths = remembered(touchedPaths)

export const commandLines = remembered((input) => {
  const { command } = input
  if (typeof command === 'string') return [command]
  if (!Array.isArray(command)) return []
  return command.filter((word) => typeof word === 'string')
})

/** The commands of a line that needs no shell parser; undefined when it needs one. */
export function plainCommandsOf(event: HookEvent): string[] | undefined {
  const { command } = inputOf(event)
  return typeof command === 'string' ? plainReader?.(command) : undefined
}

/** The raw text to search: each line, and a list of words also as one line. */
export function rawCommands(event: HookEvent): string[] {
  const lines = commandLines(event)
  return lines.length > 1 ? [...lines, lines.join(' ')] : lines
}

const parsed = new WeakMap<object, readonly string[]>()

/** The texts of the commands. */
export function shellCommands(event: HookEvent, reader: CommandReader): readonly string[] {
  const input = inputOf(event)
  let found = parsed.get(input)
  if (!found) {
    const words = commandLines(event)
    // A list is a program and its arguments, or, when its first item has a space, several lines.
    const isArgv = Array.isArray(input.command) && !words[0]?.includes(' ')
    found = isArgv
      ? textsOf(reader.argv(words))
      : words.flatMap((line) => plainReader?.(line) ?? textsOf(reader.line(line)))
    parsed.set(input, found)
  }
  return found
}

function textsOf(commands: readonly SimpleCommand[]): string[] {
  return commands.map(({ text }) => text)
}

/** Most values of one input that patterns are searched in. */
const MAX_LEAVES = 100_000

export const leaves = remembered((input) => {
  const found: string[] = []
  const seen = new Set<object>()
  const open: unknown[] = [input]
  while (open.length > 0 && found.length < MAX_LEAVES) {
    const value = open.pop()
    if (typeof value === 'string') found.push(value)
    else if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
      found.push(String(value))
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value)
      for (const item of Object.values(value)) open.push(item)
    }
  }
  return found
})

export const jsonText = remembered((input) => {
  try {
    return JSON.stringify(input)
  } catch {
    // Only events made in process can hold a cycle or a bigint; their leaves were searched already.
    return ''
  }
})
