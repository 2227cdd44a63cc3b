/**
 * Agents by events: whether crosshook is installed, when it was called, whether it was obeyed, and how near the limit
 * is.
 */

import type { Assembly } from '../assemble.ts'
import { lastReport, type ReportedAgent } from './checkups.ts'

export function agentsJson(runtime: Assembly) {
  const kept = lastReport(runtime.paths.state)
  const calls = runtime.journal().lastCalls()
  const reported = kept?.report.agents ?? []
  const known = new Set(reported.map(({ id }) => id))
  const others = [...new Set(calls.map(({ agent }) => agent))].filter((agent) => !known.has(agent))
  return {
    checked_at: kept?.at ?? null,
    agents: [...reported.map((agent) => withCalls(agent)), ...others.map((id) => unreported(id))],
  }

  function withCalls(agent: ReportedAgent) {
    const own = calls.filter((call) => call.agent === agent.id)
    return {
      ...agent,
      problems: [
        ...(kept?.report.problems ?? []).filter((problem) => problem.agent === agent.id),
        ...agent.problems,
      ],
      last_called: newest(own.map(({ at }) => at)),
      events: agent.events.map((event) => {
        const call = own.find((each) => each.event === event.canonical)
        return { ...event, last_called: call?.at ?? null, slowest_ms: call?.slowest_ms ?? null }
      }),
    }
  }

  /** It calls, but doctor did not find it on this machine. */
  function unreported(id: string) {
    const own = calls.filter((call) => call.agent === id)
    return {
      id,
      title: id,
      wired: null,
      problems: [],
      last_called: newest(own.map(({ at }) => at)),
      events: own.map(({ event, at, slowest_ms }) => ({
        event,
        canonical: event,
        state: 'unchecked',
        detail: null,
        last_called: at,
        slowest_ms: slowest_ms ?? null,
      })),
    }
  }
}

function newest(times: readonly string[]): string | null {
  return times.toSorted().at(-1) ?? null
}
