import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newKey, type SigningKey } from '../sign/keys.ts'
import { type Rotation, rotate } from '../sign/rotation.ts'
import type { PackFile } from './files.ts'
import { openPack, type Pack } from './pack.ts'
import { packContent, SIGNATURE_FILE, signPack, writeSignatures } from './pack-signature.ts'
import { openKeyRing } from './trusted-keys.ts'
import { judge } from './trusted-signer.ts'

const HOOK =
  '---\nname: guard\ndescription: d\ntrigger: before_tool\noutcome:\n  decision: deny\n  reason: no\n---\n'
const MANIFEST = '---\nname: acme/guards\nversion: 1.0.0\ndescription: Guards.\nlicense: MIT\n---\n'
const file = (path: string, text: string | Buffer): PackFile => ({
  path,
  bytes: Buffer.from(text),
  executable: false,
})

/** Signed by these keys; `swap` puts other files in place of the signed ones. */
async function packBy(
  keys: readonly SigningKey[],
  { rotations = [], swap = [] }: { rotations?: Rotation[]; swap?: PackFile[] } = {},
): Promise<Pack> {
  const files = [file('PACK.md', MANIFEST), file('hooks/guard/HOOK.md', HOOK)]
  const about = { name: 'acme/guards', version: '1.0.0' }
  const signatures = keys.map((key) => signPack(key, about, packContent(files)))
  const swapped = files.map((each) => swap.find(({ path }) => path === each.path) ?? each)
  const signed = file(SIGNATURE_FILE, writeSignatures({ signatures, rotations }))
  return openPack(keys.length === 0 ? swapped : [...swapped, signed], 'it')
}

function ring() {
  const state = mkdtempSync(join(tmpdir(), 'crosshook-judge-'))
  onTestFinished(() => rmSync(state, { recursive: true, force: true }))
  return openKeyRing(state)
}

describe('a pack that was signed before', () => {
  const [author, thief] = [newKey(), newKey()]

  it('is taken from the key that signed it first', async () => {
    const keys = ring()
    const pack = await packBy([author])
    expect(judge(pack, keys)).toMatchObject({ how: 'first', signer: author.public })
    keys.pin('acme/guards', author.public)
    expect(judge(pack, keys)).toMatchObject({ how: 'pinned', signer: author.public })
  })

  it('is refused from another key, and without a signature', async () => {
    const keys = ring()
    keys.pin('acme/guards', author.public)
    const [foreign, unsigned] = [await packBy([thief]), await packBy([])]
    expect(() => judge(foreign, keys)).toThrow(/is signed by .*, and was by/)
    expect(() => judge(unsigned, keys)).toThrow('is not signed now')
    // Nor where only the lock file knows the key.
    expect(() => judge(foreign, ring(), { locked: author.public })).toThrow(/and was by/)
  })

  it('is taken from a key that the old one has handed over to, unless the old one was revoked', async () => {
    const keys = ring()
    keys.pin('acme/guards', author.public)
    const young = newKey()
    const pack = await packBy([young], { rotations: [rotate(author, young)] })
    expect(judge(pack, keys)).toMatchObject({ how: 'rotated', signer: young.public })
    const revoked = [{ key: author.public, reason: 'stolen' }]
    expect(() => judge(pack, keys, { revoked })).toThrow('and was by')
  })

  it('is refused from a revoked key, whoever revoked it', async () => {
    const keys = ring()
    const pack = await packBy([author])
    expect(() => judge(pack, keys, { revoked: [{ key: author.public, reason: 'stolen' }] })).toThrow('stolen')
    keys.put({ signer: author.public, state: 'revoked', note: 'I lost it' })
    expect(() => judge(pack, keys)).toThrow('I lost it')
  })
})

it('a signature does not hold for other bytes than those that were signed', async () => {
  const swap = [file('hooks/guard/HOOK.md', HOOK.replace('decision: deny', 'decision: allow'))]
  await expect(packBy([newKey()], { swap })).rejects.toThrow('does not hold for its bytes')
})

it('a change of keys that the old key has not signed counts for nothing', async () => {
  const [author, thief] = [newKey(), newKey()]
  const forged = { ...rotate(thief, newKey()), old: author.public, new: thief.public }
  await expect(packBy([thief], { rotations: [forged] })).rejects.toThrow('not signed by both keys')
})
