/** Runners that live for one job enrol with their CI's token: an identity that the tenant trusts. */

import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Database } from './database/port.ts'
import type { Hub } from './hub.ts'
import { enroll } from './store/edges.ts'
import type { TenantSettings } from './store/tenants.ts'

type Provider = NonNullable<TenantSettings['oidc']>[number]

/** How long a runner is remembered after its last contact. */
const LIFETIME_MS = 24 * 3_600_000
const DISCOVERY_LIMIT_MS = 10_000

export function createIdentityEnrolment(db: Database): Hub['enrolByIdentity'] {
  const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()
  return async (token, newcomer) => {
    const issuer = issuerOf(token)
    for (const { tenant, provider } of await providersOf(db, issuer)) {
      let claims: Record<string, unknown>
      try {
        const keys = keySets.get(issuer) ?? (await discover(issuer))
        keySets.set(issuer, keys)
        claims = (await jwtVerify(token, keys, { issuer, audience: provider.audience })).payload
      } catch (error) {
        if ((error as { code?: string }).code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') continue // meant for another tenant
        throw refused(messageOf(error))
      }
      const wrong = Object.entries(provider.claims).find(([name, value]) => String(claims[name]) !== value)
      if (wrong) continue
      const labels = { ...provider.labels, ci: String(claims.sub ?? '') }
      const by = `identity ${String(claims.sub ?? '').slice(0, 150)}`
      const edge = await db.within(tenant, (sql) =>
        enroll(sql, tenant, by, newcomer, labels, Date.now() + LIFETIME_MS),
      )
      return { by: tenant, edge }
    }
    throw refused('no fleet of this hub trusts this identity')
  }
}

function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? ''
  } catch {
    throw new CrosshookError('refused', 'This is no token that enrols a machine.', {
      fix: 'Ask for one: crosshook fleet token.',
    })
  }
}

/** Only configured addresses are ever asked for keys. */
async function providersOf(db: Database, issuer: string): Promise<{ tenant: string; provider: Provider }[]> {
  const rows = await db.shared((sql) =>
    sql.all<{ id: string; settings: string }>('SELECT id, settings FROM tenants'),
  )
  return rows.flatMap(({ id, settings }) =>
    ((JSON.parse(settings) as TenantSettings).oidc ?? [])
      .filter((provider) => provider.issuer === issuer)
      .map((provider) => ({ tenant: id, provider })),
  )
}

async function discover(issuer: string) {
  const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(DISCOVERY_LIMIT_MS) })
  const { jwks_uri: keys } = (await response.json()) as { jwks_uri?: string }
  if (!response.ok || !keys) throw new Error(`${url} does not say where its keys are`)
  return createRemoteJWKSet(new URL(keys))
}

function refused(why: string): CrosshookError {
  return new CrosshookError('refused', `The identity was not accepted: ${why}.`, {
    fix: 'Compare issuer, audience and claims of the token with the setting `oidc` of the fleet.',
  })
}
