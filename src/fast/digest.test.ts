import { createHash, createHmac, hash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  canonicalJson,
  digest,
  hmacWith,
  MAC_START,
  plainDigest,
  quickDigest,
  sha256Hex,
  textMacs,
} from './digest.ts'

const NOTIFICATION = {
  event: 'notification',
  subject: 'subject',
  session_id: 'session',
  run_id: 'run',
  payload: { message: 'hello' },
}

test('K43: the key of an invocation is the digest of its canonical JSON', () => {
  expect(digest(NOTIFICATION).slice(0, 32)).toBe('be706e6531d72952b77753d23ca1327b')
  const reversed = Object.fromEntries(Object.entries(NOTIFICATION).reverse())
  expect(digest(reversed)).toBe(digest(NOTIFICATION))
})

test('K44: the key of an execution also names the hook', () => {
  const execution = { contract_version: 1, hook_name: 'contract', invocation: NOTIFICATION }
  expect(digest(execution).slice(0, 32)).toBe('678cf200734d03f3a5250c66717258ee')
})

test('K45: absent fields are left out', () => {
  const invocation = { event: 'pre_tool_use', subject: 'write_file', session_id: undefined }
  expect(digest(invocation).slice(0, 32)).toBe('b2e57e4888f59363807a05fa4b816d50')
})

test('keys are sorted at every level, also those that look like numbers', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: { '9': 1, '10': 2 } })).toBe(
    '{"a":{"10":2,"9":1},"b":[{"c":2,"d":1}]}',
  )
})

test('keys are sorted by code point, as languages with UTF-8 texts do', () => {
  expect(canonicalJson({ '\u{1f600}': 1, '\uffee': 2, é: 3 })).toBe('{"é":3,"\uffee":2,"\u{1f600}":1}')
})

test('values that JSON does not have are left out or null, and dates are strings', () => {
  expect(canonicalJson({ a: undefined, b: () => 1, c: Number.NaN, d: new Date(0) })).toBe(
    '{"c":null,"d":"1970-01-01T00:00:00.000Z"}',
  )
  expect(canonicalJson(undefined)).toBe('null')
})

test('a key called __proto__ counts like any other', () => {
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":2}'))).toBe('{"__proto__":2,"b":1}')
})

test('texts are hashed as UTF-8, and short and long ones alike', () => {
  for (const text of ['é', '\ud800', 'a'.repeat(4096), 'a'.repeat(4097), 'é'.repeat(2048)])
    expect(sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'))
  expect(sha256Hex('é')).toBe(sha256Hex(new Uint8Array([0xc3, 0xa9])))
})

test('the plain digest tells values apart, and leaves out what is huge', () => {
  expect(plainDigest({ a: 1 })).toBe(sha256Hex('{"a":1}'))
  expect(plainDigest({ a: 1 })).not.toBe(plainDigest({ a: 2 }))
  expect(plainDigest({ a: ['x'.repeat(2_000_000)] })).toBeUndefined()
})

test('the quick digest is the same for short texts, and tells long ones apart', () => {
  expect(quickDigest(NOTIFICATION)).toBe(digest(NOTIFICATION))
  const long = (end: string) => ({ content: 'line of text\n'.repeat(10_000) + end, path: 'a' })
  expect(quickDigest(long('x'))).toBe(quickDigest(long('x')))
  expect(quickDigest(long('x'))).not.toBe(quickDigest(long('y')))
  const { content } = long('x')
  const names = [`sha256:${sha256Hex(content)}`, `"sha256:${sha256Hex(content)}"`]
  for (const name of names) expect(quickDigest([name])).not.toBe(quickDigest([content]))
})

test('the digest of a long text is that of its UTF-8 bytes', () => {
  const text = 'é\u{1f600}\ud800'.repeat(50_000)
  expect(sha256Hex(text)).toBe(sha256Hex(Buffer.from(text)))
  expect(sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'))
})

test('a cyclic value has a digest too', () => {
  const nested = (inner: string) => JSON.parse(`${'{"a":['.repeat(20_000)}${inner}${']}'.repeat(20_000)}`)
  expect(digest(nested('1'))).not.toBe(digest(nested('2')))
  expect(digest(nested('{"x":1,"y":2}'))).toBe(digest(nested('{"y":2,"x":1}')))
})

test('a MAC is the same as that of createHmac, whatever the key and the parts', () => {
  for (const length of [1, 31, 32, 63, 64]) {
    const key = randomBytes(length)
    const mac = hmacWith(hash, key)
    for (const sizes of [[], [0], [7], [64, 1], [1000, 0, 3]]) {
      const parts = sizes.map((size) => randomBytes(size))
      const twin = createHmac('sha256', key)
      for (const part of parts) twin.update(part)
      const expected = twin.digest('hex')
      expect(mac(parts)).toBe(expected)
      expect(mac.after(Buffer.concat([randomBytes(MAC_START), ...parts]))).toBe(expected)
    }
  }
})

test('MACs of texts are those of createHmac, before and after the library is loaded', () => {
  const key = randomBytes(32)
  const mac = textMacs('purpose', () => key, '-')
  for (let i = 0; i < 100; i++) {
    const text = `täxt ${i}`
    expect(mac(text)).toBe(createHmac('sha256', key).update(`purpose\0${text}`).digest('hex'))
  }
})

test('while there is no key, the given text stands in for a MAC', () => {
  const key = randomBytes(32)
  let isThere = false
  const mac = textMacs('purpose', () => (isThere ? key : undefined), 'none')
  expect([mac('a'), mac('b')]).toEqual(['none', 'none'])
  isThere = true
  expect(mac('a')).toBe(createHmac('sha256', key).update('purpose\0a').digest('hex'))
})
