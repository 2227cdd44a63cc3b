/** Questions of machines, and people's answers. */

import * as z from 'zod'
import { SCOPES } from '../../../ask/question.ts'
import { type AskRow, answerAsk, closedAsks, openAsks, type VoteRow, votesOf } from '../../store/asks.ts'
import { get, limitIn, type PersonCall, type PersonRoute, post } from '../route.ts'
import { signatureSchema } from './revisions.ts'

const answerSchema = z.object({
  decision: z.enum(['allow', 'deny']),
  scope: z.enum(SCOPES).default('once'),
  reason: z.string().max(2000).default(''),
  digest: z.string().max(200).optional(),
  signed: signatureSchema.optional(),
})

export const ASK_ROUTES: readonly PersonRoute[] = [
  get('/v1/fleet/asks', 'Questions that wait; with state=closed those that were answered', listAsks, [
    'state',
    'limit',
  ]),
  post('/v1/fleet/asks/{id}', 'approver', 'Answer a question', answerSchema, answer),
]

async function listAsks({ hub, person: { tenant }, url }: PersonCall) {
  return hub.db.within(tenant, async (sql) => {
    const rows =
      url.searchParams.get('state') === 'closed'
        ? await closedAsks(sql, tenant, limitIn(url, 50, 500))
        : await openAsks(sql, tenant)
    const ids = rows.filter(({ approvals }) => approvals > 1).map(({ id }) => id)
    const votes = Map.groupBy(await votesOf(sql, tenant, ids), ({ ask }) => ask)
    return rows.map((row) => askJson(row, votes.get(row.id) ?? []))
  })
}

function askJson({ body, approvers, ...row }: AskRow, votes: readonly VoteRow[]) {
  return {
    ...(JSON.parse(body) as object),
    why: (JSON.parse(body) as { reason?: string | null }).reason ?? '',
    ...row,
    approvers: JSON.parse(approvers) as string[],
    votes: votes.map(({ person, at }) => ({ person, at })),
  }
}

async function answer({ hub, person, names, body }: PersonCall<z.infer<typeof answerSchema>>) {
  return hub.db.within(person.tenant, async (sql) => {
    const { missing, ...row } = await answerAsk(sql, person, names.id!, body)
    const votes = row.approvals > 1 ? await votesOf(sql, person.tenant, [row.id]) : []
    return { ...askJson(row, votes), missing }
  })
}
