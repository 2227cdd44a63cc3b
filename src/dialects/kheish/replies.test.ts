import { describe, expect, it } from 'vitest'
import { isFailure } from '../../spec/outcome.ts'
import { EVENTS, type KheishEvent } from './names.ts'
import { decode, INPUT_REFUSED } from './replies.ts'
import { aHook, anEvent } from './testing.ts'

const event = (name: KheishEvent) => anEvent({ event_type: EVENTS[name].event })
const answer = (name: KheishEvent, value: unknown) =>
  decode({ value }, event(name), aHook({ native_event: name }))
const outcome = (name: KheishEvent, value: unknown) => answer(name, value).outcome
const print = (stdout: string, more = {}) =>
  decode({ exit_code: 0, stdout, stderr: '', ...more }, event('setup'), aHook()).outcome

describe('exit codes', () => {
  it('reads the outcome from stdout on exit 0, and nothing from nothing', () => {
    expect(print('{"additional_contexts":["ok"]}\n')).toEqual({ additional_context: ['ok'] })
    expect(print(' \n')).toEqual({})
  })

  it('blocks on exit 2 with an empty stdout and says why', () => {
    const reason = 'hook command blocked execution: why'
    expect(print('', { exit_code: 2, stderr: 'why\n' })).toEqual({ decision: 'deny', reason, stop: reason })
    expect(print('', { exit_code: 2 })).toMatchObject({ reason: 'hook command blocked execution' })
  })

  it('lets the run go on after a tool call was blocked by exit 2', () => {
    const raw = { exit_code: 2, stdout: '', stderr: '' }
    expect(decode(raw, event('pre_tool_use'), aHook()).outcome).toEqual({
      decision: 'deny',
      reason: 'hook command blocked execution',
    })
  })

  it('fails on exit 2 with something on stdout and on every other code', () => {
    expect(print('{}', { exit_code: 2 })).toMatchObject({ failed: true, retryable: true, exit_code: 2 })
    expect(print('', { exit_code: 1, stderr: 'oops' })).toMatchObject({
      failed: true,
      retryable: true,
      message: 'hook command exited with status 1: oops',
    })
    expect(print('', { exit_code: null, signal: 'SIGKILL' })).toMatchObject({
      message: 'hook command exited with status SIGKILL',
    })
  })

  it('fails when the output was cut at the limit', () => {
    expect(print('{}', { truncated: true })).toMatchObject({ message: 'hook output exceeded 131072 bytes' })
  })

  it.each([
    [302, false],
    [404, false],
    [408, true],
    [429, true],
    [503, true],
  ])('judges status %i', (status, retryable) => {
    expect(decode({ status, stdout: '' }, event('setup'), aHook()).outcome).toMatchObject({
      failed: true,
      retryable,
    })
  })
})

describe('the text of an outcome', () => {
  it.each([
    ['```json\n{"retry":true}\n```'],
    ['```\n{"retry":true}\n```'],
    ['Sure! {"retry":true} bye'],
    ['Note {"retry":true,"stop_reason":"a } in \\" a string"} {"retry":false}'],
  ])('is found in %j', (text) => {
    expect(decode({ value: text }, event('permission_denied'), aHook()).outcome).toEqual({ retry: 0 })
  })

  it.each([
    ['not json'],
    ['{"decision":"allow"}'],
    ['{"permission":"approve"}'],
    ['{"continue_execution":"no"}'],
    ['{"additional_contexts":"one"}'],
    ['{"updated_permissions":[{"scope":"galaxy","tool_name_pattern":"*","behavior":"allow"}]}'],
    ['{"updated_input":[1]}'],
    ['[]'],
    ['true'],
  ])('is a failure that no retry mends: %s', (text) => {
    expect(print(text)).toMatchObject({
      failed: true,
      retryable: false,
      message: expect.stringMatching(/^malformed hook outcome/),
    })
  })

  it('is refused when its contract is of the future or no number', () => {
    expect(print('{"contract_version":999}')).toMatchObject({
      retryable: false,
      message: 'unsupported hook outcome contract_version 999',
    })
    for (const version of ['"999"', '-1', '1.5', '{}', 'null'])
      expect(print(`{"contract_version":${version}}`)).toMatchObject({
        message: 'malformed hook outcome contract_version',
      })
  })

  it('may hold fields that nobody knows, and nulls where nothing is meant', () => {
    expect(print('{"contract_version":1,"mood":"fine","decision":null,"stop_reason":null}')).toEqual({})
  })
})

