import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sha256 } from './sha256.ts'
import { sha256InScript } from './sha256-script.ts'

const reference = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.each([
  ['compiled', sha256],
  ['in script', sha256InScript],
])('%s', (_, hash) => {
  test('the examples of the standard', () => {
    expect(hash(Buffer.from('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(hash(new Uint8Array())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  test('every length up to three blocks, where the padding differs, agrees with node:crypto', () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = new Uint8Array(length).fill(length)
      expect(hash(bytes)).toBe(reference(bytes))
    }
  })

  test('any bytes agree with node:crypto', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(hash(bytes)).toBe(reference(bytes))
      }),
    )
  })

  test('more than is handed over at once agrees with node:crypto', () => {
    for (const length of [32_700, 32_768, 100_000]) {
      const bytes = new Uint8Array(length).map((_, i) => i)
      expect(hash(bytes)).toBe(reference(bytes))
    }
  })
})

test('without WebAssembly the digests are the same', async () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: unknown } }
  const { Module } = WebAssembly
  onTestFinished(() => {
    WebAssembly.Module = Module
  })
  const refused = vi.fn(function refuse() {
    throw new Error('not here')
  })
  WebAssembly.Module = refused
  vi.resetModules()
  const { sha256: fresh } = await import('./sha256.ts')
  expect(fresh(Buffer.from('abc'))).toBe(reference(Buffer.from('abc')))
  expect(refused).toHaveBeenCalledOnce()
})
