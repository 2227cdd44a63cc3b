import { describe, expect, it } from 'vitest'
import type { RawResult } from '../../spec/executor.ts'
import { isFailure } from '../../spec/outcome.ts'
import { decode } from './replies.ts'
import { aHook, anEvent } from './testing.ts'

const answer = (raw: RawResult, event_type = 'before_tool', on_failure: 'open' | 'closed' = 'open') =>
  decode(raw, anEvent({ event_type }), aHook({ on_failure }))
const printed = (value: unknown, event_type?: string) =>
  answer({ exit_code: 0, stdout: `${JSON.stringify(value)}\n`, stderr: '' }, event_type)

describe('the exit code of a script', () => {
  it('0 without output lets the operation go on', () => {
    expect(answer({ exit_code: 0, stdout: '', stderr: '' })).toEqual({ outcome: {} })
  })

  it('2 blocks, with stderr as the reason for the model and the person, whatever stdout says', () => {
    expect(answer({ exit_code: 2, stdout: '{"decision":"allow"}', stderr: ' no \n' })).toEqual({
      outcome: { decision: 'deny', reason: 'no', user_message: 'no' },
    })
  })

  it('2 without stderr still blocks and says why', () => {
    const reason = 'Blocked by hook (exit code 2)'
    expect(answer({ exit_code: 2, stdout: '', stderr: '' }).outcome).toEqual({
      decision: 'deny',
      reason,
      user_message: reason,
    })
  })

  it.each([1, 3, 127, 255])('%i is a failure, and stdout does not count', (exit_code) => {
    const { outcome } = answer({ exit_code, stdout: '{"decision":"deny"}', stderr: 'oops\n' })
    expect(outcome).toEqual({
      failed: true,
      kind: 'failed',
      retryable: true,
      exit_code,
      message: `The script exited with code ${exit_code}: oops`,
    })
  })

  it('a signal is a failure', () => {
    const { outcome } = answer({ exit_code: null, signal: 'SIGKILL', stdout: '', stderr: '' })
    expect(outcome).toMatchObject({ failed: true, message: 'The script was ended by SIGKILL.' })
  })
})

