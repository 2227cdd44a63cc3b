import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkUtf8, isUtf8Text } from './utf8-in-pieces.ts'

const START = 3

test('text in pieces of any size is UTF-8 when the whole is', () => {
  const letters = ['a', 'é', '€', '😀', '\0'].map((letter) => Buffer.from(letter))
  const wrong = [[0x80], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xff]]
  const text = fc
    .array(fc.constantFrom(...letters, ...letters, ...letters, ...wrong.map((bytes) => Buffer.from(bytes))))
    .map((parts) => Buffer.concat(parts))
  const seen = { valid: 0, invalid: 0 }
  fc.assert(
    fc.property(text, fc.array(fc.nat(7)), (text, sizes) => {
      const bytes = Buffer.concat([Buffer.from([0xff, 0xff, 0xff]), text])
      const check = checkUtf8(START)
      let to = START
      for (const size of sizes) check.look(bytes, (to = Math.min(bytes.length, to + size)))
      const found = check.end(bytes, bytes.length)
      expect(found).toEqual(text)
      const isValid = isUtf8(text)
      expect(isUtf8Text(found)).toBe(isValid)
      // Only what was found valid is not looked at again.
      bytes.fill(0xff)
      expect(isUtf8Text(found)).toBe(isValid)
      seen[isValid ? 'valid' : 'invalid']++
    }),
    { numRuns: 5000 },
  )
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(500)
})
