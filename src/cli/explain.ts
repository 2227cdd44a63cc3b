/** `crosshook explain EVENT …`: why each hook would or would not run. Runs nothing. */

import { isBuiltIn } from '../config/self-protection.ts'
import { compileMatcher } from '../engine/match.ts'
import { foresee, plan } from '../engine/plan.ts'
import { type Assembly, assemble } from '../host/assemble.ts'
import { findHooks } from '../host/hook-rows.ts'
import { type Hearing, hearingOf, hearingWords, wiredAgents } from '../install/hearing.ts'
import { completeEvent } from '../pipeline/decode/complete-event.ts'
import { acts } from '../sdk/acts.ts'
import type { Act } from '../spec/act.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import type { Hook } from '../spec/hook.ts'
import { matcherWords } from '../spec/matcher.ts'
import type { SkipReason } from '../spec/outcome.ts'
import { actsTree } from './acts-words.ts'
import { givenEvent } from './event-arguments.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { print, printJson, warn } from './print.ts'
import { brief, columns } from './table.ts'
import { visible } from './visible.ts'

interface Explanation {
  name: string
  format: string | null
  scope: string | null
  runs: boolean
  because: string
  skipped: SkipReason | 'other_event' | null
  /** Position among the hooks that run, and the group that starts together; null when it does not run. */
  order: number | null
  group: number | null
  mode: Hook['mode'] | null
  /** What it does when it runs. */
  answers: string | null
}

export async function run(args: Arguments): Promise<number> {
  const { name, fields, sources, unknownTool } = await givenEvent(args)
  if (unknownTool !== undefined) warn(unknownTool)
  const runtime = assemble({ env: args.env, source: 'cli', ...(sources ? { sources } : {}) })
  const event = completeEvent(name, fields, process.cwd())
  const hooks = await explanations(runtime, event)
  await runtime.close()
  const does = eventRow(event.event_type).tool ? await actsOf(event, args) : []
  const agents = await heardIn(event.event_type, args.env)
  if (args.flag('json')) printJson({ event_type: event.event_type, acts: does, hooks, agents })
  else
    print(
      actsPart(does, painter(1)) +
        words(event, hooks, painter(1)) +
        agentsPart(event.event_type, agents, painter(1)),
    )
  return 0
}

type Heard = Hearing & { id: string; title: string }

/** Whether the agents that crosshook is installed in tell of it. */
async function heardIn(event: string, env: NodeJS.ProcessEnv): Promise<Heard[]> {
  const agents = await wiredAgents(env)
  return agents.map(({ id, title, dialect }) => ({ id, title, ...hearingOf(dialect, event) }))
}

/** Said where not every one of them does. */
function agentsPart(event: string, agents: readonly Heard[], paint: Painter): string {
  if (agents.every(({ how }) => how === 'native')) return ''
  const rows = agents.map((heard) => [paint.bold(heard.title), hearingWords(heard, event)])
  return `${paint.yellow('In your agents')}:\n${columns(rows, '  ')}`
}

async function actsOf(event: HookEvent, { env }: Arguments): Promise<Act[]> {
  const { tool_name: name, tool_input: input, work_dir: folder } = event
  if (typeof input !== 'object' || input === null) return []
  return acts({
    tool_name: typeof name === 'string' ? name : '',
    tool_input: input as Record<string, unknown>,
    work_dir: folder,
    env,
  })
}

function actsPart(found: readonly Act[], paint: Painter): string {
  if (found.length === 0) return ''
  const tree = actsTree(found, paint)
  return `${paint.green('What the call does')}:\n${tree.replace(/^(?=.)/gm, '  ')}`
}

