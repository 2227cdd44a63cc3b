/** Signatures of Standard Webhooks (https://www.standardwebhooks.com), both ways, with a shared secret. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CrosshookError } from '../spec/errors.ts'
import type { Received } from './channel.ts'

const PREFIX = 'whsec_'
/** Older or newer requests are rejected. */
const TOLERANCE_SECONDS = 300

/** Fewest bytes of a secret. Text that is not base64 has none, and would be a key that everybody has. */
const MIN_KEY_BYTES = 16

export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`
}

export function signedHeaders(
  secret: string,
  id: string,
  body: string,
  now = Date.now(),
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature(secret, id, timestamp, body)}`,
  }
}

/** Throws unless it carries a valid, recent signature. */
export function verifySigned(secret: string, { headers, body }: Received, now = Date.now()): void {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': given = '',
  } = headers
  if (!/^\d{1,12}$/.test(timestamp)) throw wrong('it has no time')
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw wrong('it is too old, or of the future')
  const right = Buffer.from(signature(secret, id, timestamp, body))
  const isGood = given.split(' ').some((each) => {
    const [version, text = ''] = each.split(',')
    const found = Buffer.from(text)
    return version === 'v1' && found.length === right.length && timingSafeEqual(found, right)
  })
  if (!isGood) throw wrong('its signature is not that of the shared secret over these bytes')
}

function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
  if (key.length < MIN_KEY_BYTES)
    throw wrong(`its secret has only ${key.length} bytes: anybody could guess it`)
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}

function wrong(why: string): CrosshookError {
  return new CrosshookError('refused', `the request is not taken: ${why}`, {
    fix: 'Sign it as Standard Webhooks describe, with the secret of `crosshook approvals key webhook`.',
  })
}
