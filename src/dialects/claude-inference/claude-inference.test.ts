import { describe, expect, it } from 'vitest'
import { dialect } from './index.ts'

const { decode, encode, provider } = dialect.agent!
const hint = { env: {}, cwd: '/' }

const frame = (type: string, role: string, content: object[]) => ({
  type,
  request_id: 'req_1',
  session_id: 's',
  source: { application: 'claude_code' },
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'before' }] },
    { role, content },
  ],
})
const call = (tool_name: string, input: object) => ({ type: 'tool_use', id: 't', tool_name, input })

describe('parts', () => {
  it('are one for each call at the end of the conversation, decoded in canonical words', () => {
    const native = frame('tool_call', 'assistant', [
      { type: 'text', text: 'I will' },
      call('Bash', { command: 'rm -rf /' }),
      call('acme_deploy', { to: 'prod' }),
    ])
    const events = provider!.parts(native).map((part) => decode(part, hint))
    expect(
      events.map(({ event_type, tool_name, tool_input }) => ({ event_type, tool_name, tool_input })),
    ).toEqual([
      { event_type: 'before_tool', tool_name: 'Shell', tool_input: { command: 'rm -rf /' } },
      { event_type: 'before_tool', tool_name: 'acme_deploy', tool_input: { to: 'prod' } },
    ])
    expect(events[0]).toMatchObject({
      session_id: 's',
      context: { request_id: 'req_1', application: 'claude_code' },
    })
  })

  it('of a prompt are the texts of the last turn, whatever else is in it', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'later_kind', what: 1 },
      { type: 'text', text: 'b' },
    ]
    const [part, ...rest] = provider!.parts(frame('prompt', 'user', content))
    expect(rest).toEqual([])
    expect(decode(part, hint)).toMatchObject({ event_type: 'before_agent', prompt: 'a\nb' })
  })

  it.each([
    ['an event of later', frame('response', 'assistant', [{ type: 'text', text: 'x' }])],
    ['a prompt without a word', frame('prompt', 'user', [])],
    ['no conversation', { type: 'prompt' }],
    ['no object', 'x'],
  ])('of %s are none', (_what, native) => expect(provider!.parts(native)).toEqual([]))

  it.each([
    ['no conversation', { type: 'tool_call' }],
    ['a text in place of its call', { type: 'tool_call', messages: [{ content: 'rm -rf /' }] }],
    ['a call of another type', { type: 'tool_call', messages: [{ content: [{ type: 'server_tool_use' }] }] }],
  ])('of a tool call with %s are itself, which names no tool', (_what, native) => {
    expect(provider!.parts(native)).toEqual([native])
    expect(decode(native, hint).tool_name).toBe('')
  })
})

describe('the verdict', () => {
  const event = decode(frame('tool_call', 'assistant', [call('Bash', {})]), hint)
  const verdict = (outcome: object) => JSON.parse(encode(outcome, event).stdout)

  it('allows in so many words', () => expect(verdict({})).toEqual({ action: 'allow' }))

  it('denies with a reason and a reference that fit', () => {
    expect(verdict({ decision: 'deny', reason: 'x'.repeat(600) })).toEqual({
      action: 'deny',
      deny_reason: 'x'.repeat(500),
      reference_id: 'req_1',
    })
    const odd = decode({ type: 'prompt', request_id: `a b/${'c'.repeat(80)}` }, hint)
    expect(JSON.parse(encode({ decision: 'deny' }, odd).stdout).reference_id).toMatch(/^ab\/c{47}$/)
  })
})
