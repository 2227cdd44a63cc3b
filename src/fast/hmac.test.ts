import { createHmac, hash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hmacWith, MAC_START } from './hmac.ts'

test('the same as createHmac, whatever the key and the parts', () => {
  for (const length of [1, 31, 32, 63, 64]) {
    const key = randomBytes(length)
    const mac = hmacWith(hash, key)
    for (const sizes of [[], [0], [7], [64, 1], [1000, 0, 3]]) {
      const parts = sizes.map((size) => randomBytes(size))
      const twin = createHmac('sha256', key)
      for (const part of parts) twin.update(part)
      const expected = twin.digest('hex')
      expect(mac(parts).toString('hex')).toBe(expected)
      expect(mac.after(Buffer.concat([randomBytes(MAC_START), ...parts])).toString('hex')).toBe(expected)
    }
  }
})
