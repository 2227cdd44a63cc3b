/** Advances roll-outs: to the next stage when its time is over, or stops them by a rule of the manifest. */

import { type Manifest, parseManifest } from '../fleet/wire/policy-manifest.ts'
import type { Database } from './database/port.ts'
import { advance, revisionsIn, stop } from './store/revisions.ts'
import { resultOf, type StageResult } from './store/search.ts'

/** Any hub may do it, even several at the same time. */
export async function moveRollouts(db: Database, tenant: string, now = Date.now()): Promise<void> {
  await db.within(tenant, async (sql) => {
    for (const revision of await revisionsIn(sql, tenant, ['running'])) {
      const manifest = parseManifest(revision.manifest)
      const { mode } = manifest.stages[revision.stage]!
      const result = await resultOf(sql, tenant, revision.revision, { since: revision.stage_since, mode })
      const why = reasonToStop(manifest.stop, result)
      if (why !== undefined) await stop(sql, tenant, 'hub', revision.revision, why)
      else if (now >= revision.stage_since + manifest.stages[revision.stage]!.minutes * 60_000)
        await advance(sql, tenant, 'hub', revision)
    }
  })
}

export function reasonToStop(
  { min_events, max_failure_rate, max_deny_rate, forecast_deny_rate, max_deny_ratio }: Manifest['stop'],
  { events, denies, failures }: StageResult,
): string | undefined {
  if (events === 0 || events < min_events) return undefined
  const failed = failures / events
  const denied = denies / events
  if (max_failure_rate !== undefined && failed > max_failure_rate)
    return `hooks failed on ${percent(failed)} of ${events} events, more than ${percent(max_failure_rate)}`
  if (max_deny_rate !== undefined && denied > max_deny_rate)
    return `${percent(denied)} of ${events} events were denied, more than ${percent(max_deny_rate)}`
  if (
    forecast_deny_rate !== undefined &&
    max_deny_ratio !== undefined &&
    denied > forecast_deny_rate * max_deny_ratio
  )
    return `${percent(denied)} of ${events} events were denied, more than ${max_deny_ratio} times the forecast of ${percent(forecast_deny_rate)}`
  return undefined
}

function percent(part: number): string {
  return `${Math.round(part * 10_000) / 100} %`
}
