/** Enrols this machine: creates its key, shows the hub a token, and pins whose policies it accepts. */

import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import * as z from 'zod'
import type { Journal } from '../journal/port.ts'
import { createKey, keyPath, loadOrCreateKey } from '../sign/key-files.ts'
import { isPublicKey } from '../sign/keys.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { EDGE_KEY, type Enrolment, writeEnrolment } from './enrolment.ts'
import { limitedBody } from './limited-body.ts'
import { fingerprintOf } from './wire/policy-manifest.ts'

const answerSchema = z.object({
  tenant: z.string(),
  id: z.string(),
  name: z.string(),
  labels: z.record(z.string(), z.string()),
  keys: z.array(z.string().refine(isPublicKey)),
  threshold: z.int().min(1),
})

export interface EnrolWish {
  url: string
  /** The hub's token and, after a tilde, the fingerprint of the keys to pin. */
  token: string
  state: string
  fleet: string
  journal: Journal
  version: string
  name?: string
  isNewKey?: boolean
}

export async function enrolMachine(wish: EnrolWish): Promise<Enrolment> {
  const [token = '', pin] = wish.token.split('~')
  if (wish.isNewKey) rmSync(keyPath(wish.state, EDGE_KEY), { force: true })
  const key = wish.isNewKey ? createKey(wish.state, EDGE_KEY) : loadOrCreateKey(wish.state, EDGE_KEY)
  const given = { token, name: wish.name ?? hostname(), public: key.public, version: wish.version }
  const answer = answerSchema.parse(await post(`${wish.url}/fleet/enroll`, given))
  if (answer.keys.length === 0)
    throw new CrosshookError(
      'refused',
      'The hub has no policy yet, so that nobody could say whose policy is right.',
      {
        fix: 'Publish one first: crosshook fleet publish FOLDER. The token was used; ask for another.',
      },
    )
  // Without a fingerprint the hub is trusted this once.
  if (pin !== undefined && pin !== fingerprintOf(answer))
    throw new CrosshookError('refused', 'The hub names other keys than those that the token was made for.', {
      fix: 'Nothing was enrolled here. Find out who runs this hub; if keys were changed on purpose, ask for a new token.',
    })
  const epoch = wish.journal.epoch()
  const [last] = wish.journal.list({ limit: 1 })
  const enrolment: Enrolment = {
    version: 1,
    url: wish.url,
    ...answer,
    enrolled_at: new Date().toISOString(),
    since: { epoch, seq: last?.seq ?? 0 },
  }
  rmSync(wish.fleet, { recursive: true, force: true })
  writeEnrolment(wish.fleet, enrolment)
  return enrolment
}

/** Bytes. */
const MAX_ANSWER_BYTES = 1024 * 1024

async function post(url: string, body: object): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
  } catch (error) {
    throw new CrosshookError(
      'refused',
      `The hub cannot be reached at ${url}: ${messageOf((error as Error).cause ?? error)}`,
      {
        fix: 'Check the address and that the hub runs.',
        cause: error,
      },
    )
  }
  const answer = (await limitedBody(response, MAX_ANSWER_BYTES)
    .then((bytes) => JSON.parse(bytes.toString('utf8')))
    .catch(() => ({}))) as { detail?: string; fix?: string }
  if (response.ok) return answer
  throw new CrosshookError(
    'refused',
    `The hub answers ${response.status}: ${answer.detail ?? 'nothing that helps'}`,
    {
      ...(answer.fix === undefined ? {} : { fix: answer.fix }),
    },
  )
}
