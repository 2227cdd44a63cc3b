/** Can hooks judge this payload? What has no tool or no input matches no guard, and would pass as if one had agreed. */

import { isPostponed } from '../../fast/large-text.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import { kindOf, wrongField } from '../../spec/tool.ts'
import { isObject } from './event.ts'

/** Fields that hold a tool's input in some agent's payload. */
const INPUT_FIELD = /^(?:tool_?)?(?:input|args|arguments|parameters)$/i

/** What is wrong with it, said of what the agent sent; undefined when hooks can judge it. */
export function unreadable(native: unknown, event: HookEvent): string | undefined {
  if (typeof native === 'string')
    return native.trim() === '' ? 'nothing at all' : `${native.length} characters that ${notJson(native)}`
  if (!isObject(native)) return `${kindOf(native)} in place of a JSON object`
  if (!eventRow(event.event_type).tool) return undefined
  if (typeof event.tool_name !== 'string' || event.tool_name === '') return 'a tool call that names no tool'
  const input = event.tool_input
  if (input !== undefined && input !== null && !isObject(input))
    return `a tool input that is ${kindOf(input)}`
  if (input === undefined || input === null || Object.keys(input).length === 0) {
    const lost = lostInput(native)
    return lost === undefined ? undefined : `a tool input that is ${kindOf(lost)}`
  }
  const wrong = wrongField(event.tool_name, input, (field) => isPostponed(input, field))
  return wrong === undefined ? undefined : `a tool call that cannot be read: ${wrong}`
}

/** An input that is there and of which nothing was taken. */
function lostInput(native: Record<string, unknown>): unknown {
  for (const holder of [native, ...Object.values(native).filter(isObject)])
    for (const [field, value] of Object.entries(holder))
      if (INPUT_FIELD.test(field) && !isEmpty(value)) return value
  return undefined
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '{}' ||
    (isObject(value) && Object.keys(value).length === 0)
  )
}

function notJson(text: string): string {
  try {
    JSON.parse(text)
    return 'name a field twice, so that nobody knows which one counts'
  } catch {
    return 'are not JSON'
  }
}
