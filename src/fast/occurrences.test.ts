import fc from 'fast-check'
import { expect, test } from 'vitest'
import { occurrences } from './occurrences.ts'

test('finds what matchAll finds, places of groups and empty ones included, also when it is used again', () => {
  const patterns = [/a(b)?/dg, /(?<![a-z])b+/g, /(?:)/g, /c*/dg, /a|(b)|(c)/dgi]
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'B', ' ', 'é'), { maxLength: 12 }), (letters) => {
      const text = letters.join('')
      for (const pattern of patterns) {
        const found = occurrences(pattern, text)
        expect(found.map(plain)).toEqual([...text.matchAll(pattern)].map(plain))
      }
    }),
  )
})

const plain = (found: RegExpExecArray) => ({ words: [...found], index: found.index, indices: found.indices })
