/** `crosshook fire EVENT` */

import { assemble } from '../host/assemble.ts'
import { redact, redactDeep } from '../redact/redact.ts'
import { EFFECTS, type EffectRows } from '../spec/effects.ts'
import type { Problem } from '../spec/hook.ts'
import type { FireResult, HookReport } from '../spec/outcome.ts'
import { givenEvent } from './event-arguments.ts'
import { type Arguments, isDebug } from './options.ts'
import { err } from './output.ts'
import { type Painter, painter } from './paint.ts'
import { duration, plural, print, printJson, warn } from './print.ts'
import { placeWords } from './problem-words.ts'
import { registeredHooks } from './registered-hooks.ts'
import { SKIPPED_WORDS, shadowWords } from './status-words.ts'
import { brief } from './table.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const given = await givenEvent(args)
  if (args.value('via') !== undefined) {
    const { fireViaDaemon } = await import('./via-daemon.ts')
    const result = await fireViaDaemon(args, given)
    tellUnknownTool(given.unknownTool, result.hooks)
    return show(result, args)
  }
  const { name, fields, sources } = given
  const debug = isDebug(args)
  const runtime = assemble({
    env: args.env,
    source: 'cli',
    main: process.argv[1],
    ...(sources ? { sources } : {}),
    ...(debug ? { debug: (line: string) => err(`${visible(line)}\n`) } : {}),
    trouble: (sentence) => warn(redact(sentence)),
  })
  let problems: readonly Problem[] = []
  const result = await runtime.fire(name, fields, {
    all: args.flag('all'),
    dryRun: args.flag('dry-run'),
    problems: (found) => void (problems = found),
  })
  tellProblems(problems)
  tellUntrusted(result.hooks)
  tellUnknownTool(given.unknownTool, result.hooks)
  const status = show(result, args)
  if (!sources) await tellRegistered(args.env, result)
  await runtime.settled()
  return status
}

function show(result: FireResult, args: Arguments): number {
  if (args.flag('json')) printJson(withoutSecrets(result))
  else print(trace(redactDeep(result), painter(1), args.flag('dry-run')))
  return result.decision === 'deny' ? 2 : 0
}

/** Redacts what is meant for people; effects that the agent uses stay as they are. */
function withoutSecrets(result: FireResult): FireResult {
  const { reason, user_message, stop, hooks } = result
  return { ...result, ...redactDeep({ reason, user_message, stop, hooks }) }
}

function tellProblems(problems: readonly Problem[]): void {
  const errors = problems.filter(({ level }) => level === 'error')
  for (const problem of errors) warn(redact(`${placeWords(problem)}: ${problem.message}`))
  if (errors.length > 0) err('Hooks with an error do not run: `crosshook validate` says how to fix them.\n')
}

/** A tool that hooks run for is known to somebody. */
function tellUnknownTool(unknown: string | undefined, hooks: readonly HookReport[]): void {
  if (unknown !== undefined && hooks.every(({ status }) => status === 'skipped')) warn(unknown)
}

/** A skipped guard has not agreed, so it is reported. */
function tellUntrusted(hooks: readonly HookReport[]): void {
  const names = hooks.filter(({ skipped }) => skipped === 'untrusted').map((hook) => hook.name)
  if (names.length > 0)
    warn(
      `${plural(names.length, 'project hook')} did not run, since you have not trusted ${names.length === 1 ? 'it' : 'them'}: ${names.join(', ')}. Look at what would run with \`crosshook trust\`.`,
    )
}

/** Registered hooks run only in the daemon, so they are reported here. */
async function tellRegistered(env: NodeJS.ProcessEnv, { event_type }: FireResult): Promise<void> {
  const known = (await registeredHooks(env)).filter(({ events }) => events.includes(event_type))
  if (known.length === 0) return
  const names = known.map(({ name }) => brief(name, 40)).join(', ')
  warn(
    `the daemon knows ${plural(known.length, 'hook')} of running programs for ${event_type} that did not run here: ${names}. Add \`--via daemon\`.`,
  )
}

/** What happened, for a person. */
export function trace(result: FireResult, paint: Painter, dryRun = false): string {
  const lines = [paint.bold(result.event_type)]
  const names = result.hooks.map((hook) => brief(hook.name, 64))
  const width = Math.max(0, ...names.map((name) => name.length))
  for (const [at, hook] of result.hooks.entries())
    lines.push(`  ${names[at]!.padEnd(width)}  ${statusWords(hook, paint)}${stepWords(hook, result.hooks)}`)
  if (result.hooks.length === 0) lines.push(paint.dim('  no hook applies to this event'))
  if (dryRun) return `${[...lines, 'Nothing was run: this is the plan.'].join('\n')}\n`
  const decision = {
    allow: paint.green('allowed'),
    ask: paint.yellow('ask the person'),
    deny: paint.red('blocked'),
  }[result.decision]
  lines.push(`${decision}${result.reason ? `: ${visible(result.reason)}` : ''}`)
  for (const [label, value] of effectLines(result))
    lines.push(
      `${paint.dim(`${label}:`)} ${visible(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
  return `${lines.join('\n')}\n`
}

/** The effects beside decision and reason, which are printed above. */
export function effectLines(result: object, rows: EffectRows = EFFECTS): [label: string, value: unknown][] {
  const { decision, reason, ...rest } = result as Record<string, unknown>
  return Object.entries(rows).flatMap(([field, { label }]): [string, unknown][] => {
    const value = rest[field]
    if (value === undefined || value === null || value === reason) return []
    return Array.isArray(value) && typeof value[0] === 'string'
      ? value.map((text: unknown) => [label, text])
      : Array.isArray(value) && value.length === 0
        ? []
        : [[label, value]]
  })
}

/** For a dry run: the hook's step in the plan. */
function stepWords({ step }: HookReport, hooks: readonly HookReport[]): string {
  if (step === undefined) return ''
  const others = hooks.filter((other) => other.step === step).length - 1
  return others > 0 ? `, step ${step}, together with ${others} more` : `, step ${step}`
}

function statusWords(hook: HookReport, paint: Painter): string {
  const time = paint.dim(duration(hook.duration_ms))
  const again = hook.attempts > 1 ? `, ${hook.attempts} attempts` : ''
  const notes = (hook.warnings ?? [])
    .map((warning) => `\n    ${paint.yellow('warning:')} ${visible(warning)}`)
    .join('')
  const because = (text: string | null) => (text ? `: ${visible(text)}` : '')
  if (hook.shadow === 'deny' || hook.shadow === 'ask')
    return `${paint.yellow(shadowWords(hook.shadow))} ${time}${because(hook.error ?? hook.reason)}${notes}`
  const words = {
    allowed: () => `${paint.green('allowed')} ${time}${hook.cached ? ' (cached)' : ''}${again}`,
    blocked: () =>
      `${paint.red('blocked')} ${time}${hook.cached ? ' (cached)' : ''}${again}${because(hook.reason)}`,
    failed: () => `${paint.yellow('failed')} ${time}${again}${because(hook.error)}`,
    timed_out: () => `${paint.yellow('timed out')} ${time}${again}${because(hook.error)}`,
    skipped: () => paint.dim(SKIPPED_WORDS[hook.skipped ?? 'no_match']),
    background: () => paint.dim('started in the background'),
  }
  return words[hook.status]() + notes
}
