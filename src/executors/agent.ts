/** Asks a model that may first read files in the work folder. Its tool calls fire no hooks. */

import type { Executor } from '../spec/executor.ts'
import type { Run } from '../spec/hook.ts'
import { didYouMean } from '../spec/nearest.ts'
import { failure } from '../spec/outcome.ts'
import { type AgentTool, agentToolName, agentTools } from './agent-tools.ts'
import { putQuestion } from './model-prompt.ts'

export type AgentRun = Extract<Run, { type: 'agent' }>

const DEFAULT_TURNS = 4

export const agentExecutor: Executor<AgentRun> = {
  type: 'agent',
  async run(call) {
    const { tools: wanted = [], max_turns: maxTurns = DEFAULT_TURNS } = call.run
    if (!Number.isInteger(maxTurns) || maxTurns < 1)
      return failure(`max_turns is ${maxTurns}: it must be 1 or more`, { retryable: false })
    const known = agentTools(call.event.work_dir, call.signal)
    const tools: Record<string, AgentTool> = {}
    for (const name of wanted) {
      const own = agentToolName(name)
      if (own === undefined) {
        const names = Object.keys(known)
        return failure(
          `there is no tool "${name}" for agent hooks.${didYouMean(name, names)} The tools are ${names.join(', ')}`,
          { retryable: false },
        )
      }
      tools[own] = known[own]
    }
    return putQuestion(call, { tools, maxTurns })
  },
}
