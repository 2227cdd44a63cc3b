/**
 * Records on their way to the hub: JSON lines, numbered as in the machine's journal, each chained to the previous by a
 * hash. A batch says where it begins and which hash came before, so that neither side has to remember what was sent.
 */

import { createHash } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import * as z from 'zod'
import { CrosshookError, messageOf } from '../../spec/errors.ts'

const HASH = /^[0-9a-f]{64}$/
/** In bytes, unpacked. */
const MAX_BYTES = 16 * 1024 * 1024
export const MAX_RECORDS = 2000

const headSchema = z.strictObject({
  version: z.literal(1),
  /** Identifies the journal: a database that replaces a damaged one has another. */
  epoch: z.string().regex(/^[\w-]{1,64}$/),
  first: z.int().positive(),
  /** Hash of the record before the first; for the first of all, of nothing. */
  prev: z.string().regex(HASH),
  /** Of the policy that was in force when the batch was made. */
  revision: z.int().nonnegative(),
  /** Records before `first` that the machine no longer has; without it, `first` follows what was sent last. */
  lost: z.strictObject({ from: z.int().positive(), why: z.string().max(500) }).optional(),
})
export type BatchHead = z.infer<typeof headSchema>

export interface Batch extends BatchHead {
  lines: string[]
}

/** For a journal of which nothing was sent. */
export function beginning(edge: string, epoch: string): string {
  return createHash('sha256').update(`${edge}\n${epoch}`).digest('hex')
}

export function chainOn(prev: string, lines: readonly string[]): string {
  let chain = prev
  for (const line of lines) chain = createHash('sha256').update(`${chain}\n${line}`).digest('hex')
  return chain
}

export function encodeBatch({ lines, ...head }: Batch): Buffer {
  return zstdCompressSync([JSON.stringify(head), ...lines].join('\n'))
}

export function decodeBatch(bytes: Uint8Array): Batch {
  try {
    const [first = '', ...lines] = zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES })
      .toString('utf8')
      .split('\n')
    const head = headSchema.parse(JSON.parse(first))
    if (lines.length === 0 || lines.length > MAX_RECORDS) throw new Error(`it has ${lines.length} records`)
    return { ...head, lines }
  } catch (error) {
    throw new CrosshookError(
      'bad_input',
      `A batch of records cannot be read: ${messageOf(error).slice(0, 300)}`,
      {
        cause: error,
      },
    )
  }
}

/** The hub's answer: how far it has come, without a gap. */
export interface Acknowledged {
  seq: number
  chain: string
}
