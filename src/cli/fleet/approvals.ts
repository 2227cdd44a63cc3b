/** `crosshook fleet approvals [allow|deny ID]`: questions of machines, and a person's answer. */

import { answerText } from '../../fleet/wire/answer-text.ts'
import { loadKey } from '../../sign/key-files.ts'
import { sign } from '../../sign/signature.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { FleetCall } from '../fleet.ts'
import { requirePerson } from '../person.ts'
import { plural, print, printJson } from '../print.ts'
import { brief, columns } from '../table.ts'
import { visible } from '../visible.ts'

interface Ask {
  id: string
  machine: string
  agent: string
  tool_name?: string | null
  summary: string
  deadline: number
  input_digest: string
  approvers: string[]
  approvals: number
  votes: { person: string }[]
}

/** Used if it exists: crosshook key new approver. */
const APPROVER_KEY = 'approver'

export async function approvals({ args, state, words, admin }: FleetCall): Promise<number> {
  const [verb = 'list', id] = words
  if (verb === 'list') {
    const rows = await admin().get<Ask[]>('/v1/fleet/asks')
    if (args.flag('json')) printJson(rows)
    else
      print(
        rows.length === 0
          ? 'Nobody asks.'
          : columns(
              rows.map(
                ({ id, machine, agent, tool_name, summary, deadline, approvers, approvals, votes }) => [
                  id,
                  visible(machine),
                  visible(agent),
                  visible(tool_name ?? ''),
                  brief(summary, 80),
                  `until ${new Date(deadline).toISOString()}`,
                  approvals > 1
                    ? `${votes.length} of ${approvals} said yes${votes.length > 0 ? `: ${votes.map(({ person }) => visible(person)).join(', ')}` : ''}`
                    : '',
                  approvers.length > 0 ? `for ${approvers.map(visible).join(', ')}` : '',
                ],
              ),
            ),
      )
    return 0
  }
  if ((verb !== 'allow' && verb !== 'deny') || id === undefined)
    throw new CrosshookError('usage', 'what should be answered?', {
      fix: 'Write crosshook fleet approvals allow ID, or deny ID.',
    })
  await requirePerson(args)
  const hub = admin()
  const scope = args.value('scope') ?? 'once'
  const reason = args.value('reason') ?? ''
  const asked = (await hub.get<Ask[]>('/v1/fleet/asks')).find((ask) => ask.id === id)
  if (!asked)
    throw new CrosshookError('not_found', `there is no open question ${id}`, {
      fix: 'Run crosshook fleet approvals list.',
    })
  // Policies may require people's own keys rather than the hub's word about who answered.
  const key = loadKey(state, args.value('key') ?? APPROVER_KEY)
  const text = answerText({ id, input_digest: asked.input_digest, decision: verb, scope, reason })
  const answer = await hub.post<{ state: string; missing: number }>(
    `/v1/fleet/asks/${encodeURIComponent(id)}`,
    {
      decision: verb,
      scope,
      reason,
      // The answer is valid only for what was shown here.
      digest: asked.input_digest,
      ...(key ? { signed: { key: key.public, signature: sign(key, 'answer', text) } } : {}),
    },
  )
  if (args.flag('json')) printJson(answer)
  else if (answer.missing > 0)
    print(`Your yes counts. ${plural(answer.missing, 'more person', 'more people')} must say yes, too.\n`)
  else print(`Answered: ${answer.state}.\n`)
  return 0
}
