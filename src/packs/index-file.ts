/**
 * An index of packs: one JSON file that anybody can host. The first line has the key and its signature over all
 * following bytes, so that the file is verified before it is parsed.
 */

import { createHash } from 'node:crypto'
import * as z from 'zod'
import { isPublicKey, type PublicKey, type SigningKey } from '../sign/keys.ts'
import { isRotation, type Rotation } from '../sign/rotation.ts'
import { sign, verify } from '../sign/signature.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { type PackRecord, recordSchema } from './description.ts'

export const INDEX_FILE = 'index.json'
/** Bytes of an index: some 60,000 packs. */
export const MAX_INDEX_BYTES = 64 * 1024 * 1024

const headSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,38}$/),
  description: z.string().max(500).optional(),
  /** Grows with each new index: an older one never replaces a newer one. */
  serial: z.int().positive(),
  issued: z.iso.datetime(),
  /** After this it should not be relied on: somebody may be withholding newer ones. */
  expires: z.iso.datetime().optional(),
  mirrors: z
    .array(z.url({ protocol: /^https?$/ }))
    .max(10)
    .optional(),
  revoked: z
    .array(z.strictObject({ key: z.string().max(2000), at: z.iso.datetime(), reason: z.string().max(500) }))
    .optional(),
  rotations: z.array(z.looseObject({})).max(16).optional(),
})

export interface Index extends z.infer<typeof headSchema> {
  packs: Record<string, PackRecord>
}

export interface SignedIndex {
  index: Index
  /** Null: unsigned. */
  key: PublicKey | null
  digest: string
}

/** Unsigned without a key. */
export function writeIndex(index: Index, key?: SigningKey): Buffer {
  const body = `${JSON.stringify({ ...index, packs: sorted(index.packs) })}}\n`
  return Buffer.from(`${head(key?.public ?? null, key ? sign(key, 'index', body) : null)}\n${body}`)
}

/** The same bytes with a signature. */
export function signIndex(bytes: Buffer, key: SigningKey): Buffer {
  const { body } = split(bytes)
  return Buffer.concat([Buffer.from(`${head(key.public, sign(key, 'index', body))}\n`), body])
}

function head(key: PublicKey | null, signature: string | null): string {
  return `{"crosshook_index":1,"key":${JSON.stringify(key)},"signature":${JSON.stringify(signature)},"index":`
}

/** Throws when the signature is invalid or the content is not an index. Invalid packs are left out and named. */
export function readIndex(bytes: Buffer): SignedIndex & { wrong: string[] } {
  const { key, signature, body } = split(bytes)
  if (key !== null && (!isPublicKey(key) || !verify(key, 'index', body, signature)))
    throw bad('its signature does not hold')
  let value: { packs?: unknown } & Record<string, unknown>
  try {
    value = JSON.parse(body.toString('utf8').replace(/\}\s*$/, '')) as typeof value
  } catch (error) {
    throw bad(messageOf(error))
  }
  const { packs, ...rest } = value ?? {}
  const about = headSchema.safeParse(rest)
  if (!about.success) throw bad(`${about.error.issues[0]!.path.join('.')}: ${about.error.issues[0]!.message}`)
  const rotations = (about.data.rotations ?? []) as unknown as Rotation[]
  if (!rotations.every(isRotation)) throw bad('a change of keys in it is not signed by both keys')
  if (typeof packs !== 'object' || packs === null || Array.isArray(packs)) throw bad('it has no `packs`')
  const wrong: string[] = []
  const good: Record<string, PackRecord> = Object.create(null) as Record<string, PackRecord>
  for (const [name, given] of Object.entries(packs)) {
    const record = recordSchema.safeParse(given)
    if (record.success && record.data.name === name) good[name] = record.data
    else wrong.push(name.slice(0, 100))
  }
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { index: { ...about.data, packs: good }, key, digest, wrong }
}

const HEAD =
  /^\{"crosshook_index":1,"key":(null|"[^"\\]{1,200}"),"signature":(null|"[^"\\]{1,200}"),"index":$/

function split(bytes: Buffer): { key: PublicKey | null; signature: string | null; body: Buffer } {
  const end = bytes.indexOf(0x0a)
  const found = end < 0 || end > 1000 ? undefined : HEAD.exec(bytes.toString('utf8', 0, end))
  if (!found) throw bad('it is not an index of crosshook')
  return {
    key: JSON.parse(found[1]!) as PublicKey | null,
    signature: JSON.parse(found[2]!) as string | null,
    body: bytes.subarray(end + 1),
  }
}

function sorted<T>(table: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function bad(why: string): CrosshookError {
  return new CrosshookError('refused', `the index is refused: ${why}`, {
    fix: 'What was known before stays in use. Tell whoever hosts it.',
  })
}
