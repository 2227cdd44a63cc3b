/** How often hooks ran, what they decided, how long they took and what they cost: sums of the journal over HTTP. */

import { HOOK_DIMENSIONS, type HookDimension } from '../../journal/port.ts'
import { noiseOf, statsOf } from '../../journal/stats.ts'
import { momentOf } from '../../spec/duration.ts'
import type { Core } from '../core.ts'
import { Refusal } from '../problem.ts'
import type { RouteContext } from './routes.ts'

/** Query fields that filter what is summed. */
export const STATS_QUERY = ['since', 'until', 'hook', 'agent', 'tool', 'project'] as const

const DEFAULT_SINCE = '7d'
const DEFAULT_SLICES = 14
const MAX_SLICES = 366

/** As `crosshook stats --json`. */
export async function getStats({ runtime }: Core, c: RouteContext): Promise<Response> {
  const slices = Number(c.req.query('slices') ?? DEFAULT_SLICES)
  if (!Number.isInteger(slices) || slices < 1 || slices > MAX_SLICES)
    throw wrong(`slices must be a whole number up to ${MAX_SLICES}`)
  const stats = statsOf(runtime.journal(), { ...range(c), slices })
  const workDir = c.req.query('work_dir') ?? runtime.paths.home
  const { hooks } = await runtime.hookSet(workDir)
  const ran = new Set(stats.hooks.map(({ hook }) => hook))
  const silent = [...new Set(hooks.filter(({ disabled }) => !disabled).map(({ name }) => name))]
  return c.json({ ...stats, never_matched: silent.filter((name) => !ran.has(name)).sort() })
}

/** As `crosshook stats --by`, by several dimensions at once: `by=hook,day`. */
export function getHookSums({ runtime }: Core, c: RouteContext): Response {
  const by = (c.req.query('by') ?? 'hook').split(',').filter((name) => name !== '')
  const unknown = by.find((name) => !(HOOK_DIMENSIONS as readonly string[]).includes(name))
  if (unknown !== undefined) throw wrong(`by must be of ${HOOK_DIMENSIONS.join(', ')}, not "${unknown}"`)
  const { from, rows } = runtime.journal().hookSums({ ...range(c), by: by as HookDimension[] })
  return c.json({ since: from.toISOString(), by, rows: rows.map((row) => ({ ...row, noise: noiseOf(row) })) })
}

function range(c: RouteContext) {
  const { since, until, hook, agent, tool, project } = c.req.query()
  return {
    since: moment(since ?? DEFAULT_SINCE, 'since'),
    ...(until === undefined ? {} : { until: moment(until, 'until') }),
    ...(hook === undefined ? {} : { hook }),
    ...(agent === undefined ? {} : { agent }),
    ...(tool === undefined ? {} : { tool }),
    ...(project === undefined ? {} : { project }),
  }
}

/** `7d` before now, or a date. */
function moment(text: string, name: string): Date {
  const date = momentOf(text)
  if (!date) throw wrong(`${name} must be such as 7d or 2026-01-31T12:00:00Z`)
  return date
}

function wrong(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad_input', detail: `${detail}.` })
}
