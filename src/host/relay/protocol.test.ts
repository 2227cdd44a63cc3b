import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeAnswer, parseEnvironment, requestReader, type WarmRequest } from './protocol.ts'

function frame(texts: readonly string[], payload: Buffer | string = ''): Buffer {
  const parts = [...texts.map((text) => Buffer.from(text)), Buffer.from(payload as string)]
  const head = Buffer.alloc(52)
  head.write('XHRQ')
  head[4] = 2
  head.write('a challenge, 16b', 32)
  head.writeUInt32LE(77, 48)
  for (const [i, part] of parts.entries()) head.writeUInt32LE(part.length, 8 + 4 * i)
  return Buffer.concat([head, ...parts])
}

const PROVEN = { challenge: Buffer.from('a challenge, 16b'), parent: 77 }

function readIn(bytes: Buffer, sizes: readonly number[]): WarmRequest | undefined {
  const reader = requestReader()
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    if (at >= bytes.length) break
    // A copy: what the network gives is used again by the network.
    const chunk = Buffer.from(bytes.subarray(at, at + size))
    const request = reader.add(chunk)
    at += chunk.length
    if (request) return request
  }
  return undefined
}

const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((text) => Buffer.byteLength(text) <= 64)

test('a request is read the same, in whatever pieces it comes', () => {
  fc.assert(
    fc.property(
      fc.tuple(word, word, fc.string({ maxLength: 20 }), word, fc.string(), fc.string({ maxLength: 3000 })),
      fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 40 }),
      ([version, agent, event, cwd, env, payload], sizes) => {
        const expected = { version, agent, ...(event === '' ? {} : { event }), cwd, env, payload, ...PROVEN }
        expect(readIn(frame([version, agent, event, cwd, env], payload), sizes)).toEqual(expected)
      },
    ),
    { numRuns: 500 },
  )
})

test('requests whose heads differ in little are not taken for one another', () => {
  const texts = ['1', 'agent', 'Event', '/work', 'A=1\0B=2\0']
  // The same bytes, cut into fields elsewhere.
  const shifted = ['1', 'agentE', 'vent', '/work', 'A=1\0B=2\0']
  const others = texts.map((text, i) => texts.with(i, text.replace(/.$/s, 'x')))
  for (const given of [texts, shifted, ...others, texts, shifted, ...others.toReversed()]) {
    const [version, agent, event, cwd, env] = given
    expect(readIn(frame(given, 'payload'), [])).toEqual({
      version,
      agent,
      event,
      cwd,
      env,
      payload: 'payload',
      ...PROVEN,
    })
  }
})

/** As a relay sends what it has not read to its end yet. */
function openFrame(texts: readonly string[], payload: string): Buffer {
  const bytes = frame(texts, payload)
  bytes.writeUInt32LE(0xffffffff, 28)
  const end = Buffer.from('XHEN\0\0\0\0')
  end.writeUInt32LE(Buffer.byteLength(payload), 4)
  return Buffer.concat([bytes, end])
}

test('a payload of unknown size is whole when its size comes after it, and only then', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 3000 }),
      fc.integer({ min: 1, max: 700 }),
      fc.nat(4000),
      (payload, step, cut) => {
        const bytes = openFrame(['1', 'agent', '', '/work', 'A=1\0'], payload)
        const readTo = (end: number) => {
          const reader = requestReader()
          for (let at = 0; at < end; at += step)
            expect(reader.add(Buffer.from(bytes.subarray(at, Math.min(at + step, end))))).toBeUndefined()
          return reader.end()
        }
        expect(readTo(bytes.length)).toEqual({
          version: '1',
          agent: 'agent',
          cwd: '/work',
          env: 'A=1\0',
          payload,
          ...PROVEN,
        })
        expect(readTo(Math.min(cut, bytes.length - 1))).toBeUndefined()
      },
    ),
    { numRuns: 300 },
  )
})

