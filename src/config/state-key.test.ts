import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isMac, keyFile, mac, readStateKey, stateKey } from './state-key.ts'

let state: string
beforeEach(() => {
  state = join(mkdtempSync(join(tmpdir(), 'key-')), 'deep', 'state')
})
afterEach(() => rmSync(join(state, '../..'), { recursive: true, force: true }))

describe('the key of a state folder', () => {
  it('is made once, for its owner alone', () => {
    expect(readStateKey(state)).toBeUndefined()
    const key = stateKey(state)
    expect(key).toHaveLength(32)
    expect(statSync(keyFile(state)).mode & 0o777).toBe(0o600)
    expect(stateKey(state).equals(key)).toBe(true)
    expect(readdirSync(state)).toEqual(['state.key'])
  })

  it('is the same for processes that start at once', async () => {
    const script = `import('${join(import.meta.dirname, 'state-key.ts')}').then(({ stateKey }) => console.log(stateKey(process.argv[1]).toString('hex')))`
    const all = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script, state], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        return (await child.stdout.toArray()).join('').trim()
      }),
    )
    expect(new Set(all)).toEqual(new Set([stateKey(state).toString('hex')]))
  })

  it.each([
    ['too short', () => writeFileSync(keyFile(state), 'short', { mode: 0o600 })],
    ['too long', () => writeFileSync(keyFile(state), Buffer.alloc(33), { mode: 0o600 })],
    ['empty', () => writeFileSync(keyFile(state), '', { mode: 0o600 })],
    [
      'readable for others',
      () => {
        stateKey(state)
        chmodSync(keyFile(state), 0o640)
      },
    ],
    [
      'a link',
      () => {
        writeFileSync(join(state, 'elsewhere'), Buffer.alloc(32), { mode: 0o600 })
        symlinkSync(join(state, 'elsewhere'), keyFile(state))
      },
    ],
    ['a folder', () => mkdirSync(keyFile(state))],
  ])('is refused where it is %s, and not replaced', (_, spoil) => {
    mkdirSync(state, { recursive: true })
    spoil()
    expect(() => stateKey(state)).toThrow(/state\.key cannot be used/)
    expect(() => readStateKey(state)).toThrow(/state\.key cannot be used/)
  })
})

describe('a MAC', () => {
  const key = Buffer.alloc(32, 5)

  it.each([0, 10, 5000])('of %i bytes is HMAC-SHA-256 over purpose and data', (length) => {
    const data = Buffer.alloc(length, 'x')
    expect(mac(key, 'plan', data)).toBe(createHmac('sha256', key).update('plan\0').update(data).digest('hex'))
    expect(isMac(mac(key, 'plan', data), key, 'plan', data)).toBe(true)
  })

  it('proves nothing for other data, another purpose or another key', () => {
    const made = mac(key, 'plan', 'data')
    expect(isMac(made, key, 'plan', 'datb')).toBe(false)
    expect(isMac(made, key, 'trust', 'data')).toBe(false)
    expect(isMac(made, Buffer.alloc(32, 6), 'plan', 'data')).toBe(false)
    expect(isMac(made.slice(1), key, 'plan', 'data')).toBe(false)
    expect(isMac(undefined, key, 'plan', 'data')).toBe(false)
  })
})
