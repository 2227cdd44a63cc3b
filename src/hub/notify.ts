/** Tells people's services that a machine asks: signed as Standard Webhooks, tried again, never waited for. */

import { setTimeout as sleep } from 'node:timers/promises'
import { signedHeaders } from '../ask/standard-webhooks.ts'
import { messageOf } from '../spec/errors.ts'
import type { Database } from './database/port.ts'
import type { Hub } from './hub.ts'
import { tenantSettings } from './store/tenants.ts'

const ATTEMPTS = 4
const FIRST_PAUSE_MS = 500
const LIMIT_MS = 10_000

export function createNotify(db: Database, trouble: (sentence: string) => void): Hub['notify'] {
  return (tenant, { id, edge, body, deadline }) => {
    void (async () => {
      const { webhooks = [] } = await db.within(tenant, (sql) => tenantSettings(sql, tenant))
      const shown = JSON.parse(body) as Record<string, unknown>
      const text = JSON.stringify({
        type: 'question.asked',
        tenant,
        id,
        edge,
        deadline: new Date(deadline).toISOString(),
        ...shown,
      })
      await Promise.all(webhooks.map((webhook) => post(webhook, id, text)))
    })().catch((error: unknown) => trouble(`people were not told of a question: ${messageOf(error)}`))
  }
}

async function post(
  { url, secret }: { url: string; secret: string },
  id: string,
  body: string,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    let why: string
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        body,
        headers: { 'content-type': 'application/json', ...signedHeaders(secret, id, body) },
        signal: AbortSignal.timeout(LIMIT_MS),
      })
      if (response.ok) return
      why = `it answers ${response.status}`
    } catch (error) {
      why = messageOf((error as Error).cause ?? error)
    }
    if (attempt === ATTEMPTS) throw new Error(`${new URL(url).host}: ${why}`)
    await sleep(FIRST_PAUSE_MS * 4 ** (attempt - 1))
  }
}
