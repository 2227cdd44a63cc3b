/** `crosshook fire EVENT` */

import { createRuntime } from '../runtime/runtime.ts'
import type { FireResult, HookReport } from '../spec/outcome.ts'
import { givenEvent } from './event-arguments.ts'
import type { Arguments } from './options.ts'
import { err, out } from './output.ts'
import { type Painter, painter } from './paint.ts'

export async function run(args: Arguments): Promise<number> {
  const { name, fields, sources } = givenEvent(args)
  const paint = painter(2)
  const debug = args.flag('debug') || process.env.CROSSHOOK_DEBUG === '1'
  const runtime = createRuntime({
    source: 'cli',
    ...(sources ? { sources } : {}),
    ...(debug ? { debug: (line: string) => err(`${line}\n`) } : {}),
    trouble: (sentence) => err(`${paint.yellow('warning:')} ${sentence}\n`),
  })
  const result = await runtime.fire(name, fields, { all: args.flag('all'), dryRun: args.flag('dry-run') })
  const { problems } = await runtime.hookSet(
    typeof fields.work_dir === 'string' ? fields.work_dir : process.cwd(),
  )
  for (const problem of problems)
    if (problem.level === 'error') err(`${paint.yellow('warning:')} ${problem.file}: ${problem.message}\n`)
  out(args.flag('json') ? `${JSON.stringify(result)}\n` : trace(result, painter(1), args.flag('dry-run')))
  return result.decision === 'deny' ? 2 : 0
}

/** What happened, for a person. */
export function trace(result: FireResult, paint: Painter, dryRun = false): string {
  const lines = [paint.bold(result.event_type)]
  const width = Math.max(0, ...result.hooks.map((hook) => hook.name.length))
  for (const hook of result.hooks) lines.push(`  ${hook.name.padEnd(width)}  ${statusWords(hook, paint)}`)
  if (result.hooks.length === 0) lines.push(paint.dim('  no hook applies to this event'))
  if (dryRun) return `${[...lines, 'Nothing was run: this is the plan.'].join('\n')}\n`
  const decision = {
    allow: paint.green('allowed'),
    ask: paint.yellow('ask the person'),
    deny: paint.red('blocked'),
  }[result.decision]
  lines.push(`${decision}${result.reason ? `: ${result.reason}` : ''}`)
  if (result.stop !== null && result.stop !== result.reason) lines.push(`stop: ${result.stop}`)
  if (result.user_message !== null && result.user_message !== result.reason)
    lines.push(`message: ${result.user_message}`)
  if (result.updated_input !== null) lines.push(`input becomes: ${JSON.stringify(result.updated_input)}`)
  if (result.updated_output !== null) lines.push(`output becomes: ${JSON.stringify(result.updated_output)}`)
  for (const text of result.additional_context) lines.push(`context: ${text}`)
  if (result.retry !== null) lines.push(`try again in ${result.retry} ms`)
  return `${lines.join('\n')}\n`
}

const SKIPPED = {
  no_match: 'does not match',
  untrusted: 'did not run: not trusted yet (crosshook trust)',
  disabled: 'switched off',
  invalid: 'did not run: invalid (crosshook validate)',
  overridden: 'replaced by a hook of the same name',
  short_circuit: 'not started: an earlier hook blocked',
  skipped_by_hook: 'not started: an earlier hook said skip',
  dry_run: 'would run',
} as const

function statusWords(hook: HookReport, paint: Painter): string {
  const time = paint.dim(
    `${hook.duration_ms < 10 ? hook.duration_ms.toFixed(1) : Math.round(hook.duration_ms)} ms`,
  )
  const again = hook.attempts > 1 ? `, ${hook.attempts} attempts` : ''
  const notes = (hook.warnings ?? [])
    .map((warning) => `\n    ${paint.yellow('warning:')} ${warning}`)
    .join('')
  const words = {
    allowed: () => `${paint.green('allowed')} ${time}${hook.cached ? ' (cached)' : ''}${again}`,
    blocked: () => `${paint.red('blocked')} ${time}${hook.reason ? `: ${hook.reason}` : ''}`,
    failed: () => `${paint.yellow('failed')} ${time}${again}: ${hook.error}`,
    timed_out: () => `${paint.yellow('timed out')} ${time}${again}: ${hook.error}`,
    skipped: () => paint.dim(SKIPPED[hook.skipped ?? 'no_match']),
    background: () => paint.dim('started in the background'),
  }
  return words[hook.status]() + notes
}
