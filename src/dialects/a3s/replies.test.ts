import { describe, expect, it } from 'vitest'
import { decode } from './replies.ts'
import { aHook, anEvent } from './testing.ts'

const PRE = anEvent({ tool_name: 'WriteFile', tool_input: { path: 'a' } })
const answer = (value: unknown, event = PRE, native = 'PreToolUse') => decode({ value }, event, aHook(native))

describe('answers of a handler', () => {
  it('go on when it says so, or nothing', () => {
    for (const value of [{ action: 'continue' }, null, undefined, { action: 'continue', modified: null }])
      expect(answer(value)).toEqual({ outcome: {} })
  })

  it('block, with a reason of ours when there is none', () => {
    expect(answer({ action: 'block', reason: 'Dangerous command' }).outcome).toEqual({
      decision: 'deny',
      reason: 'Dangerous command',
    })
    expect(answer({ action: 'BLOCK' }).outcome).toEqual({ decision: 'deny', reason: 'Blocked by hook' })
  })

  it('retry after a time', () => {
    expect(answer({ action: 'retry', delayMs: 750, reason: 'outage' }).outcome).toEqual({
      retry: 750,
      reason: 'outage',
    })
    expect(answer({ action: 'retry', delay_ms: 250 }).outcome).toEqual({ retry: 250 })
    expect(answer({ action: 'retry' }).outcome).toEqual({ retry: 1000 })
    expect(answer({ action: 'retry', delay: 1e9 }).outcome).toEqual({ retry: 60_000 })
    expect(answer({ action: 'retry', delay: -1 }).outcome).toMatchObject({ failed: true })
  })

  it('skip the other hooks, or only this one', () => {
    expect(answer({ action: 'skip' }).outcome).toEqual({ skip: true })
    expect(answer({ action: 'skip', scope: 'hook' }).outcome).toEqual({})
  })

  it('modify the arguments, which come back in canonical words', () => {
    expect(answer({ action: 'continue', modified: { args: { file_path: 'b', content: 'x' } } })).toEqual({
      outcome: { updated_input: { path: 'b', content: 'x' } },
    })
    const own = anEvent({ tool_name: 'Write', tool_input: { file_path: 'a' } })
    expect(answer({ action: 'continue', modified: { args: { file_path: 'b' } } }, own).outcome).toEqual({
      updated_input: { file_path: 'b' },
    })
  })

  it('modify the prompt and the response', () => {
    const start = anEvent({ event_type: 'before_model' })
    const modified = { prompt: 'p', systemPrompt: 's', colour: 'red' }
    expect(answer({ action: 'continue', modified }, start, 'GenerateStart')).toEqual({
      outcome: { updated_input: { prompt: 'p', system_prompt: 's' } },
      warnings: ['modified.colour has no meaning here: ignored'],
    })
    const end = anEvent({ event_type: 'after_model' })
    expect(
      answer({ action: 'continue', modified: { response: { text: 't' } } }, end, 'GenerateEnd').outcome,
    ).toEqual({
      updated_output: { text: 't' },
    })
  })

  it.each([
    [{ action: 'nope' }, 'the handler answered with the unknown action "nope"'],
    ['text', 'the handler answered with the text "text", not with an object'],
    [[], 'the handler answered with a list, not with an object'],
    [{}, 'the handler answered without an action'],
    [{ action: 'block', reason: 3 }, 'the handler answered with a reason that is not a text'],
    [
      { action: 'continue', modified: { args: 'x' } },
      'the handler answered with modified args that are the text "x", not an object',
    ],
    [{ action: 'continue', modified: 3 }, 'the handler answered with modified data that is 3, not an object'],
  ])('are an error when they are %j', (value, message) => {
    expect(answer(value).outcome).toEqual({ failed: true, kind: 'failed', retryable: false, message })
  })

  it('change nothing after a tool', () => {
    const post = anEvent({ event_type: 'after_tool', tool_name: 'Shell' })
    expect(answer({ action: 'retry' }, post, 'PostToolUse').outcome).toEqual({})
    expect(answer({ action: 'continue', modified: { args: {} } }, post, 'PostToolUse').warnings).toHaveLength(
      1,
    )
  })
})

describe('answers of a program', () => {
  const printed = (stdout: string, exit_code = 0, stderr = '') =>
    decode({ stdout, stderr, exit_code }, PRE, aHook()).outcome

  it('are read from stdout', () => {
    expect(printed('{"action":"block","reason":"no"}\n')).toEqual({ decision: 'deny', reason: 'no' })
    expect(printed('')).toEqual({})
    expect(printed('hello')).toMatchObject({ failed: true })
  })

  it('block with exit 2 and fail with any other', () => {
    expect(printed('', 2, 'no\n')).toEqual({ decision: 'deny', reason: 'no' })
    expect(printed('{"action":"continue"}', 1, 'oops')).toMatchObject({
      failed: true,
      exit_code: 1,
      message: 'the handler exited with code 1: oops',
    })
    expect(decode({ signal: 'SIGTERM', exit_code: null }, PRE, aHook()).outcome).toMatchObject({
      failed: true,
    })
  })
})
