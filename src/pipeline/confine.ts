/**
 * Between `ask` and `degrade`: turns an answer that wants the call confined into a rewritten command that runs
 * confined.
 */

import { projectFolders } from '../config/repository.ts'
import { isBlock } from '../engine/merge.ts'
import type { Outcome } from '../spec/outcome.ts'
import type { Context } from './context.ts'

export async function confine(context: Context): Promise<void> {
  const { outcome, agent, capability } = context
  const wish = outcome.confine
  if (wish === undefined || isBlock(outcome)) return
  const canRewrite = agent === undefined || capability?.effects.includes('updated_input')
  const made = canRewrite ? await rewritten(context, wish) : `${agent.title} takes no rewritten input here`
  if (typeof made === 'string') {
    const decision = wish.otherwise ?? 'deny'
    const why = `a hook wants this call to run confined, but ${made}`
    const { confine: _, ...rest } = outcome
    context.outcome = { ...rest, decision, reason: [outcome.reason, why].filter(Boolean).join('\n') }
    context.dropped = [...context.dropped, why]
    return
  }
  const { confine: _, ...rest } = outcome
  // Without an agent the result shows the request beside the rewritten command.
  context.outcome = { ...(agent ? rest : outcome), updated_input: made }
}

/** The whole input with the rewritten command, or the reason why that is not possible. */
async function rewritten(
  { event, outcome, services, env, caller }: Context,
  wish: NonNullable<Outcome['confine']>,
): Promise<Record<string, unknown> | string> {
  const input = outcome.updated_input ?? event.tool_input
  const command = isObject(input) ? input.command : undefined
  if (event.tool_name !== 'Shell') return `only shell commands can be confined, not ${event.tool_name}`
  if (typeof command !== 'string' && !isTexts(command)) return 'the call has no command'
  const { confinedCommand } = await import('../executors/confine/shell-command.ts')
  const made = confinedCommand(wish, {
    command,
    work: event.work_dir,
    project: [...new Set([event.work_dir, ...projectFolders(event.work_dir)])],
    home: env.HOME,
    state: services.paths.state,
    isShared: caller !== undefined,
    own: [services.paths.runtime],
  })
  return typeof made === 'string' ? made : { ...(input as Record<string, unknown>), command: made.command }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
}
