/** A subagent: an agent of its own for one task, under the same hooks. */

import { asText } from './call-tool.ts'
import { fire, reasonOf, type Session } from './session.ts'
import { work } from './turn.ts'

const MAX_SENT_BACK = 3

/** Its result; throws when it may not start. */
export async function runSubagent(parent: Session, input: Record<string, unknown>): Promise<string> {
  const task = asText(input.prompt ?? '')
  const type = asText(input.subagent_type ?? 'general')
  const fields = { subagent_name: type, subagent_type: type, task_description: task }
  if (!parent.subagentModel) throw new Error('This agent has no subagents.')
  const start = await fire(parent, 'subagent_start', fields)
  if (start.decision === 'deny') throw new Error(`Blocked by a hook: ${reasonOf(start)}`)

  const child: Session = {
    ...parent,
    model: parent.subagentModel(type, task),
    messages: [
      ...start.additional_context.map((content) => ({ role: 'system' as const, content })),
      { role: 'user', content: task },
    ],
    steps: 0,
  }
  for (let sentBack = 0; ; sentBack++) {
    const { text, ended, reason } = await work(child, task)
    parent.steps += child.steps
    child.steps = 0
    const result = ended === 'done' ? text : `The subagent did not finish: ${reason}`
    const stop = await fire(parent, 'subagent_stop', { ...fields, result })
    if (stop.decision === 'deny' && stop.stop === null && sentBack < MAX_SENT_BACK) {
      child.messages.push({ role: 'user', content: `[Hook blocked stop: ${reasonOf(stop)}]` })
      continue
    }
    const said = stop.updated_output === null ? result : asText(stop.updated_output)
    return [said, ...stop.additional_context].join('\n')
  }
}
