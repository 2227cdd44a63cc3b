import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../../test/times.ts'
import { isPlainCommandLine, isSentence } from './plain-words.ts'

const SENTENCE = /^[A-Z]?[a-z]{1,11}(?:,? [a-z]{1,11})*[.!?]?$/
const COMMAND =
  /^(?:(?:-[cefgijlmoqrtvxyz]{1,3}|(?:--|[/.]{1,3})?[A-Za-z]{1,11}(?:[._-][A-Za-z]{1,11}){0,3}(?:\/[A-Za-z]{1,11}(?:[._-][A-Za-z]{1,11}){0,3}){0,8}\/?|[/.]{1,3})(?: |$))+$/

const word = fc.constantFrom(
  ...['a', 'Ab', 'B', 'elevenmanys', 'twelveletter', '1', 'é', '-', '--', '-f', '-rf', '-cfex', '-p', '---'],
  ...['.', '..', '/', '.../', '....', ',', ', ', '!', '?', '_', '.md', '-a', '/x', '/x/y/z', ' ', '  ', '\n'],
)
const text = fc
  .array(word, { maxLength: 14 })
  .chain((words) => fc.constantFrom('', ' ', '/', '.').map((sign) => words.join(sign)))

test('a sentence and a plain command line are what their expressions match', () => {
  const matched = { sentence: 0, command: 0 }
  fc.assert(
    fc.property(text, (given) => {
      if (SENTENCE.test(given)) matched.sentence++
      if (COMMAND.test(given)) matched.command++
      if (isSentence(given) !== SENTENCE.test(given)) expect.unreachable(`sentence: ${given}`)
      if (isPlainCommandLine(given) !== COMMAND.test(given)) expect.unreachable(`command: ${given}`)
    }),
    { numRuns: times(20_000, 500_000) },
  )
  expect(matched.sentence).toBeGreaterThan(100)
  expect(matched.command).toBeGreaterThan(100)
})
