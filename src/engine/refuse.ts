/** What an agent is told when crosshook itself cannot judge an event: a refusal where that stops something, else a notice. */

import type { AgentSide, Capability, Reply } from '../spec/dialect.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'
import { degrade } from './degrade.ts'

/**
 * A refused stop would keep an agent working, without hooks, for as long as crosshook is broken. Where a deny ends the
 * turn after the fact, the tool calls were refused already, and the model must still hear why.
 */
export function isRefusable(capability: Capability | undefined): boolean {
  if (capability?.deny !== true || capability.denyEndsTurn) return false
  return eventRow(capability.event).block !== 'continues'
}

export function refusal(
  agent: AgentSide,
  title: string,
  event: HookEvent,
  { reason, refuses }: { reason: string; refuses: boolean },
): Reply {
  const capability = agent.capabilities[event.native_event ?? event.event_type]
  // Text for the model would keep an agent from stopping, too.
  const isEnd = capability !== undefined && eventRow(capability.event).block === 'continues'
  const outcome = refuses
    ? { decision: 'deny' as const, reason, user_message: reason }
    : { user_message: reason, ...(isEnd ? {} : { additional_context: [reason] }) }
  const reply = agent.encode(degrade(outcome, capability, title).outcome, event)
  if (reply.stdout.includes(reason) || reply.stderr.includes(reason)) return reply
  // This agent has no words for it: people see what a failing hook prints.
  return { ...reply, stderr: `${reply.stderr}${reason}\n`, exit_code: reply.exit_code || 1 }
}
