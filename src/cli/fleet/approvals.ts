/** `crosshook fleet approvals [allow|deny ID]`: questions of machines, and a person's answer. */

import { CrosshookError } from '../../spec/errors.ts'
import type { FleetCall } from '../fleet.ts'
import { requirePerson } from '../person.ts'
import { print, printJson } from '../print.ts'
import { brief, columns } from '../table.ts'
import { visible } from '../visible.ts'

interface Ask {
  id: string
  machine: string
  agent: string
  tool_name?: string | null
  summary: string
  deadline: number
}

export async function approvals({ args, words, admin }: FleetCall): Promise<number> {
  const [verb = 'list', id] = words
  if (verb === 'list') {
    const rows = await admin().get<Ask[]>('/v1/fleet/asks')
    if (args.flag('json')) printJson(rows)
    else
      print(
        rows.length === 0
          ? 'Nobody asks.'
          : columns(
              rows.map(({ id, machine, agent, tool_name, summary, deadline }) => [
                id,
                visible(machine),
                visible(agent),
                visible(tool_name ?? ''),
                brief(summary, 80),
                `until ${new Date(deadline).toISOString()}`,
              ]),
            ),
      )
    return 0
  }
  if ((verb !== 'allow' && verb !== 'deny') || id === undefined)
    throw new CrosshookError('usage', 'what should be answered?', {
      fix: 'Write crosshook fleet approvals allow ID, or deny ID.',
    })
  await requirePerson(args)
  const answer = await admin().post<{ state: string }>(`/v1/fleet/asks/${encodeURIComponent(id)}`, {
    decision: verb,
    scope: args.value('scope') ?? 'once',
    reason: args.value('reason') ?? '',
  })
  if (args.flag('json')) printJson(answer)
  else print(`Answered: ${answer.state}.`)
  return 0
}
