/** Whether an agent tells of an event itself, crosshook makes it of the agent's transcript, or nobody can know of it. */

import { paths } from '../config/paths.ts'
import type { Dialect } from '../spec/dialect.ts'
import { type KnownAgent, knownAgents } from './known.ts'
import { openLedger } from './ledger.ts'

export interface Hearing {
  how: 'native' | 'derived' | 'never'
  /** Native events. */
  at: string[]
  /** Of a derived event: the transcript says how many tokens fit into the context. */
  limit?: boolean
}

export function hearingOf({ id, events, agent }: Dialect, event: string): Hearing {
  const capabilities = agent?.capabilities ?? {}
  const own = Object.keys(capabilities).filter((native) =>
    [...[events[native] ?? []].flat(), capabilities[native]!.event, `${id}/${native}`].includes(event),
  )
  if (own.length > 0) return { how: 'native', at: own }
  const derived = agent?.derives?.[event]
  return derived ? { how: 'derived', at: [...derived.at], limit: derived.limit } : { how: 'never', at: [] }
}

export function hearingWords({ how, at, limit }: Hearing, event: string): string {
  if (how === 'native') return `tells of it itself (${at.join(', ')})`
  if (how === 'never') return `has no ${event}, and nothing tells of it: hooks for it do not run there`
  const size = limit
    ? 'which also says how many tokens fit into it'
    : 'which does not say how many tokens fit into it: [context] limits in config.toml does'
  return `derived at ${at.join(' and ')} from its transcript, ${size}`
}

/** The agents that crosshook is installed in. */
export async function wiredAgents(env: NodeJS.ProcessEnv): Promise<KnownAgent[]> {
  const wired = new Set(openLedger(paths(env).state).records.map(({ agent }) => agent))
  return knownAgents((id) => wired.has(id))
}
