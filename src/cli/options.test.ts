import { expect, test } from 'vitest'
import type { Command } from './command-row.ts'
import { parse } from './options.ts'

const command = (word: string): Command => ({
  name: 'judge',
  summary: '',
  words: [word],
  options: {},
  load: () => Promise.reject(new Error('not run')),
})

/** What a person is told to do. */
function fix(word: string, ...args: string[]): string | undefined {
  try {
    parse(command(word), args, {})
  } catch (error) {
    return (error as { fix?: string }).fix
  }
  return undefined
}

test.each(['[COMMAND…]', '[COMMAND|PATH|PAYLOAD…]'])('a shell line that is not quoted: %s', (word) => {
  expect(fix(word, 'rm', '-rf', 'x')).toMatch(/^Put a command that has options in quotes: `crosshook judge '/)
  expect(fix(word, 'rm -rf x')).toBeUndefined()
})

test.each(['[COMMAND|TOPIC]', 'NAME…'])(
  'no quotes are advised where no shell line is expected: %s',
  (word) => {
    expect(fix(word, '-rf')).toBe('Run `crosshook help judge` for its options.')
  },
)
