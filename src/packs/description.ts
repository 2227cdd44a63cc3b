/** What an index, or the pack.json of a web folder, says about a pack. Parsed strictly: it comes from elsewhere. */

import { maxSatisfying, prerelease, rcompare, valid, validRange } from 'semver'
import * as z from 'zod'
import { isSigner } from '../sign/signer.ts'
import { CrosshookError } from '../spec/errors.ts'
import { PACK_NAME } from './manifest.ts'

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const plain = z.string().max(500)
const signer = z.string().max(2000).refine(isSigner, 'is no public key')
const version = z.string().refine((text) => valid(text) === text, 'is no version')

const place = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('archive'),
    /** Relative to the index or pack.json, or whole. */
    url: z.string().min(1).max(1000),
    sha256: digest,
    size: z
      .int()
      .positive()
      .max(64 * 1024 * 1024),
  }),
  z.strictObject({
    type: z.literal('git'),
    url: z.string().max(1000),
    ref: plain,
    commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  }),
  z.strictObject({ type: z.literal('npm'), name: plain, version: plain, integrity: plain.optional() }),
])

export const versionSchema = z.strictObject({
  published: z.iso.datetime(),
  /** Why it should no longer be used. */
  yanked: plain.optional(),
  from: place,
  /** Of everything in the pack but PACK.sig. */
  content: digest,
  signers: z.array(signer).max(16),
  hooks: z.array(plain).max(500),
  rights: z.record(plain, z.array(plain)),
  /** What its guards judge: `delete`, `rewrite_history`. */
  acts: z.array(plain),
  agents: z.array(plain),
  cases: z.int().nonnegative(),
})

export const recordSchema = z.strictObject({
  name: z.string().regex(PACK_NAME),
  description: plain,
  license: plain,
  homepage: z.url({ protocol: /^https$/ }).optional(),
  keywords: z.array(plain).max(20).optional(),
  /** Keys that may sign it; empty: the one that signed it first. */
  keys: z.array(signer).max(16),
  /** It is now published under another name. */
  renamed_to: z.string().regex(PACK_NAME).optional(),
  versions: z.record(version, versionSchema),
})

export type Place = z.infer<typeof place>
export type VersionRecord = z.infer<typeof versionSchema>
export type PackRecord = z.infer<typeof recordSchema>

/** Newest first. */
export function versionsOf({ versions }: Pick<PackRecord, 'versions'>): string[] {
  return Object.keys(versions).toSorted(rcompare)
}

/** Newest that is not yanked; a pre-release only if there is nothing else. */
export function latestOf(record: Pick<PackRecord, 'versions'>): string | undefined {
  const good = versionsOf(record).filter((version) => !record.versions[version]!.yanked)
  return good.find((version) => prerelease(version) === null) ?? good[0]
}

/** `1.2` means 1.2.x. An exact version is found even if yanked: the caller reports it. */
export function chooseVersion(record: PackRecord, range: string | undefined): string {
  const all = versionsOf(record)
  if (range === undefined) {
    const latest = latestOf(record)
    if (latest !== undefined) return latest
    throw new CrosshookError('not_found', `every version of ${record.name} was yanked`, {
      fix: `The last was ${all[0]}: ${record.versions[all[0]!]?.yanked ?? ''}`,
    })
  }
  if (Object.hasOwn(record.versions, range)) return range
  if (validRange(range) === null)
    throw new CrosshookError('usage', `"${range}" is no version and no range`, {
      fix: 'For example: 1.2.0, 1.2, ^1.2 or 1.x.',
    })
  const good = all.filter((version) => !record.versions[version]!.yanked)
  const found = maxSatisfying(good, range)
  if (found !== null) return found
  throw new CrosshookError('not_found', `${record.name} has no version ${range}`, {
    fix: `Versions are: ${all.slice(0, 10).join(', ')}${all.length > 10 ? ', …' : ''}.`,
  })
}
