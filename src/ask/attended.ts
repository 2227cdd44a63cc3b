/** Can the agent show the question itself, and is somebody there to see it? */

import { agentProcess } from '../pipeline/agent-process.ts'
import type { Context } from '../pipeline/context.ts'

export function agentShowsIt({ agent, capability, parent, native, env }: Context): boolean {
  if (!capability?.effects.includes('ask')) return false
  const unattended = agent!.agent.unattended
  if (!unattended) return true
  const argv = parent === undefined ? undefined : agentProcess(agent!.agent.process.names, parent)?.argv
  return !unattended({ argv, env, native })
}
