/** How full the context of the model is, and which of the marks that hooks wait for it has just reached. */

import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../config/settings.ts'
import { compileGlob } from '../../engine/glob.ts'
import type { Planned } from '../../engine/plan.ts'
import { isSystemError, messageOf } from '../../spec/errors.ts'
import { eventRow } from '../../spec/event.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Matcher } from '../../spec/matcher.ts'
import type { Context } from '../context.ts'
import type { Found } from '../session-facts.ts'

export const DEFAULT_PERCENT = 80
/** Tool calls without a word of the tokens, after which that is told. A transcript may be written a little late. */
const CALLS_BEFORE_TOLD = 3

export interface Fullness {
  /** Undefined: not known, and `why`. */
  count: number | undefined
  limit: number | undefined
  percent: number | undefined
  model: string | undefined
  why: string | undefined
}

export interface Threshold {
  unit: 'percent' | 'tokens'
  least: number
}

type ContextSettings = Settings['context']

export function fullnessOf(found: Found, settings: ContextSettings): Fullness {
  if ('why' in found) return { ...UNKNOWN, why: found.why }
  const { model, usage } = found
  const count = usage?.total_tokens
  if (count === undefined) return { ...UNKNOWN, model, why: 'its transcript does not say it' }
  const limit = found.limit ?? limitFor(model, settings)
  const percent = limit === undefined ? undefined : Math.floor((100 * count) / limit)
  return { count, limit, percent, model, why: undefined }
}

const UNKNOWN: Fullness = {
  count: undefined,
  limit: undefined,
  percent: undefined,
  model: undefined,
  why: undefined,
}

/** A name without a star is looked for first. */
function limitFor(model: string | undefined, { limits = {} }: ContextSettings): number | undefined {
  if (model === undefined) return undefined
  if (Object.hasOwn(limits, model)) return limits[model]
  const pattern = Object.keys(limits).find((name) => compileGlob(name)(model))
  return pattern === undefined ? undefined : limits[pattern]
}

/** Those of the hook's own conditions, or that of the settings. */
export function thresholdsOf(matcher: Matcher, settings: ContextSettings): Threshold[] {
  const own = conditionsIn(matcher)
  return own.length > 0 ? own : [{ unit: 'percent', least: settings.warn_percent ?? DEFAULT_PERCENT }]
}

function conditionsIn({ usage_percent: percent, token_count: tokens, any = [], not }: Matcher): Threshold[] {
  return [
    ...(percent === undefined ? [] : [{ unit: 'percent' as const, least: percent }]),
    ...(tokens === undefined ? [] : [{ unit: 'tokens' as const, least: tokens }]),
    ...[...any, ...(not ? [not] : [])].flatMap(conditionsIn),
  ]
}

export function keyOf({ unit, least }: Threshold): string {
  return `${least}-${unit}`
}

/** Marks that were not reached when this session was looked at before. Each is given once, whoever else asks meanwhile. */
export function newlyReached(
  { services, event, set }: Context,
  hooks: readonly Planned[],
  { count = 0, percent }: Fullness,
): Set<string> {
  const reached = new Set<string>()
  const all = hooks.flatMap(({ hook }) => thresholdsOf(hook.matcher, set!.settings.context))
  for (const threshold of new Map(all.map((each) => [keyOf(each), each])).values()) {
    const value = threshold.unit === 'percent' ? percent : count
    if (value === undefined) continue
    try {
      const mark = markFor({ services, event }, keyOf(threshold))
      if (value < threshold.least) rmSync(mark, { force: true })
      else if (isFirst(mark)) reached.add(keyOf(threshold))
    } catch (error) {
      services.trouble(`how full the context was cannot be kept: ${messageOf(error)}`)
      if (value >= threshold.least) reached.add(keyOf(threshold))
    }
  }
  return reached
}

function isFirst(mark: string): boolean {
  try {
    writeFileSync(mark, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return false
    throw error
  }
}

function markFor({ services, event }: Pick<Context, 'services' | 'event'>, name: string): string {
  return join(services.stateDir({ name: 'crosshook' } as Hook, event.session_id), `context-${name}`)
}

/** What the person is told, once a session, when nobody can say whether a hook should run; undefined otherwise. */
export function unknownFullness(
  context: Context,
  name: string,
  hooks: readonly Planned[],
  { count, limit, model, why }: Fullness,
): string | undefined {
  const { agent, event, set } = context
  const waits = hooks.filter(({ hook }) =>
    thresholdsOf(hook.matcher, set!.settings.context).some(
      ({ unit }) => count === undefined || (unit === 'percent' && limit === undefined),
    ),
  )
  if (waits.length === 0) return undefined
  // Before the first answer of the model there is nothing to be known.
  if (count === undefined && !eventRow(event.event_type).tool) return undefined
  if (!isTimeToTell(context, count === undefined ? CALLS_BEFORE_TOLD : 1)) return undefined
  const names = waits
    .map(({ hook }) => (/^[\w.-]{1,64}$/.test(hook.name) ? hook.name : '(unnamed)'))
    .join(', ')
  const head = `crosshook: ${names} will not run at ${name}`
  if (count === undefined)
    return `${head}: how full the context is cannot be known in ${agent!.title} (${why}).`
  const shown = model !== undefined && /^[\w.:/@-]{1,80}$/.test(model) ? model : undefined
  return `${head}: the transcript of ${agent!.title} does not say how many tokens fit into the context of ${shown ?? 'its model'}. Say it in config.toml: [context] limits = { "${shown ?? 'MODEL'}" = TOKENS }, or let the hook wait for matcher.token_count.`
}

function isTimeToTell({ services, event }: Context, calls: number): boolean {
  try {
    const mark = markFor({ services, event }, 'unknown')
    const seen = statSync(mark, { throwIfNoEntry: false })?.size ?? 0
    if (seen >= CALLS_BEFORE_TOLD) return false
    appendFileSync(mark, '.'.repeat(calls === 1 ? CALLS_BEFORE_TOLD : 1), { mode: 0o600 })
    return seen + 1 >= calls
  } catch (error) {
    services.trouble(`what was told cannot be kept: ${messageOf(error)}`)
    return false
  }
}
