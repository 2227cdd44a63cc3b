import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import minisign from './fixtures/minisign.json' with { type: 'json' }
import { createKey, keyNames, loadKey, loadOrCreateKey } from './key-files.ts'
import { isPublicKey, isSameKey, keyFromSecret, keyId, newKey, publicForm, secretBytes } from './keys.ts'
import { parseMinisignKey, verifyMinisign } from './minisign.ts'
import { followRotations, isRotation, type Rotation, rotate } from './rotation.ts'
import { sign, verify } from './signature.ts'
import { parseSshKey, verifySsh } from './ssh.ts'

const scratch = mkdtempSync(join(tmpdir(), 'crosshook-sign-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('a signature', () => {
  const key = newKey()
  const made = sign(key, 'pack', 'bytes')

  it('holds for its bytes, its purpose and its key alone', () => {
    expect(verify(key.public, 'pack', Buffer.from('bytes'), made)).toBe(true)
    expect(verify(key.public, 'pack', 'byteS', made)).toBe(false)
    expect(verify(key.public, 'index', 'bytes', made)).toBe(false)
    expect(verify(newKey().public, 'pack', 'bytes', made)).toBe(false)
  })

  it.each([
    undefined,
    null,
    7,
    '',
    'x',
    `${made}=`,
    `${made.slice(0, -1)}`,
    ` ${made}`,
    `${made.slice(0, -1)}x`,
  ])('that reads %j does not hold', (text) =>
    expect(verify(key.public, 'pack', 'bytes', text === made ? '' : text)).toBe(false),
  )

  it('is the same for the same bytes', () => expect(sign(key, 'pack', 'bytes')).toBe(made))
})

describe('a public key', () => {
  it('has one form only, and an id', () => {
    const key = newKey()
    expect(isPublicKey(key.public)).toBe(true)
    expect(keyId(key.public)).toMatch(/^[0-9a-f]{16}$/)
    expect(isSameKey(key.public, keyFromSecret(secretBytes(key)).public)).toBe(true)
    for (const text of [`${key.public}=`, key.public.toUpperCase(), ` ${key.public}`, 'ed25519:', 3])
      expect(isPublicKey(text)).toBe(false)
    const last = key.public.at(-1)!
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const twin = key.public.slice(0, -1) + alphabet[alphabet.indexOf(last) ^ 1]
    expect(isPublicKey(twin)).toBe(false)
  })

  it('with which anybody can sign is none', () => {
    for (const first of [0, 1]) {
      const raw = Buffer.alloc(32)
      raw[0] = first
      expect(isPublicKey(publicForm(raw))).toBe(false)
      raw[31] = 0x80
      expect(isPublicKey(publicForm(raw))).toBe(false)
    }
  })
})

describe('a key file', () => {
  it('is for its owner alone and gives the same key back', () => {
    const made = createKey(scratch, 'mine')
    expect(statSync(made.file).mode & 0o777).toBe(0o600)
    const loaded = loadKey(scratch, 'mine')!
    expect(loaded.public).toBe(made.public)
    expect(verify(made.public, 'edge', 'x', sign(loaded, 'edge', 'x'))).toBe(true)
    expect(loadOrCreateKey(scratch, 'mine').public).toBe(made.public)
    expect(loadKey(scratch, 'other')).toBeUndefined()
    expect(keyNames(scratch)).toEqual(['mine'])
  })

  it('is never overwritten', () => {
    const before = createKey(scratch, 'once')
    expect(() => createKey(scratch, 'once')).toThrow(/there is a key "once" already/)
    expect(loadKey(scratch, 'once')!.public).toBe(before.public)
  })

  it.each(['../x', '', '.hidden', 'A', 'a/b', 'x'.repeat(80)])('is not made under the name %j', (name) =>
    expect(() => createKey(scratch, name)).toThrow(/cannot be the name of a key/),
  )

  it('that others may read, is a link or is damaged is refused', () => {
    const { file } = createKey(scratch, 'open')
    chmodSync(file, 0o644)
    expect(() => loadKey(scratch, 'open')).toThrow(/other users may read/)
    chmodSync(file, 0o600)
    symlinkSync(file, join(scratch, 'keys', 'link.key'))
    expect(() => loadKey(scratch, 'link')).toThrow(/cannot be used/)
    const other = JSON.parse(readFileSync(createKey(scratch, 'two').file, 'utf8')) as { secret: string }
    const text = JSON.parse(readFileSync(file, 'utf8')) as object
    writeFileSync(file, JSON.stringify({ ...text, secret: other.secret }))
    expect(() => loadKey(scratch, 'open')).toThrow(/do not belong together/)
    for (const broken of ['', '{}', 'null', '[1]', '{"version":1,"created":"","secret":"AA"}']) {
      writeFileSync(file, broken)
      expect(() => loadKey(scratch, 'open')).toThrow(/cannot be used/)
    }
  })
})

