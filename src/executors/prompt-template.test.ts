import { describe, expect, test } from 'vitest'
import { fill, variablesOf } from './prompt-template.ts'
import { callOf } from './testing.ts'

describe('fill', () => {
  test('puts each value in its place', () => {
    expect(fill('Check {{subject}} and {{ subject }}', { subject: 'x' })).toBe('Check x and x')
  })

  test('never expands a value again', () => {
    expect(fill('{{subject}} {{payload}}', { subject: '{{payload}}', payload: 'secret' })).toBe(
      '{{payload}} secret',
    )
  })

  test('takes a value as it is, dollar signs too', () => {
    expect(fill('{{a}}', { a: "$& $1 $'" })).toBe("$& $1 $'")
  })

  test('leaves a variable that nobody knows, and names that every object has', () => {
    expect(fill('{{unknown}} {{constructor}} {{__proto__}} {a} {{}}', {})).toBe(
      '{{unknown}} {{constructor}} {{__proto__}} {a} {{}}',
    )
  })
})

describe('variables', () => {
  const run = { type: 'prompt' as const, template: '' }
  const event = { tool_name: 'Shell', tool_input: { command: 'ls' }, context: { agent_id: 'a-1' } }

  test('come from the event', () => {
    const call = callOf(run, { event })
    expect(variablesOf(call)).toEqual({
      event: 'before_tool',
      subject: 'Shell',
      session_id: 'session-1',
      agent_id: 'a-1',
      run_id: '',
      payload: JSON.stringify(call.event),
      invocation_json: '{"event":"before_tool"}',
      tool_name: 'Shell',
      tool_input: '{"command":"ls"}',
      prompt: '',
    })
  })

  test("of the hook's format come first", () => {
    const value = { variables: { event: 'PreToolUse', payload: { a: 1 } } }
    expect(variablesOf(callOf(run, { event, input: { value } }))).toMatchObject({
      event: 'PreToolUse',
      payload: '{"a":1}',
      subject: 'Shell',
    })
  })
})
