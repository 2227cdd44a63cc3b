/** What this machine knows about its fleet: the hub, its own id, and whose signatures a policy needs. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { writeWhole } from '../config/write-whole.ts'
import { loadKey } from '../sign/key-files.ts'
import type { SigningKey } from '../sign/keys.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'

/** Name of the machine's key in its state folder. */
export const EDGE_KEY = 'fleet-edge'

const schema = z.object({
  version: z.literal(1),
  url: z.url(),
  tenant: z.string(),
  id: z.string(),
  name: z.string(),
  labels: z.record(z.string(), z.string()),
  /** As pinned at enrolment; a policy may change them: see `policy-state.ts`. */
  keys: z.array(z.string()),
  threshold: z.int().min(1),
  enrolled_at: z.iso.datetime(),
  /** Earlier records stay on the machine. */
  since: z.object({ epoch: z.string(), seq: z.int().nonnegative() }),
})
export type Enrolment = z.infer<typeof schema>

export function enrolmentFile(fleet: string): string {
  return join(fleet, 'enrolment.json')
}

/** Undefined when this machine is not enrolled. Throws when the file exists but is unusable. */
export function readEnrolment(fleet: string): Enrolment | undefined {
  const file = enrolmentFile(fleet)
  let text: string
  try {
    text = readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable(file, error)
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw unusable(file, error)
  }
}

export function writeEnrolment(fleet: string, enrolment: Enrolment): void {
  writeWhole(enrolmentFile(fleet), `${JSON.stringify(enrolment, null, 2)}\n`)
}

export function forgetEnrolment(fleet: string): void {
  rmSync(fleet, { recursive: true, force: true })
}

export function edgeKey(state: string): SigningKey {
  const key = loadKey(state, EDGE_KEY)
  if (key) return key
  throw new CrosshookError('store', "The key of this machine is gone, and with it the hub's trust in it.", {
    fix: 'Enrol it again: crosshook enroll URL --token T.',
  })
}

function unusable(file: string, error: unknown): CrosshookError {
  return new CrosshookError('store', `${file} cannot be used: ${messageOf(error).slice(0, 300)}`, {
    fix: 'Enrol this machine again: crosshook enroll URL --token T.',
    cause: error,
  })
}
