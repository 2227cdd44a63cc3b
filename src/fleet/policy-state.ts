/** Which policy this machine has, and whose signatures the next one needs. Written atomically, so it survives kills. */

import { join } from 'node:path'
import * as z from 'zod'
import { writeWhole } from '../config/write-whole.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'
import type { Enrolment } from './enrolment.ts'

const part = z.object({ revision: z.int().positive(), digest: z.string() })

const schema = z.object({
  version: z.literal(1),
  /** The newest that was taken, in any mode: nothing older is taken again. */
  revision: z.int().nonnegative(),
  stage: z.int().nonnegative(),
  keys: z.array(z.string()),
  threshold: z.int().min(1),
  /** The revision whose keys these are. */
  keys_of: z.int().nonnegative(),
  enforced: part.nullable(),
  shadow: part.nullable(),
  journal: z.enum(['facts', 'full']),
  max_age: z.object({ hours: z.number(), after: z.enum(['keep', 'closed']) }).nullable(),
})
export type PolicyState = z.infer<typeof schema>

export function readPolicyState(fleet: string, { keys, threshold }: Enrolment): PolicyState {
  const file = join(fleet, 'policy.json')
  let text: string
  try {
    text = readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return {
        version: 1,
        revision: 0,
        stage: 0,
        keys,
        threshold,
        keys_of: 0,
        enforced: null,
        shadow: null,
        journal: 'facts',
        max_age: null,
      }
    throw error
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    // Starting over would let an old policy in.
    throw new CrosshookError('store', `${file} is damaged: ${messageOf(error).slice(0, 200)}`, {
      fix: 'Enrol this machine again: crosshook enroll URL --token T.',
      cause: error,
    })
  }
}

export function writePolicyState(fleet: string, state: PolicyState): void {
  writeWhole(join(fleet, 'policy.json'), `${JSON.stringify(state, null, 2)}\n`)
}

export function modeOf({ shadow, enforced, revision }: PolicyState): string {
  return shadow?.revision === revision ? 'shadow' : enforced?.revision === revision ? 'enforce' : ''
}
