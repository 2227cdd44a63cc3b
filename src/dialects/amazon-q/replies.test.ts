import { describe, expect, it } from 'vitest'
import { decode, encode, wrapContext } from './replies.ts'
import { aHook, anEvent } from './testing.ts'

const PRE = anEvent({ tool_name: 'Shell', tool_input: { command: 'ls' } })
const PROMPT = anEvent({ event_type: 'before_agent', prompt: 'hi' })
const SPAWN = anEvent({ event_type: 'session_start' })

describe('how a hook ended', () => {
  it('lets the tool run on exit 0, whatever was printed', () => {
    expect(decode({ exit_code: 0, stdout: '{"decision":"deny"}' }, PRE, aHook('preToolUse'))).toEqual({
      outcome: { log: '{"decision":"deny"}' },
    })
  })

  it('blocks a tool on exit 2, and says why to the model and to the person', () => {
    expect(decode({ exit_code: 2, stderr: 'cannot read secrets\n' }, PRE, aHook('preToolUse'))).toEqual({
      outcome: { decision: 'deny', reason: 'cannot read secrets', user_message: 'cannot read secrets' },
    })
  })

  it('gives a reason for a block that came without one', () => {
    expect(decode({ exit_code: 2 }, PRE, aHook('preToolUse')).outcome).toMatchObject({
      reason: 'preToolUse "check.sh" exited with code 2',
    })
  })

  it.each([
    ['agentSpawn', 'session_start'],
    ['userPromptSubmit', 'before_agent'],
    ['postToolUse', 'after_tool'],
    ['stop', 'before_stop'],
  ])('counts exit 2 on %s as a failure', (trigger, event_type) => {
    expect(
      decode({ exit_code: 2, stderr: 'no' }, anEvent({ event_type }), aHook(trigger)).outcome,
    ).toMatchObject({
      failed: true,
      message: `${trigger} "check.sh" failed with exit code: 2, stderr: no`,
    })
  })

  it('also blocks a prompt from a stand-alone hook file', () => {
    expect(decode({ exit_code: 2, stderr: 'no' }, PROMPT, aHook('UserPromptSubmit')).outcome).toMatchObject({
      decision: 'deny',
    })
  })

  it('reports other exit codes in the words that people know', () => {
    expect(decode({ exit_code: 1, stderr: 'oops\n' }, PRE, aHook('preToolUse')).outcome).toEqual({
      failed: true,
      kind: 'failed',
      retryable: false,
      exit_code: 1,
      message: 'preToolUse "check.sh" failed with exit code: 1, stderr: oops',
      user_message: 'preToolUse "check.sh" failed with exit code: 1, stderr: oops',
    })
  })

  it('counts an end by a signal as exit code -1', () => {
    expect(decode({ exit_code: null, signal: 'SIGKILL' }, PRE, aHook('preToolUse')).outcome).toMatchObject({
      failed: true,
      exit_code: -1,
    })
  })
})

describe('context', () => {
  it('is what was printed, and nothing when nothing was', () => {
    expect(decode({ exit_code: 0, stdout: 'ctx\n' }, PROMPT, aHook('userPromptSubmit')).outcome).toEqual({
      additional_context: ['ctx\n'],
    })
    expect(decode({ exit_code: 0, stdout: '' }, SPAWN, aHook('agentSpawn')).outcome).toEqual({})
  })

  it('is cut by bytes, with a suffix that says so', () => {
    const printed = (stdout: string, output_limit: number, truncated = false) =>
      decode({ exit_code: 0, stdout, truncated }, PROMPT, aHook('userPromptSubmit', { output_limit })).outcome
    const long = 'x'.repeat(20_000)
    expect(printed(long, 10_240)).toEqual({ additional_context: [`${'x'.repeat(10_240)} ... truncated`] })
    expect(printed('한국', 4)).toEqual({ additional_context: ['한 ... truncated'] })
    expect(printed('한\uFFFD', 4, true)).toEqual({ additional_context: ['한 ... truncated'] })
    expect(printed('abcd', 4)).toEqual({ additional_context: ['abcd'] })
  })

  it('of several hooks stands in one entry', () => {
    const intro =
      '--- CONTEXT ENTRY BEGIN ---\nThis section (like others) contains important information that I want you to use ' +
      'in your responses. I have gathered this context from valuable programmatic script hooks. You must follow any ' +
      'requests and consider all of the information in this section'
    expect(wrapContext(['ctx'], PROMPT)).toEqual([`${intro}\n\nctx\n\n--- CONTEXT ENTRY END ---\n\n`])
    expect(wrapContext(['one', 'two'], SPAWN)).toEqual([
      `${intro} for the entire conversation\n\none\n\ntwo\n\n--- CONTEXT ENTRY END ---\n\n`,
    ])
    expect(wrapContext([], SPAWN)).toEqual([])
  })

  it('is left to the agent itself to frame', () => {
    expect(wrapContext(['ctx'], { ...SPAWN, agent: 'amazon-q' })).toEqual(['ctx'])
  })
})

describe('what the agent is told', () => {
  it('is exit 2 with the reason for a block', () => {
    expect(encode({ decision: 'deny', reason: 'not here' }, PRE)).toEqual({
      stdout: '',
      stderr: 'not here\n',
      exit_code: 2,
    })
  })

  it('is the context on stdout', () => {
    expect(encode({ additional_context: ['a', 'b'] }, PROMPT)).toEqual({
      stdout: 'a\n\nb',
      stderr: '',
      exit_code: 0,
    })
    expect(encode({}, PRE)).toEqual({ stdout: '', stderr: '', exit_code: 0 })
  })

  it('is a warning for what only people can be told', () => {
    expect(encode({ user_message: 'look' }, anEvent({ event_type: 'before_stop' }))).toEqual({
      stdout: '',
      stderr: 'look\n',
      exit_code: 1,
    })
  })
})