describe('what the event makes of an answer', () => {
  it('blocks for a block, for a denied permission and for "do not continue"', () => {
    expect(outcome('user_prompt_submit', { decision: 'block', stop_reason: 'r' })).toEqual({
      decision: 'deny',
      reason: 'r',
    })
    expect(outcome('user_prompt_submit', { continue_execution: false })).toEqual({
      decision: 'deny',
      reason: 'user_prompt_submit blocked by hook',
      stop: 'user_prompt_submit blocked by hook',
    })
    expect(outcome('permission_request', { permission: 'deny' })).toEqual({
      decision: 'deny',
      reason: 'permission denied by hook',
    })
  })

  it('refuses to rewrite the input of a tool whose permission was judged already', () => {
    const rewritten = { updated_input: { path: 'rewritten.txt' }, additional_contexts: ['callback-ran'] }
    expect(outcome('pre_tool_use', rewritten)).toEqual({
      decision: 'deny',
      reason: INPUT_REFUSED,
      updated_input: { path: 'rewritten.txt' },
      additional_context: ['callback-ran'],
    })
    expect(outcome('permission_request', { permission: 'allow', ...rewritten })).toMatchObject({
      decision: 'allow',
      updated_input: { path: 'rewritten.txt' },
    })
  })

  it('grants only what was requested: an approval of a tool call is no permission', () => {
    expect(outcome('pre_tool_use', { decision: 'approve', permission: 'allow' })).toEqual({})
    expect(outcome('permission_request', { decision: 'approve' })).toEqual({ decision: 'allow' })
    expect(outcome('permission_request', { decision: 'approve', permission: 'ask' })).toEqual({
      decision: 'ask',
    })
  })

  it('takes permission updates only from a hook that allows', () => {
    const updated_permissions = [{ scope: 'session', tool_name_pattern: 'write_file', behavior: 'allow' }]
    expect(outcome('permission_request', { permission: 'allow', updated_permissions })).toEqual({
      decision: 'allow',
      updated_permissions,
    })
    expect(answer('permission_request', { permission: 'ask', updated_permissions })).toEqual({
      outcome: { decision: 'ask' },
      warnings: ['updated_permissions count only together with permission "allow": ignored'],
    })
  })

  it('takes only retry and contexts after a permission was denied', () => {
    expect(
      answer('permission_denied', { decision: 'block', retry: true, additional_contexts: ['c'] }),
    ).toEqual({
      outcome: { additional_context: ['c'], retry: 0 },
      warnings: ['permission_denied takes only retry and additional_contexts: ignored decision, reason'],
    })
  })

  it('ends the run when a stop is blocked', () => {
    expect(outcome('stop', { decision: 'block', stop_reason: 'r' })).toEqual({
      decision: 'deny',
      reason: 'r',
      stop: 'r',
    })
  })

  it('translates a rewritten input back from fields of its own', () => {
    const native = anEvent({
      event_type: 'permission_request',
      tool_name: 'EditFile',
      native_tool_name: 'edit_file',
    })
    const value = { updated_input: { path: 'a', old_text: 'x', new_text: 'y' } }
    expect(decode({ value }, native, aHook()).outcome).toEqual({
      updated_input: { path: 'a', old_string: 'x', new_string: 'y' },
    })
  })

  it('carries every other effect', () => {
    expect(
      outcome('session_start', {
        initial_user_message: 'hi',
        additional_contexts: ['c'],
        watch_paths: ['/b', '/a', '/b'],
        updated_output: { x: 1 },
      }),
    ).toEqual({
      initial_user_message: 'hi',
      additional_context: ['c'],
      watch_paths: ['/a', '/b'],
      updated_output: { x: 1 },
    })
  })

  it('keeps reasons to 2048 characters', () => {
    const result = outcome('setup', { decision: 'block', stop_reason: 'é'.repeat(5000) })
    expect(isFailure(result)).toBe(false)
    expect(result).toMatchObject({ reason: 'é'.repeat(2048) })
  })
})