describe('the JSON on stdout', () => {
  it('denies with its reason', () => {
    expect(printed({ decision: 'deny', reason: 'r' }).outcome).toEqual({
      decision: 'deny',
      reason: 'r',
      user_message: 'r',
    })
  })

  it('denies without a reason, naming the hook', () => {
    expect(printed({ decision: 'deny' }).outcome).toMatchObject({ reason: "Blocked by hook 'guard'" })
  })

  it.each(['tests passed', '[INFO] 12 checks', 'The guard blocked nothing', 'asked nobody'])(
    '%s is plain text: ignored, with a warning, unless the hook must not fail open',
    (stdout) => {
      const raw = { exit_code: 0, stdout, stderr: '' }
      const decoded = answer(raw)
      expect(decoded.outcome).toEqual({})
      expect(decoded.warnings).toHaveLength(1)
      expect(isFailure(answer(raw, 'before_tool', 'closed').outcome)).toBe(true)
    },
  )

  it.each([
    '{"decision": ',
    '{"decision": "deny"',
    '{"decision": "deny"}\n{"decision": "allow"}',
    'checking\n{"decision": "deny"}',
    "{'decision': 'deny'}",
    '"DENY"',
    '"block"',
    'DENY',
    'Blocked: not on prod',
    'decision=deny',
    '["deny"',
    '[1]',
    '"x"',
    '3',
    'true',
    'null',
    'a\0b',
    '\ufffd\ufffd',
    '{"decision": "DENY"}',
    '{"decision": "block"}',
    '{"decision": null}',
    '{"decision": true}',
    '{"decision": ["deny"]}',
    '{"Decision": "deny"}',
    '{"decison": "deny", "reason": "r"}',
    '{"continue": true, "hookSpecificOutput": {"permissionDecision": "deny"}}',
    '{"permission": "deny", "reason": "r"}',
    '{"modifiedInput": {"command": "ls"}, "log": "x"}',
    '{"decision": "allow", "modified_input": "ls"}',
    '{"continue": "false"}',
    '{"colour": 1}',
    '{"decision": "deny", "decision": "allow"}',
    '{"reason": "r", "decision": "deny", "\\u0064ecision": "allow"}',
  ])('%s was meant as an answer and cannot be read: a failure', (stdout) => {
    for (const on_failure of ['open', 'closed'] as const) {
      const decoded = answer({ exit_code: 0, stdout, stderr: 'x' }, 'before_tool', on_failure)
      expect(decoded.outcome).toMatchObject({ failed: true, exit_code: 0 })
      expect(decoded.warnings).toHaveLength(1)
    }
  })

  it.each(['{"decision": "allow"}', 'ok '.repeat(9), ' \n'.repeat(9), ''])(
    'that was cut at the limit is a failure, whatever is left of it: %j',
    (stdout) => {
      for (const on_failure of ['open', 'closed'] as const)
        expect(
          answer({ exit_code: 0, stdout, truncated: true }, 'before_tool', on_failure).outcome,
        ).toMatchObject({ failed: true, exit_code: 0 })
    },
  )

  it('that was cut at the limit does not weaken a block', () => {
    expect(answer({ exit_code: 2, stdout: 'x', truncated: true }).outcome).toMatchObject({ decision: 'deny' })
  })

  it('asks although another field is wrong, but a hook that must not fail open then fails', () => {
    const stdout = '{"decision": "ask", "reason": 5}'
    expect(answer({ exit_code: 0, stdout }).outcome).toEqual({ decision: 'ask' })
    expect(isFailure(answer({ exit_code: 0, stdout }, 'before_tool', 'closed').outcome)).toBe(true)
  })

  it('may have white space around it and unknown keys in it', () => {
    expect(answer({ exit_code: 0, stdout: '\n  {"decision":"allow","x":1}\r\n\n', stderr: '' })).toEqual({
      outcome: { decision: 'allow' },
    })
  })

  it('changes the input of a tool before it runs, by either name', () => {
    for (const field of ['modified_input', 'updated_input'])
      expect(printed({ [field]: { command: 'ls' } }).outcome).toEqual({ updated_input: { command: 'ls' } })
  })

  it.each(['after_tool', 'session_start', 'before_agent'])('cannot change the input on %s', (event) => {
    const decoded = printed({ modified_input: { command: 'ls' } }, event)
    expect(decoded.outcome).toEqual({})
    expect(decoded.warnings?.[0]).toContain('modified_input')
  })

  it('adds context as a text or a list of texts', () => {
    expect(printed({ additional_context: 'a' }).outcome).toEqual({ additional_context: ['a'] })
    expect(printed({ additional_context: ['a', 'b', ' '] }).outcome).toEqual({
      additional_context: ['a', 'b'],
    })
  })

  it('stops the turn in any of its spellings', () => {
    expect(printed({ stop: 'enough' }).outcome).toEqual({ stop: 'enough' })
    expect(printed({ continue: false, stop_reason: 'enough' }).outcome).toEqual({ stop: 'enough' })
    expect(printed({ continue_execution: false }).outcome).toEqual({ stop: 'A hook asked to stop' })
    expect(printed({ continue: true, stop: false }).outcome).toEqual({})
  })

  it('keeps what is right of an answer that is partly wrong', () => {
    const decoded = printed({ decision: 'deny', reason: 7, data: [], retry: 'soon', log: { n: 1 } })
    expect(decoded.outcome).toMatchObject({
      decision: 'deny',
      reason: "Blocked by hook 'guard'",
      log: '{"n":1}',
    })
    expect(decoded.warnings).toHaveLength(3)
  })

  it('goes on although stderr has text, which is for the log only', () => {
    expect(answer({ exit_code: 0, stdout: '{"log":"a"}', stderr: 'b\n' })).toEqual({
      outcome: { log: 'a\nb' },
    })
  })
})

describe('the answer of a function, a server or a model', () => {
  it('is an outcome, or nothing', () => {
    expect(answer({ value: { decision: 'ask', reason: 'sure?' } }).outcome).toEqual({
      decision: 'ask',
      reason: 'sure?',
      user_message: 'sure?',
    })
    for (const raw of [{}, { value: null }, { value: undefined }, { status: 204, stdout: '' }])
      expect(answer(raw)).toEqual({ outcome: {} })
  })

  it.each([
    { value: 3 },
    { value: ['deny'] },
    { value: { decision: 'block' } },
    { value: { ok: false } },
    { status: 200, stdout: '<html>' },
  ])('%j is a failure', (raw) => {
    expect(isFailure(answer(raw).outcome)).toBe(true)
  })
})