async function explanations(runtime: Assembly, event: HookEvent): Promise<Explanation[]> {
  const set = await runtime.hookSet(event.work_dir)
  const active = await runtime.active(event.work_dir)
  const candidates = await active.candidates(event)
  const { steps, others } = await foresee(plan(candidates), event)
  const running = steps
    .flatMap(({ hooks }, at) => hooks.map((foreseen) => ({ ...foreseen, group: at + 1 })))
    .filter(({ planned }) => planned.hook.broken === undefined) // listed below, with its problem
  const first = await Promise.all(
    running.map(async ({ planned, because, matched, group }, at) =>
      explanation(planned.hook, {
        runs: true,
        because: `${matched ? await matchWords(planned.hook, event, because) : `it would fail: ${because}`}${planned.hook.shadow ? ' (in shadow: it decides nothing)' : ''}`,
        order: at + 1,
        group,
      }),
    ),
  )
  // Hooks for other tools are not in the plan: the tool's name rules them out.
  const planned = new Map(others.map((foreseen) => [foreseen.planned, foreseen]))
  const isRunning = new Set(running.map((foreseen) => foreseen.planned))
  const idle = active
    .all(event.event_type)
    .filter((each) => !isRunning.has(each) && each.hook.broken === undefined && !isBuiltIn(each.hook))
    .map((each) => {
      const { skipped, because } = planned.get(each) ?? { skipped: null, ...each.matcher.explain(event) }
      const why = skipped ?? 'no_match'
      return explanation(each.hook, { skipped: why, because: barredWords(runtime, each.hook, why, because) })
    })
  const elsewhere = set.hooks
    .filter((hook) => !hook.events.includes(event.event_type))
    .map((hook) =>
      explanation(hook, { skipped: 'other_event', because: `it is for ${hook.events.join(', ')}` }),
    )
  const { broken } = await findHooks(runtime, set, event.work_dir)
  const blocking = new Set(
    set.broken.filter((hook) => hook.on_failure === 'closed').map(({ origin }) => origin.file),
  )
  const invalid = broken.map(({ name, file, problems }) => ({
    ...explanation(undefined, {
      skipped: 'invalid',
      because: `it does not load${blocking.has(file) ? ', and blocks until it is fixed' : ''}: ${problems[0]!.message}`,
    }),
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
    answers: hook ? answerWords(hook) : null,
    ...more,
  }
}

/** A fixed answer is known; a program's is not. */
function answerWords({ run }: Hook): string {
  if (run.type !== 'outcome') return `runs its ${run.type}`
  return { deny: 'denies', ask: 'asks the person', allow: 'allows' }[run.outcome.decision ?? 'allow']
}

async function matchWords({ matcher }: Hook, event: HookEvent, because: string): Promise<string> {
  if (Object.keys(matcher).length === 0) return 'it has no matcher'
  const { any: choices, ...others } = matcher
  if (choices === undefined) return `${because}: ${matcherWords(matcher)}`
  const compiled = await Promise.all(choices.map(compileMatcher))
  const held = choices.filter((_, at) => compiled[at]!.explain(event).matched)
  const parts = [...(Object.keys(others).length > 0 ? [others] : []), ...held]
  return `of its ${choices.length} alternatives ${held.length === 1 ? 'one holds' : `${held.length} hold`}: ${parts.map((part) => matcherWords(part)).join('; ')}`
}

function barredWords(runtime: Assembly, hook: Hook, skipped: SkipReason, because: string): string {
  if (skipped === 'no_match') return because
  if (skipped === 'disabled')
    return hook.disabled ? 'it says `enabled: false`' : 'it is switched off in the settings'
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
    paint.bold(hook.answers ?? ''),
    `${brief(hook.because, MAX_BECAUSE_CHARS)}${modeWords(hook, sizes.get(hook.group)!.length)}`,
  ])
  const rest = idle.map((hook) => [
    paint.bold(visible(hook.name)),
    paint.dim(hook.scope ?? '—'),
    brief(hook.because, MAX_BECAUSE_CHARS),
  ])
  return [
    head,
    running.length > 0
      ? `${paint.green('Would run')}, in this order:\n${columns(first, '  ')}`
      : 'No hook would run.\n',
    idle.length > 0 ? `${paint.yellow('Would not run')}:\n${columns(rest, '  ')}` : '',
  ].join('')
}

/** Longest matcher shown; `--json` has all of it. */
const MAX_BECAUSE_CHARS = 110

/** Sequential is the default and not mentioned. */
function modeWords(hook: Explanation, together: number): string {
  if (hook.mode === 'background') return ' (in the background: nobody waits for it)'
  return together > 1 ? ` (together with ${together - 1} more, as group ${hook.group})` : ''
}
