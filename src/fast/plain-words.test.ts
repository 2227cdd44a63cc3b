import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../../test/times.ts'
import {
  isDigest,
  isHex,
  isMixed,
  isName,
  isPlainCommandLine,
  isPlainField,
  isSentence,
} from './plain-words.ts'

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

const NAME = /^(?:[A-Za-z0-9]{0,11}[/._-])*[A-Za-z0-9]{0,11}$/
const MIXED = /[A-Za-z]\d|\d[A-Za-z]|\d{5}/
const HEX = /^[0-9a-f]{64}$/
const DIGEST = /^(?:[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const FIELD = /^(?:[A-Za-z_]{1,40}|\d{1,3})$/

const part = fc.constantFrom(
  ...['', 'a', 'Zz', 'elevenmanys', 'twelveletter', 'README', '1', '123', '1234', '12345', 'a1', '1a', 'é'],
  ...['/', '.', '_', '-', ' ', '\n', '@', '[', '`', '{', 'a_long_name_of_', ':'],
)

test('a name, a mixed text and a field are what their expressions match', () => {
  const matched = { name: 0, mixed: 0, field: 0 }
  fc.assert(
    fc.property(fc.array(part, { maxLength: 7 }), (parts) => {
      const given = parts.join('')
      if (NAME.test(given)) matched.name++
      if (MIXED.test(given)) matched.mixed++
      if (FIELD.test(given)) matched.field++
      if (isName(given) !== NAME.test(given)) expect.unreachable(`name: ${given}`)
      if (isMixed(given) !== MIXED.test(given)) expect.unreachable(`mixed: ${given}`)
      if (isPlainField(given) !== FIELD.test(given)) expect.unreachable(`field: ${given}`)
    }),
    { numRuns: times(20_000, 500_000) },
  )
  expect(matched.name).toBeGreaterThan(100)
  expect(matched.mixed).toBeGreaterThan(100)
  expect(matched.field).toBeGreaterThan(100)
})

test('a digest is what its expression matches', () => {
  const digest = fc
    .stringMatching(DIGEST)
    .chain((text) =>
      fc
        .tuple(fc.nat(text.length), fc.constantFrom('', '-', 'g', 'A', '0', '/', ':', '`'), fc.nat(1))
        .map(([at, letter, removed]) => text.slice(0, at) + letter + text.slice(at + removed)),
    )
  let matched = 0
  fc.assert(
    fc.property(digest, (given) => {
      if (DIGEST.test(given)) matched++
      expect(isDigest(given)).toBe(DIGEST.test(given))
      expect(isHex(given, 64)).toBe(HEX.test(given))
    }),
    { numRuns: times(2_000, 50_000) },
  )
  expect(matched).toBeGreaterThan(100)
})
