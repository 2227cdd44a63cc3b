/** Takes a policy from the hub: only if signed by the pinned keys, only forwards, only if meant for this machine. */

import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { CrosshookError } from '../spec/errors.ts'
import type { Enrolment } from './enrolment.ts'
import type { HubClient } from './hub-client.ts'
import { bundleFolder, fetchBundle, putBundle } from './mend-policy.ts'
import { type PolicyState, readPolicyState, writePolicyState } from './policy-state.ts'
import {
  compileSelector,
  isWithin,
  type Manifest,
  type Signed,
  verifySigned,
} from './wire/policy-manifest.ts'

const signedSchema = z.object({
  manifest: z.string(),
  signatures: z.array(z.object({ key: z.string(), signature: z.string() })),
})
const eventSchema = signedSchema.extend({ stage: z.int().nonnegative() })

export interface PolicyContext {
  fleet: string
  enrolment: Enrolment
  client: HubClient
}

/** True when something changed. Throws, and changes nothing, when it must not be taken. */
export async function takePolicy(context: PolicyContext, data: string): Promise<boolean> {
  const { fleet, enrolment } = context
  const { stage, ...signed } = eventSchema.parse(JSON.parse(data))
  const before = readPolicyState(fleet, enrolment)
  const { manifest, state } = await proven(context, signed, before)
  await refuseForeign(manifest, stage, enrolment, before)
  if (manifest.revision === before.revision && stage === before.stage) return false
  await fetchArchive(context, manifest.digest)
  const part = { revision: manifest.revision, digest: manifest.digest }
  const isShadow = manifest.stages[stage]!.mode === 'shadow'
  writePolicyState(fleet, {
    ...state,
    revision: manifest.revision,
    stage,
    // A trial beside the policy in force, which stays.
    ...(isShadow
      ? { shadow: part }
      : { enforced: part, shadow: null, journal: manifest.journal, max_age: manifest.max_age }),
  })
  activate(fleet, readPolicyState(fleet, enrolment))
  return true
}

/** Keys may have changed in revisions that were not for this machine: each must be signed by those before it. */
async function proven(
  { client }: PolicyContext,
  signed: Signed,
  before: PolicyState,
): Promise<{ manifest: Manifest; state: PolicyState }> {
  const taken = (manifest: Manifest, state: PolicyState): PolicyState => ({
    ...state,
    keys: manifest.keys,
    threshold: manifest.threshold,
    keys_of: manifest.revision,
  })
  let state = before
  try {
    const manifest = verifySigned(signed, state)
    return { manifest, state: manifest.revision >= state.keys_of ? taken(manifest, state) : state }
  } catch (error) {
    const { manifests } = z
      .object({ manifests: z.array(signedSchema) })
      .parse(
        JSON.parse((await client.call('GET', `/fleet/manifests?after=${state.keys_of}`)).toString('utf8')),
      )
    for (const each of manifests) {
      const manifest = verifySigned(each, state)
      if (manifest.revision <= state.keys_of) throw error
      if (each.manifest === signed.manifest) return { manifest, state: taken(manifest, state) }
      state = taken(manifest, state)
    }
    throw error
  }
}

async function refuseForeign(
  manifest: Manifest,
  stage: number,
  { tenant, id, name, labels }: Enrolment,
  before: PolicyState,
): Promise<void> {
  const { revision } = manifest
  const rule = manifest.stages[stage]
  if (manifest.tenant !== tenant) throw refused(`revision ${revision} is the policy of ${manifest.tenant}`)
  if (revision < before.revision || (revision === before.revision && stage < before.stage))
    throw refused(`revision ${revision} is older than ${before.revision}, which this machine has`)
  if (!rule) throw refused(`revision ${revision} has no stage ${stage}`)
  if (
    !isWithin(rule.percent, manifest.digest, id) ||
    !(await compileSelector(manifest.selector))({ id, name, labels })
  )
    throw refused(`revision ${revision} is not meant for this machine`)
}

function refused(why: string): CrosshookError {
  return new CrosshookError('refused', `The hub offers a policy that is not taken: ${why}.`, {
    fix: 'Nothing was changed. Find out who runs this hub, and who told it to.',
  })
}

async function fetchArchive({ fleet, client }: PolicyContext, digest: string): Promise<void> {
  if (existsSync(bundleFolder(fleet, digest))) return
  const bytes = await fetchBundle(client, digest)
  mkdirSync(join(fleet, 'bundles'), { recursive: true, mode: 0o755 })
  putBundle(fleet, digest, bytes)
}

/** Makes the links match the state: after a kill in between, and after somebody changed them. */
export function activate(fleet: string, state: PolicyState): void {
  link(join(fleet, 'current'), state.enforced && join('bundles', state.enforced.digest))
  link(join(fleet, 'shadow'), state.shadow && join('bundles', state.shadow.digest))
  const used = [state.enforced?.digest, state.shadow?.digest]
  for (const name of existsSync(join(fleet, 'bundles')) ? readdirSync(join(fleet, 'bundles')) : [])
    if (!used.includes(name.replace(/\.archive$/, '')))
      rmSync(join(fleet, 'bundles', name), { recursive: true, force: true })
}

function link(path: string, target: string | null): void {
  if (target === null) {
    rmSync(path, { recursive: true, force: true })
    return
  }
  try {
    if (readlinkSync(path) === target) return
  } catch {
    // Missing, or something else in its place.
  }
  const temporary = `${path}.${process.pid}.tmp`
  rmSync(temporary, { recursive: true, force: true })
  symlinkSync(target, temporary)
  try {
    renameSync(temporary, path)
  } catch {
    rmSync(path, { recursive: true, force: true })
    renameSync(temporary, path)
  }
}
