/** What an agent is told when crosshook itself cannot judge an event: a refusal where that stops something, else a notice. */

import { degradeOutcome } from '../pipeline/degrade.ts'
import type { AgentSide, Capability, Reply } from '../spec/dialect.ts'
import { eventRow, type HookEvent } from '../spec/event.ts'

/**
 * False for events where a refusal does harm: a refused stop would keep an agent working, without hooks, for as long as
 * crosshook is broken; where a deny ends the turn after the fact, the tool calls were refused already and the model
 * must still be told why.
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
  // Text for the model would also keep an agent from stopping.
  const isEnd = capability !== undefined && eventRow(capability.event).block === 'continues'
  const outcome = refuses
    ? { decision: 'deny' as const, reason, user_message: reason }
    : { user_message: reason, ...(isEnd ? {} : { additional_context: [reason] }) }
  const reply = agent.encode(degradeOutcome(outcome, capability, title).outcome, event)
  if (reply.stdout.includes(reason) || reply.stderr.includes(reason)) return reply
  // The agent's replies cannot carry a notice, so it goes to stderr of a failing hook, which people see.
  return { ...reply, stderr: `${reply.stderr}${reason}\n`, exit_code: reply.exit_code || 1 }
}
