/** What hooks decide about a call, and what an agent makes of it. No journal, no background hooks. */

import { assemble } from '../host/assemble.ts'
import { degradeOutcome } from '../pipeline/degrade.ts'
import type { Reply } from '../spec/dialect.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Decision, FireResult, Outcome } from '../spec/outcome.ts'
import type { KnownAgent } from './known.ts'
import { type SampleTool, samplePayload } from './sample-call.ts'

export interface Verdict {
  decision: Decision
  /** The hooks that caused it, or changed the input. */
  by: string[]
  reason: string | null
  rewritten: Record<string, unknown> | null
  result: FireResult
}

export interface AgentVerdict extends Verdict {
  agent: string
  title: string
  /** The agent's own event. */
  event: string
  /** What it cannot carry out. */
  notes: string[]
  /** What crosshook prints for the agent. */
  reply: Reply
}

export interface Judge {
  /** Without an agent. */
  fire(event: string, fields: Record<string, unknown>): Promise<Verdict>
  /** As the agent would send it. */
  ask(agent: KnownAgent, event: string, payload: string): Promise<AgentVerdict>
  close(): Promise<void>
}

export function openJudge(env: NodeJS.ProcessEnv, workDir: string): Judge {
  let seen: { event: HookEvent; result: FireResult } | undefined
  const runtime = assemble({
    env,
    source: 'cli',
    silent: true,
    onlyAsks: true,
    observe: {
      over(event, result) {
        seen = { event, result }
      },
    },
  })
  return {
    fire: async (event, fields) => verdictOf(await runtime.fire(event, { work_dir: workDir, ...fields })),
    async ask(agent, event, payload) {
      seen = undefined
      const reply = await runtime.handle({ agent: agent.id, event, cwd: workDir, read: () => payload })
      // A duplicate of another entry's call, which no hook judges.
      if (seen === undefined) throw new Error(`${agent.title} gets no answer to ${event} here`)
      const { result } = seen as { result: FireResult }
      const capability = agent.agent.capabilities[event]
      const { outcome, notes } = degradeOutcome(outcomeOf(result), capability, agent.title)
      const verdict = verdictOf(result)
      return {
        agent: agent.id,
        title: agent.title,
        event,
        ...verdict,
        decision: outcome.decision ?? 'allow',
        reason: outcome.reason ?? verdict.reason,
        notes,
        reply,
      }
    },
    close: () => runtime.close(),
  }
}

/** The agent's own event for a tool call, with the payload; undefined when it calls no hook for such a tool. */
export function callOf(
  agent: KnownAgent,
  call: SampleTool,
  workDir: string,
  canonical = 'before_tool',
): { event: string; payload: string } | undefined {
  const found = exactCall(agent, call, workDir, canonical)
  // For an agent that writes files only by patches.
  return found || call.name !== 'WriteFile' ? found : exactCall(agent, asPatch(call), workDir, canonical)
}

function asPatch({ input: { path } }: SampleTool): SampleTool {
  const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n*** End Patch`
  return { name: 'EditFile', input: { path, patch } }
}

function exactCall(
  agent: KnownAgent,
  call: SampleTool,
  workDir: string,
  canonical: string,
): { event: string; payload: string } | undefined {
  for (const [event, capability] of Object.entries(agent.agent.capabilities)) {
    if (capability.event !== canonical) continue
    const payload = samplePayload(agent, event, workDir, 'check', call)
    const decoded = agent.agent.decode(JSON.parse(payload), { event, env: {}, cwd: workDir })
    if (decoded.tool_name === call.name && decoded.event_type === canonical) return { event, payload }
  }
  return undefined
}

function verdictOf(result: FireResult): Verdict {
  const by = result.hooks.filter(
    ({ status, asked, rewrote }) =>
      status === 'blocked' || asked || rewrote || (result.decision === 'deny' && isFailure(status)),
  )
  return {
    decision: result.decision,
    by: [...new Set(by.map(({ name }) => name))],
    reason: result.reason,
    rewritten: result.updated_input,
    result,
  }
}

function isFailure(status: string): boolean {
  return status === 'failed' || status === 'timed_out'
}

/** Without empty fields. */
function outcomeOf({ hooks, event_type, ...fields }: FireResult): Outcome {
  const filled = Object.entries(fields).filter(([, value]) => value !== null)
  return Object.fromEntries(filled.filter(([, value]) => !Array.isArray(value) || value.length > 0))
}
