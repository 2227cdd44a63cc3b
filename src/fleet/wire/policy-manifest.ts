/**
 * A revision of the policy: a manifest, signed outside the hub, that names an archive by its digest. The manifest
 * contains everything that decides what a machine does with it, so a hub can withhold a revision but not alter it.
 */

import { createHash } from 'node:crypto'
import * as z from 'zod'
import { compileExpression } from '../../engine/condition.ts'
import { isPublicKey, type PublicKey } from '../../sign/keys.ts'
import { verify } from '../../sign/signature.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'

export const NAME = /^[\w.-]{1,64}$/
const DIGEST = /^[0-9a-f]{64}$/
const key = z.string().refine(isPublicKey, 'is not a public key')

export const stageSchema = z.strictObject({
  mode: z
    .enum(['shadow', 'enforce'])
    .describe('shadow: hooks run beside the policy in force and decide nothing.'),
  percent: z.number().min(0).max(100),
  minutes: z
    .number()
    .min(0)
    .describe('The hub goes on to the next stage after so long, unless a stop rule holds.'),
})
export type Stage = z.infer<typeof stageSchema>

export const manifestSchema = z.strictObject({
  version: z.literal(1),
  tenant: z.string().regex(NAME),
  revision: z.int().positive(),
  digest: z.string().regex(DIGEST),
  issued_at: z.iso.datetime(),
  author: z.string().max(200),
  note: z.string().max(2000).optional(),
  selector: z.string().max(2000).describe('CEL over id, name and labels; empty: every machine.'),
  stages: z.array(stageSchema).min(1).max(10),
  stop: z.strictObject({
    min_events: z.int().nonnegative().describe('Rules hold once so many events were seen in the stage.'),
    max_failure_rate: z.number().min(0).max(1).optional(),
    max_deny_rate: z.number().min(0).max(1).optional(),
    forecast_deny_rate: z.number().min(0).max(1).optional().describe('What a replay of past calls says.'),
    max_deny_ratio: z.number().positive().optional().describe('Denies may be so many times the forecast.'),
  }),
  max_age: z
    .strictObject({ hours: z.number().positive(), after: z.enum(['keep', 'closed']) })
    .describe('What a machine does that has not heard of its hub for so long.'),
  journal: z.enum(['facts', 'full']).describe('full: also reasons, commands and paths leave the machine.'),
  keys: z.array(key).min(1).max(32).describe('Who may sign the next revision.'),
  threshold: z.int().min(1).max(8).describe('How many of them must.'),
})
export type Manifest = z.infer<typeof manifestSchema>

export interface Trusted {
  keys: readonly PublicKey[]
  threshold: number
}

export interface Signed {
  /** The exact text that was signed. */
  manifest: string
  signatures: readonly { key: PublicKey; signature: string }[]
}

export function parseManifest(text: string): Manifest {
  try {
    const manifest = manifestSchema.parse(JSON.parse(text))
    if (manifest.threshold > manifest.keys.length) throw new Error('its threshold is more than its keys')
    return manifest
  } catch (error) {
    throw new CrosshookError('bad_input', `The manifest of a policy cannot be read: ${firstIssue(error)}`, {
      fix: 'Make it with `crosshook fleet publish` of a version that both sides know.',
      cause: error,
    })
  }
}

/** Throws unless enough of the trusted keys have signed it. */
export function verifySigned({ manifest, signatures }: Signed, { keys, threshold }: Trusted): Manifest {
  const signers = new Set(
    signatures
      .filter(({ key, signature }) => keys.includes(key) && verify(key, 'bundle', manifest, signature))
      .map(({ key }) => key),
  )
  if (signers.size < threshold)
    throw new CrosshookError(
      'refused',
      `${signers.size} of the ${threshold} signatures that a policy needs are there and right`,
      { fix: 'It was not signed by those whose keys this machine trusts. Nothing was changed.' },
    )
  return parseManifest(manifest)
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The keys that a machine trusts, as one short word in an enrolment token. */
export function fingerprintOf({ keys, threshold }: Trusted): string {
  return createHash('sha256')
    .update(JSON.stringify([[...keys].sort(), threshold]))
    .digest('hex')
    .slice(0, 32)
}

export interface Target {
  id: string
  name: string
  labels: Readonly<Record<string, string>>
}

export type Selector = (target: Target) => boolean

/** An expression that fails for a machine, as for a missing label, does not select it. */
export async function compileSelector(text: string): Promise<Selector> {
  if (text.trim() === '') return () => true
  try {
    const holds = await compileExpression(text)
    return ({ id, name, labels }) => holds(() => ({ id, name, labels: { ...labels } })).holds
  } catch (error) {
    throw new CrosshookError('bad_input', `The selector \`${text}\` is wrong: ${messageOf(error)}`, {
      fix: 'Write a CEL expression over id, name and labels, such as labels.team == "web".',
    })
  }
}

/** Whether a machine belongs to the given percentage. The same machines for every stage of one archive. */
export function isWithin(percent: number, digest: string, edge: string): boolean {
  if (percent >= 100) return true
  const bytes = createHash('sha256').update(`${digest}\0${edge}`).digest()
  return (bytes.readUInt32BE(0) / 2 ** 32) * 100 < percent
}

function firstIssue(error: unknown): string {
  if (!(error instanceof z.ZodError)) return messageOf(error)
  const { path, message } = error.issues[0]!
  return `${path.join('.') || 'it'}: ${message}`
}
