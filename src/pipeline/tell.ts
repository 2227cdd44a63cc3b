/** After the hooks: tells the agent about each hook that failed or did not run although the operation goes on. */

import { isBlock } from '../engine/merge.ts'
import { eventRow } from '../spec/event.ts'
import type { Problem } from '../spec/hook.ts'
import type { HookReport } from '../spec/outcome.ts'
import type { Context } from './context.ts'
import { hasFailed } from './record.ts'

/** `crosshook doctor` has the complete list. */
const MAX_SENTENCES = 5
const MAX_CHARS = 600

export async function tell(context: Context): Promise<void> {
  if (mayBeUntrusted(context)) await (await import('./tell/untrusted.ts')).tellUntrusted(context)
  if (context.set!.broken.length > 0) (await import('./tell/broken.ts')).tellBroken(context)
  const deaf = begins(context) ? (await import('./tell/unwired.ts')).unwired(context) : []
  const sentences = [...unheard(context), ...deaf]
  if (sentences.length > 0) await add(context, sentences)
}

async function add(context: Context, sentences: readonly string[]): Promise<void> {
  const { outcome, capability, event } = context
  const { redact } = await import('../redact/redact.ts')
  const kept = sentences.slice(0, MAX_SENTENCES).map((text) => shortened(redact(text)))
  if (sentences.length > MAX_SENTENCES)
    kept.push(`${sentences.length - MAX_SENTENCES} more: run \`crosshook doctor\`.`)
  const text = kept.join('\n')
  // After a block the model reads the reason; and where a block makes the agent go on, context may do so too.
  const takesContext = capability?.effects.includes('additional_context') && !isBlock(outcome)
  if (takesContext && eventRow(event.event_type).block !== 'continues')
    context.outcome = { ...outcome, additional_context: [...(outcome.additional_context ?? []), text] }
  else context.outcome = { ...outcome, user_message: [outcome.user_message, text].filter(Boolean).join('\n') }
}

function begins({ event }: Context): boolean {
  return eventRow(event.event_type).begins === 'session'
}

/** Quick check on data at hand: most events have no such hook. */
function mayBeUntrusted({ ran, set, event }: Context): boolean {
  if (eventRow(event.event_type).begins === 'session')
    return set!.hooks.some(({ scope }) => scope === 'project')
  return ran!.reports.some(({ skipped }) => skipped === 'untrusted')
}

function unheard({ ran, set, outcome, capability }: Context): string[] {
  const sentences: string[] = []
  for (const report of ran!.reports) {
    // Already reported by the hook's own format or as the reason of a block.
    if (report.error !== null && outcome.user_message?.includes(report.error)) continue
    if (hasFailed(report)) sentences.push(failedWords(report))
    else if (report.skipped === 'invalid') sentences.push(invalidWords(report))
  }
  // A hook that does not load guards nothing: report it on events that could have been stopped.
  if (!capability?.deny) return sentences
  if (set!.problems.length === 0) return sentences
  const named = new Set(set!.broken.map(({ origin }) => origin.file))
  for (const problem of set!.problems)
    if (problem.level === 'error' && !named.has(problem.file)) sentences.push(brokenWords(problem))
  return sentences
}

/** What a program printed on stderr before it failed goes to the log, not to the model. */
function failedWords({ name, error, exit_code }: HookReport): string {
  const why = exit_code ? `it ended with exit code ${exit_code}` : (error ?? 'no reason given')
  return `crosshook: hook "${name}" failed and checked nothing: ${why}`
}

function invalidWords({ name, error }: HookReport): string {
  return `crosshook: hook "${name}" does not load and checks nothing: ${error}`
}

export function brokenWords({ file, line, message }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}`
  return `crosshook: ${place}: ${message.replace(/\.$/, '')}. Hooks with an error do not run: see \`crosshook validate\`.`
}

function shortened(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
}