describe('minisign', () => {
  // Published with the tool's own libraries as the signature of the four bytes "test".
  const key = parseMinisignKey('RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3')
  const signature = [
    'untrusted comment: signature from minisign secret key',
    'RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=',
    'trusted comment: timestamp:1556193335\tfile:test',
    'y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==',
    '',
  ].join('\n')

  it('signatures of the real tool hold', () => {
    expect(key.id).toBe('E7620F1842B4E81F')
    expect(verifyMinisign(key, Buffer.from('test'), signature)?.comment).toBe(
      'timestamp:1556193335\tfile:test',
    )
  })

  it.each(minisign.signed)('signature $# of the real tool holds for its bytes and key alone', (row) => {
    const keys = Object.entries(minisign.keys).map(([name, text]) => ({ name, key: parseMinisignKey(text) }))
    for (const { name, key: each } of keys) {
      const found = verifyMinisign(each, Buffer.from(row.text), row.signature)
      expect(found?.comment).toBe(name === row.key ? row.comment : undefined)
    }
    const { key: own } = keys.find(({ name }) => name === row.key)!
    expect(verifyMinisign(own, Buffer.from(`${row.text} `), row.signature)).toBeUndefined()
    for (const other of minisign.signed.filter(({ text, key: by }) => text !== row.text || by !== row.key)) {
      expect(verifyMinisign(own, Buffer.from(other.text), row.signature) === undefined).toBe(
        other.text !== row.text,
      )
      // Parts of two signatures are none.
      const [a, b] = row.signature.split('\n')
      const [, , c, d] = other.signature.split('\n')
      expect(verifyMinisign(own, Buffer.from(row.text), [a, b, c, d, ''].join('\n'))).toBeUndefined()
    }
  })

  it('fail for other bytes, another comment, another key and what is cut off', () => {
    const none = (bytes: string, text: string) =>
      expect(verifyMinisign(key, Buffer.from(bytes), text)).toBeUndefined()
    none('Test', signature)
    none('test', signature.replace('file:test', 'file:best'))
    none('test', signature.replace('RUQ', 'RWQ'))
    none('test', `${signature}more\n`)
    for (let end = 0; end < signature.length - 1; end += 7) none('test', signature.slice(0, end))
    const raw = Buffer.from('RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3', 'base64')
    raw[5]! ^= 1
    expect(
      verifyMinisign(parseMinisignKey(raw.toString('base64')), Buffer.from('test'), signature),
    ).toBeUndefined()
    expect(() => parseMinisignKey('RWQf')).toThrow(/not a public key of minisign/)
  })
})

describe('ssh-keygen -Y', () => {
  const make = (type: string, bits?: string) => {
    const file = join(scratch, `ssh-${type}-${bits ?? ''}`)
    execFileSync('ssh-keygen', ['-q', '-t', type, ...(bits ? ['-b', bits] : []), '-N', '', '-f', file])
    const signed = (bytes: string, namespace = 'crosshook-pack') =>
      execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', namespace, '-f', file], {
        input: bytes,
        stdio: ['pipe', 'pipe', 'ignore'],
      }).toString()
    return { key: parseSshKey(readFileSync(`${file}.pub`, 'utf8')), signed, file }
  }

  it.each([
    ['ed25519', undefined],
    ['ecdsa', '256'],
    ['ecdsa', '384'],
    ['ecdsa', '521'],
    ['rsa', '2048'],
  ])('signatures by a key of type %s %s hold for their bytes and namespace alone', (type, bits) => {
    const { key, signed, file } = make(type, bits)
    const signature = signed('bytes')
    expect(verifySsh(Buffer.from('bytes'), signature)).toEqual(key)
    expect(execFileSync('ssh-keygen', ['-l', '-f', file]).toString()).toContain(` ${key.fingerprint} `)
    expect(verifySsh(Buffer.from('byteS'), signature)).toBeUndefined()
    expect(verifySsh(Buffer.from('bytes'), signed('bytes', 'file'))).toBeUndefined()
  })

  it('signatures that are cut off or changed do not hold', () => {
    const { signed } = make('ed25519', '256')
    const signature = signed('bytes')
    for (let end = 0; end < signature.length - 2; end += 5)
      expect(verifySsh(Buffer.from('bytes'), signature.slice(0, end))).toBeUndefined()
    for (let at = 35; at < signature.length - 35; at += 3) {
      const changed = signature.slice(0, at) + (signature[at] === 'A' ? 'B' : 'A') + signature.slice(at + 1)
      expect(verifySsh(Buffer.from('bytes'), changed)).toBeUndefined()
    }
  })

  it('keys of unknown types are refused', () =>
    expect(() => parseSshKey('ssh-dss AAAAB3NzaC1kc3M= x')).toThrow(/not a key that is known here/))
})

describe('a rotation', () => {
  const [first, second, third] = [newKey(), newKey(), newKey()]
  const chain = [rotate(first, second), rotate(second, third)]

  it('leads from the old key to the new one, over several', () => {
    expect(followRotations(first.public, chain, third.public)).toBe(true)
    expect(followRotations(second.public, chain, third.public)).toBe(true)
    expect(followRotations(third.public, chain, first.public)).toBe(false)
    expect(followRotations(first.public, chain.slice(1), third.public)).toBe(false)
  })

  it('needs the signatures of both, and ends where it goes in a circle', () => {
    const [link] = chain as [Rotation, Rotation]
    const stolen = { ...rotate(second, third), old: first.public }
    expect(followRotations(first.public, [stolen], third.public)).toBe(false)
    expect(isRotation({ ...link, at: 'later' })).toBe(false)
    expect(isRotation({ ...link, accepted: link.signature })).toBe(false)
    expect(followRotations(first.public, [link, rotate(second, first)], third.public)).toBe(false)
  })
})
