/** People of a fleet, the audit log, and settings. */

import * as z from 'zod'
import { isLoopback } from '../../../host/address.ts'
import { CrosshookError } from '../../../spec/errors.ts'
import { brokenAudit, readAudit } from '../../store/audit.ts'
import { makeLink } from '../../store/links.ts'
import {
  addPerson,
  type ChannelSettings,
  changeSettings,
  people,
  ROLES,
  removePerson,
  type SettingsChange,
  tenantSettings,
} from '../../store/tenants.ts'
import { get, limitIn, type PersonCall, type PersonRoute, post, remove } from '../route.ts'

const personSchema = z.object({
  // Reserved: channels use these names for people without one.
  id: z.string().regex(/^(?!(?:webhook|ntfy|slack|silence|local|hub)$)[\w.@+-]{1,100}$/),
  role: z.enum(ROLES),
  subject: z.string().max(300).nullable().default(null),
})
const linkSchema = z.object({ person: z.string().max(100).optional() })
const secret = z.string().min(16).max(500)
/** Questions are sent there: unencrypted only to this machine. */
const address = z.url({ protocol: /^https?$/ }).refine((url) => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || isLoopback(hostname)
}, 'must be https')

const channelsSchema = z
  .strictObject({
    webhook: z.strictObject({ url: address, secret }).nullable(),
    slack: z
      .strictObject({ url: address, secret, people: z.record(z.string(), z.string()).optional() })
      .nullable(),
    ntfy: z
      .strictObject({
        url: address,
        answers: z.string().max(200).optional(),
        token: z.string().max(500).optional(),
      })
      .nullable(),
  })
  .partial()

const settingsSchema = z.strictObject({
  retention_days: z.int().min(1).max(3650).optional(),
  channels: channelsSchema.optional(),
  oidc: z
    .array(
      z.strictObject({
        issuer: z.url(),
        audience: z.string().min(1),
        labels: z.record(z.string(), z.string()),
        claims: z.record(z.string(), z.string()),
      }),
    )
    .max(10)
    .optional(),
  inference_secret: z.string().startsWith('whsec_').optional(),
})

export const PEOPLE_ROUTES: readonly PersonRoute[] = [
  get('/v1/fleet/me', 'Who you are', async ({ person }) => person),
  get('/v1/fleet/people', 'People of the fleet', ({ hub, person: { tenant } }) =>
    hub.db.within(tenant, (sql) => people(sql, tenant)),
  ),
  post('/v1/fleet/people', 'admin', 'Add a person; the token is shown once', personSchema, newPerson),
  remove('/v1/fleet/people/{id}', 'Remove a person, at once', lessPerson),
  post('/v1/fleet/links', 'viewer', 'A link that signs in on the page, once', linkSchema, newLink),
  get('/v1/fleet/audit', 'Who changed what, and whether the chain holds', auditLog, ['limit']),
  get('/v1/fleet/settings', 'Settings, without their secrets', showSettings),
  post('/v1/fleet/settings', 'admin', 'Change settings', settingsSchema, settings),
]

async function newPerson({ hub, person, body }: PersonCall<z.infer<typeof personSchema>>) {
  const { subject, ...given } = body
  const { tenant } = person
  return {
    token: await hub.db.within(tenant, (sql) => addPerson(sql, person.id, { tenant, ...given }, subject)),
  }
}

async function lessPerson({ hub, person, names }: PersonCall) {
  const removed = await hub.db.within(person.tenant, (sql) => removePerson(sql, person, names.id!))
  if (!removed) throw new CrosshookError('not_found', `There is no person ${names.id}.`)
  return { removed: names.id }
}

/** For oneself; an admin may create one for somebody else. */
async function newLink({ hub, person, body }: PersonCall<z.infer<typeof linkSchema>>) {
  const whom = body.person ?? person.id
  if (whom !== person.id && person.role !== 'admin')
    throw new CrosshookError('refused', 'Only an admin makes a link for somebody else.')
  const { code, ends } = await hub.db.within(person.tenant, (sql) => makeLink(sql, person, whom))
  return { path: `/sign-in?code=${code}`, ends }
}

async function auditLog({ hub, person: { tenant }, url }: PersonCall) {
  return hub.db.within(tenant, async (sql) => ({
    broken_at: (await brokenAudit(sql, tenant)) ?? null,
    rows: (await readAudit(sql, tenant, limitIn(url, 100, 1000))).map(({ detail, ...row }) => ({
      ...row,
      detail: JSON.parse(detail) as unknown,
    })),
  }))
}

async function showSettings({ hub, person: { tenant } }: PersonCall) {
  const {
    threshold = 1,
    retention_days,
    channels,
    oidc,
    inference_secret,
  } = await hub.db.within(tenant, (sql) => tenantSettings(sql, tenant))
  return {
    ...{ threshold, retention_days: retention_days ?? null, oidc: oidc ?? [] },
    channels: withoutSecrets(channels ?? {}),
    inference: inference_secret !== undefined,
  }
}

function withoutSecrets({ webhook, slack, ntfy }: ChannelSettings): object {
  // Incoming webhooks of chat services are secrets themselves: only the host is shown.
  const host = (url: string) => ({ host: new URL(url).host })
  return {
    ...(webhook ? { webhook: host(webhook.url) } : {}),
    ...(slack ? { slack: { ...host(slack.url), people: slack.people ?? {} } } : {}),
    ...(ntfy ? { ntfy: host(ntfy.url) } : {}),
  }
}

async function settings({ hub, person, body }: PersonCall<z.infer<typeof settingsSchema>>) {
  await hub.db.within(person.tenant, (sql) => changeSettings(sql, person, body as SettingsChange))
  return { changed: Object.keys(body) }
}
