/** `crosshook fleet people [add ID --role ROLE | remove ID]` */

import { CrosshookError } from '../../spec/errors.ts'
import type { FleetCall } from '../fleet.ts'
import { requirePerson } from '../person.ts'
import { print, printJson } from '../print.ts'
import { columns } from '../table.ts'
import { visible } from '../visible.ts'

export async function people({ args, words, admin }: FleetCall): Promise<number> {
  const [verb = 'list', id] = words
  const hub = admin()
  if (verb === 'list') {
    const rows = await hub.get<{ id: string; role: string; revoked_at: number | null }[]>('/v1/fleet/people')
    if (args.flag('json')) printJson(rows)
    else
      print(columns(rows.map((row) => [visible(row.id), row.role, row.revoked_at === null ? '' : 'removed'])))
    return 0
  }
  if ((verb !== 'add' && verb !== 'remove') || id === undefined)
    throw new CrosshookError('usage', 'who?', {
      fix: 'Write crosshook fleet people add ID --role approver, or remove ID.',
    })
  await requirePerson(args)
  const answer =
    verb === 'add'
      ? await hub.post<{ token: string }>('/v1/fleet/people', {
          id,
          role: args.value('role') ?? 'viewer',
          subject: args.value('subject') ?? null,
        })
      : await hub.remove<{ removed: string }>(`/v1/fleet/people/${encodeURIComponent(id)}`)
  if (args.flag('json')) printJson(answer)
  else print('token' in answer ? `Their token, shown once: ${answer.token}` : `Removed ${visible(id)}.`)
  return 0
}
