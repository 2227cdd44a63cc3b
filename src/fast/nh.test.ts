import { createHash, createHmac, randomBytes } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashModule } from './hash-module.ts'
import { moduleHmac } from './module-hmac.ts'
import { macWith, NH_KEY_BYTES } from './nh.ts'

/** NH as RFC 4418 writes it, in numbers of any size: the slow twin. */
function nh(key: Buffer, block: Buffer): bigint {
  const word = (bytes: Buffer, i: number) => BigInt(bytes.readUInt32LE(i * 4))
  const sum = (i: number) => (word(block, i) + word(key, i)) & 0xffffffffn
  let total = 0n
  for (let i = 0; i < block.length / 4; i += 8)
    for (let j = 0; j < 4; j++) total += sum(i + j) * sum(i + j + 4)
  return total & 0xffffffffffffffffn
}

function twin(key: Buffer, label: string, data: Buffer): string {
  const hmac = (bytes: Buffer | string) => createHmac('sha256', key).update(bytes).digest()
  const root = hmac('nh key')
  const parts = Array.from({ length: 33 }, (_, i) =>
    createHash('sha256').update(root).update(Buffer.of(i)).digest(),
  )
  const keys = Buffer.concat(parts).swap32()
  const layer = (nhKey: Buffer, given: Buffer) => {
    const sums: Buffer[] = []
    for (let at = 0; at < given.length; at += 512) {
      const block = Buffer.alloc(512)
      block.set(given.subarray(at, at + 512))
      const pair = Buffer.alloc(16)
      pair.writeBigUInt64LE(nh(nhKey, block), 0)
      pair.writeBigUInt64LE(nh(nhKey.subarray(16), block), 8)
      sums.push(pair)
    }
    return Buffer.concat(sums)
  }
  const once = layer(keys.subarray(0, NH_KEY_BYTES), data)
  const twice = layer(keys.subarray(NH_KEY_BYTES, 2 * NH_KEY_BYTES), once)
  return hmac(Buffer.concat([Buffer.from(`nh 2\0${label}\0${data.length}\0`), twice])).toString('hex')
}

test('every length around a block and a piece agrees with the slow twin', () => {
  const key = randomBytes(32)
  const mac = macWith(key)!
  const around = [0, 512, 1024, 16 * 1024, 32 * 1024, 64 * 1024].flatMap((at) => [
    at - 1,
    at,
    at + 1,
    at + 17,
  ])
  for (const length of around.filter((at) => at >= 0)) {
    const data = randomBytes(length)
    expect(mac('a label', data).toString('hex')).toBe(twin(key, 'a label', data))
  }
})

test('words and keys of ones only, whose sums wrap, agree with the slow twin', () => {
  const key = Buffer.alloc(32, 0xff)
  const data = Buffer.alloc(5000, 0xff)
  expect(macWith(key)!('', data).toString('hex')).toBe(twin(key, '', data))
})

test('a MAC that was written down stays the same', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i))
  const data = Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 251))
  expect(macWith(key)!('vector', data).toString('hex')).toBe(
    'ceb21e2e292048adad31827c326b1c8a5afa56b0140952533afaa5c45971ae8f',
  )
})

test('each flipped bit, another length, label and key make another MAC', () => {
  const key = randomBytes(32)
  const mac = macWith(key)!
  const data = randomBytes(2500)
  const seen = new Set([mac('l', data).toString('hex')])
  let count = 1
  const expectNew = (other: Buffer) => {
    seen.add(other.toString('hex'))
    expect(seen.size).toBe(++count)
  }
  for (let bit = 0; bit < data.length * 8; bit += 7) {
    const other = Buffer.from(data)
    other[bit >> 3]! ^= 1 << (bit & 7)
    expectNew(mac('l', other))
  }
  expectNew(mac('l', data.subarray(0, -1)))
  expectNew(mac('l', Buffer.concat([data, Buffer.alloc(1)])))
  expectNew(mac('m', data))
  expectNew(macWith(randomBytes(32))!('l', data))
})

test('two keys that take turns do not disturb each other, nor does SHA-256 between', async () => {
  const { sha256 } = await import('./sha256.ts')
  const [one, two] = [randomBytes(32), randomBytes(32)]
  const [first, second] = [macWith(one)!, macWith(two)!]
  const data = randomBytes(40_000)
  for (let i = 0; i < 3; i++) {
    expect(first('l', data).toString('hex')).toBe(twin(one, 'l', data))
    sha256(randomBytes(40_000))
    expect(second('l', data).toString('hex')).toBe(twin(two, 'l', data))
  }
})

test('without WebAssembly there is no MAC', async () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: unknown } }
  const { Module } = WebAssembly
  onTestFinished(() => {
    WebAssembly.Module = Module
  })
  WebAssembly.Module = function refuse() {
    throw new Error('not here')
  }
  vi.resetModules()
  const fresh = await import('./nh.ts')
  expect(fresh.macWith(randomBytes(32))).toBeUndefined()
})

test('an HMAC of any length agrees with that of node:crypto', () => {
  const key = randomBytes(32)
  const hmac = moduleHmac(hashModule()!, key)
  for (const length of [
    0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 32_640, 32_703, 32_704, 32_705, 65_400, 65_408, 100_000,
  ]) {
    const text = randomBytes(length)
    expect(hmac(text).toString('hex'), String(length)).toBe(
      createHmac('sha256', key).update(text).digest('hex'),
    )
  }
})
