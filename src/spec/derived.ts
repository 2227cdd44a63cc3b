import type { AgentSide } from './dialect.ts'

/** Canonical events that crosshook derives when the agent fires this native event. */
export function derivedAt(agent: Pick<AgentSide, 'derives'> | undefined, native: string): string[] {
  const { derives = {} } = agent ?? {}
  return Object.keys(derives).filter((event) => derives[event]!.at.includes(native))
}
