/** `crosshook explain EVENT …`: why each hook would or would not run. Runs nothing. */

import { group, type Planned } from '../engine/plan.ts'
import { type Assembly, assemble } from '../host/assemble.ts'
import { completeEvent } from '../pipeline/decode/event.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import { matcherWords } from '../spec/matcher.ts'
import type { SkipReason } from '../spec/outcome.ts'
import { givenEvent } from './event-arguments.ts'
import { findHooks } from './hook-rows.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { columns } from './table.ts'
import { visible } from './visible.ts'

interface Explanation {
  name: string
  format: string | null
  scope: string | null
  runs: boolean
  because: string
  skipped: SkipReason | 'other_event' | null
  /** Place among the hooks that run, and the group that starts together; null when it does not run. */
  order: number | null
  group: number | null
  mode: Hook['mode'] | null
}

export async function run(args: Arguments): Promise<number> {
  const { name, fields, sources } = givenEvent(args)
  const runtime = assemble({ env: args.env, source: 'cli', ...(sources ? { sources } : {}) })
  const event = completeEvent(name, fields, process.cwd())
  const hooks = await explanations(runtime, event)
  await runtime.close()
  if (args.flag('json')) printJson({ event_type: event.event_type, hooks })
  else print(words(event, hooks, painter(1)))
  return 0
}

async function explanations(runtime: Assembly, event: HookEvent): Promise<Explanation[]> {
  const set = await runtime.hookSet(event.work_dir)
  const ranked = (await runtime.active(event.work_dir)).all(event.event_type)
  const running: Planned[] = []
  const idle: Explanation[] = []
  const matched = new Map<Planned, string>()
  for (const planned of ranked) {
    await planned.matcher.load()
    await planned.matcher.load(event)
    const { matched: matches, because } = planned.matcher.explain(event)
    const skipped = matches ? (planned.gate?.() ?? null) : 'no_match'
    if (skipped === null) {
      running.push(planned)
      matched.set(planned, because)
    } else
      idle.push(
        explanation(planned.hook, { skipped, because: barredWords(runtime, planned.hook, skipped, because) }),
      )
  }
  const groups = group(running)
  const first = running.map((planned): Explanation => {
    const at = groups.findIndex(({ hooks }) => hooks.includes(planned))
    return explanation(planned.hook, {
      runs: true,
      because: matchWords(planned.hook, matched.get(planned)!),
      order: running.indexOf(planned) + 1,
      group: at < 0 ? null : at + 1,
    })
  })
  const elsewhere = set.hooks
    .filter((hook) => !hook.events.includes(event.event_type))
    .map((hook) =>
      explanation(hook, { skipped: 'other_event', because: `it is for ${hook.events.join(', ')}` }),
    )
  const { broken } = await findHooks(runtime, set, event.work_dir)
  const invalid = broken.map(({ name, problems }) => ({
    ...explanation(undefined, { skipped: 'invalid', because: `it does not load: ${problems[0]!.message}` }),
    name,
  }))
  return [...first, ...idle, ...elsewhere, ...invalid]
}

function explanation(hook: Hook | undefined, more: Partial<Explanation>): Explanation {
  return {
    name: hook?.name ?? '',
    format: hook?.format ?? null,
    scope: hook?.scope ?? null,
    runs: false,
    because: '',
    skipped: null,
    order: null,
    group: null,
    mode: hook?.mode ?? null,
    ...more,
  }
}

function matchWords(hook: Hook, because: string): string {
  const words = matcherWords(hook.matcher)
  return Object.keys(hook.matcher).length === 0 ? 'it has no matcher' : `${because}: ${words}`
}

function barredWords(runtime: Assembly, hook: Hook, skipped: SkipReason, because: string): string {
  if (skipped === 'no_match') return because
  if (skipped === 'disabled') return 'it is switched off in the settings'
  if (skipped === 'overridden') return 'it is overridden: a hook of the same name takes its place'
  if (skipped !== 'untrusted') return `it is barred (${skipped})`
  return runtime.trust.state(hook) === 'changed'
    ? `it has changed since you trusted it: crosshook trust ${hook.name}`
    : `you have not trusted it yet: crosshook trust ${hook.name}`
}

function words(event: HookEvent, hooks: readonly Explanation[], paint: Painter): string {
  const tool =
    typeof event.tool_name === 'string' && event.tool_name !== '' ? ` ${visible(event.tool_name)}` : ''
  const head = `${paint.bold(event.event_type)}${tool}\n`
  if (hooks.length === 0) return `${head}No hooks were found for this folder.\n`
  const running = hooks.filter(({ runs }) => runs)
  const idle = hooks.filter(({ runs }) => !runs)
  const sizes = Map.groupBy(running, (hook) => hook.group)
  const first = running.map((hook) => [
    `${hook.order}.`,
    paint.bold(visible(hook.name)),
    paint.dim(hook.scope ?? ''),
    `${visible(hook.because)}${modeWords(hook, sizes.get(hook.group)!.length)}`,
  ])
  const rest = idle.map((hook) => [
    paint.bold(visible(hook.name)),
    paint.dim(hook.scope ?? '—'),
    visible(hook.because),
  ])
  return [
    head,
    running.length > 0
      ? `${paint.green('Would run')}, in this order:\n${columns(first, '  ')}`
      : 'No hook would run.\n',
    idle.length > 0 ? `${paint.yellow('Would not run')}:\n${columns(rest, '  ')}` : '',
  ].join('')
}

/** A hook that waits its turn is the rule and needs no word. */
function modeWords(hook: Explanation, together: number): string {
  if (hook.mode === 'background') return ' (in the background: nobody waits for it)'
  return together > 1 ? ` (together with ${together - 1} more, as group ${hook.group})` : ''
}