test('a large payload of unknown size is read, one that is too large is not', () => {
  const texts = ['1', 'agent', '', '/work', 'A=1\0']
  const payload = 'x'.repeat(40 * 1024 * 1024)
  const send = (bytes: Buffer) => {
    const reader = requestReader()
    for (let at = 0; at < bytes.length; at += 65_536) reader.add(bytes.subarray(at, at + 65_536))
    return reader.end()
  }
  expect(send(openFrame(texts, payload))?.payload.toString() === payload).toBe(true)
  expect(() => send(openFrame(texts, 'x'.repeat(64 * 1024 * 1024 + 1)))).toThrow('too many')
})

test('for any bytes the reader refuses, waits, or returns a request within the limits', () => {
  const good = frame(['1.0.0', 'agent', 'Event', '/work', 'A=1\0B=2\0'], '{"a":1}')
  const spoiled = fc
    .record({
      at: fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }),
      cut: fc.nat(good.length),
      more: fc.uint8Array({ maxLength: 20 }),
    })
    .map(({ at, cut, more }) => {
      const bytes = Buffer.from(good)
      for (const [place, byte] of at) bytes[place] = byte
      return Buffer.concat([cut % 3 === 0 ? bytes.subarray(0, cut) : bytes, more])
    })
  const anything = fc.oneof(
    spoiled,
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  )
  let refused = 0
  let read = 0
  fc.assert(
    fc.property(anything, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 10 }), (bytes, sizes) => {
      try {
        const request = readIn(bytes, sizes)
        if (!request) return
        read++
        expect(request.agent.length).toBeGreaterThan(0)
        const { challenge, parent, payload, ...texts } = request
        expect([challenge.length, typeof parent]).toEqual([16, 'number'])
        expect(Object.values(texts).every((value) => typeof value === 'string')).toBe(true)
        expect(Buffer.isBuffer(payload) && isUtf8(payload)).toBe(false)
      } catch (error) {
        refused++
        expect((error as Error).message).toMatch(/protocol|bytes/)
      }
    }),
    { numRuns: 3000 },
  )
  expect(refused).toBeGreaterThan(500)
  expect(read).toBeGreaterThan(10)
})

test.for([
  ['another magic', (bytes: Buffer): unknown => bytes.write('HTTP')],
  ['another version', (bytes: Buffer): unknown => (bytes[4] = 1)],
  ['something where zeros belong', (bytes: Buffer): unknown => (bytes[6] = 1)],
  ['no agent', (bytes: Buffer): unknown => bytes.writeUInt32LE(0, 12)],
  ['4 GB of payload', (bytes: Buffer): unknown => bytes.writeUInt32LE(0xffff_fffe, 28)],
  ['9 MiB of environment', (bytes: Buffer): unknown => bytes.writeUInt32LE(9 << 20, 24)],
] as const)('%s is refused as soon as the head is there', ([, spoil]) => {
  const bytes = frame(['1', 'a', '', '/', ''])
  spoil(bytes)
  expect(() => requestReader().add(bytes.subarray(0, 52))).toThrow(/protocol|bytes/)
})

test('64 MiB in small pieces are one request', () => {
  const payload = Buffer.alloc(64 << 20, 'x')
  const bytes = frame(['1', 'a', '', '/', ''], payload)
  const reader = requestReader()
  let request: WarmRequest | undefined
  for (let at = 0; at < bytes.length; at += 65_536) request = reader.add(bytes.subarray(at, at + 65_536))
  expect(request?.payload.length).toBe(64 << 20)
})

test('the environment keeps values with = and odd names, and has no inherited ones', () => {
  const env = parseEnvironment('A=1=2\0__proto__=x\0EMPTY=\0=odd\0no equals\0')
  expect(Object.entries(env)).toEqual([
    ['A', '1=2'],
    ['__proto__', 'x'],
    ['EMPTY', ''],
  ])
  expect(env.toString).toBeUndefined()
})

test('an answer counts bytes, not characters', () => {
  const bytes = encodeAnswer(0, { stdout: 'ä€', stderr: '💥', exit_code: 2 })
  expect([bytes.readUInt32LE(8), bytes.readUInt32LE(12), bytes.readUInt32LE(16)]).toEqual([2, 5, 4])
  expect(bytes.toString('utf8', 52)).toBe('ä€💥')
})
