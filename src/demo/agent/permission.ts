/** May this call run? Rules first, then hooks, then the person; a hook can add rules. */

import type { FireResult } from '../../index.ts'
import type { ToolCall } from './scripted-model.ts'
import { addContext, fire, reasonOf, type Session, withRetries } from './session.ts'

type Behavior = 'allow' | 'ask' | 'deny'
export type Rules = { pattern: string; behavior: Behavior }[]

export type Permission =
  | { granted: true; input: Record<string, unknown> }
  | { granted: false; reason: string; stop: boolean }

/** `asked`: a hook wants the person to be asked, whatever the rules say. */
export async function permission(
  session: Session,
  call: ToolCall,
  asked: string | null,
): Promise<Permission> {
  const rule = asked === null ? ruleFor(session.rules, call.name) : 'ask'
  if (rule === 'deny') return { granted: false, reason: `A rule denies ${call.name}.`, stop: false }
  if (rule === 'allow' || (rule === undefined && !session.tools[call.name]?.changes))
    return { granted: true, input: call.input }

  const request = await fire(session, 'permission_request', toolFields(call))
  addContext(session, request)
  addRules(session.rules, request)
  const input = request.updated_input ?? call.input
  const wanted = { ...call, input }
  if (request.decision === 'deny')
    return refuse(session, wanted, request.stop ?? reasonOf(request), request.stop !== null)
  // No hook can overrule another hook's wish to ask, but a new rule may spare the person the usual question.
  if (asked === null && request.decision !== 'ask' && ruleFor(session.rules, call.name) === 'allow')
    return grant(session, wanted, 'A hook added a rule that allows it.')
  const question = asked ?? request.reason ?? `Allow ${call.name}?`
  await fire(session, 'notification', { message: question, notification_type: 'permission' })
  let denial: FireResult | undefined
  const agreed = await withRetries(
    async () => {
      const yes = await session.ask(question, wanted)
      session.report({ kind: 'asks', question, agreed: yes })
      denial = yes
        ? undefined
        : await fire(session, 'permission_denied', { ...toolFields(wanted), reason: question })
      return yes
    },
    () => denial?.retry ?? null,
  )
  if (agreed) return grant(session, wanted, question)
  if (denial) addContext(session, denial)
  return { granted: false, reason: `The person said no: ${question}`, stop: false }
}

export function toolFields({ id, name, input }: ToolCall) {
  return { tool_name: name, tool_input: input, tool_use_id: id }
}

async function grant(session: Session, call: ToolCall, reason: string): Promise<Permission> {
  addContext(session, await fire(session, 'permission_granted', { ...toolFields(call), reason }))
  return { granted: true, input: call.input }
}

async function refuse(session: Session, call: ToolCall, reason: string, stop: boolean): Promise<Permission> {
  addContext(session, await fire(session, 'permission_denied', { ...toolFields(call), reason }))
  return { granted: false, reason, stop }
}

/** The newest rule that fits wins. An agent that keeps rules writes those of `user` and `project` to its settings. */
function ruleFor(rules: Rules, tool: string): Behavior | undefined {
  return rules.findLast(({ pattern }) => {
    const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`).test(tool)
  })?.behavior
}

function addRules(rules: Rules, { updated_permissions: updates }: FireResult): void {
  for (const { tool_name_pattern: pattern, behavior } of updates ?? []) rules.push({ pattern, behavior })
}
