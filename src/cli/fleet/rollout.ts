/** `crosshook fleet rollout [REVISION] [--advance | --stop | --resume]` */

import type { RevisionRow } from '../../fleet/publish.ts'
import type { FleetCall } from '../fleet.ts'
import { requirePerson } from '../person.ts'
import { print, printJson } from '../print.ts'
import { columns } from '../table.ts'
import { visible } from '../visible.ts'
import { numberOf } from './publish.ts'

const MOVES = ['advance', 'stop', 'resume'] as const

export async function rollout({ args, words, admin }: FleetCall): Promise<number> {
  const move = MOVES.find((name) => args.flag(name))
  const hub = admin()
  if (move !== undefined) {
    await requirePerson(args)
    const reason = args.value('reason')
    const row = await hub.post<RevisionRow>(`/v1/fleet/revisions/${numberOf(words[0])}/${move}`, {
      ...(reason === undefined ? {} : { reason }),
    })
    if (args.flag('json')) printJson(row)
    else print(lines([row]))
    return 0
  }
  if (words[0] !== undefined) {
    const row = await hub.get<RevisionRow & { result: object }>(`/v1/fleet/revisions/${numberOf(words[0])}`)
    if (args.flag('json')) printJson(row)
    else print(`${lines([row])}  since this stage began: ${JSON.stringify(row.result)}\n`)
    return 0
  }
  const rows = await hub.get<RevisionRow[]>('/v1/fleet/revisions')
  if (args.flag('json')) printJson(rows)
  else print(rows.length > 0 ? lines(rows) : 'Nothing was published yet: crosshook fleet publish FOLDER.')
  return 0
}

function lines(rows: readonly RevisionRow[]): string {
  return columns(
    rows.map(({ revision, state, stage, author, digest, manifest, why }) => {
      const rule = manifest.stages[stage]!
      return [
        String(revision),
        state,
        `stage ${stage + 1} of ${manifest.stages.length}: ${rule.mode} ${rule.percent} %`,
        visible(manifest.selector || 'every machine'),
        digest.slice(0, 12),
        visible(author),
        visible(why ?? manifest.note ?? ''),
      ]
    }),
  )
}
