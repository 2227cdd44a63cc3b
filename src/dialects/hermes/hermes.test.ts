import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import type { CommandLine } from '../../spec/installer.ts'
import { installer, read } from './config.ts'
import { dialect } from './index.ts'
import { shellCommand, wordsOf } from './words.ts'

const agent = dialect.agent!
const format = dialect.format!

function recorded(file: string): HookEvent {
  const { stdin, event } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'fixtures', `${file}.json`), 'utf8'),
  )
  return agent.decode(stdin, { event, env: {}, cwd: '/' })
}

describe('events of Hermes Agent', () => {
  it('have canonical tools, and what stands in extra as fields', () => {
    expect(recorded('pre_tool_call.terminal')).toMatchObject({
      event_type: 'before_tool',
      tool_name: 'Shell',
      tool_use_id: 'call_1',
      session_id: '20261116_161308_5ae327',
    })
    expect(recorded('pre_tool_call.delegate_task')).toMatchObject({
      tool_name: 'Subagent',
      tool_input: { prompt: 'SUB-TASK: do it' },
    })
    expect(recorded('pre_llm_call.basic')).toMatchObject({
      event_type: 'before_agent',
      prompt: 'MAIN-TASK: work',
    })
    expect(recorded('post_tool_call.terminal').tool_output).toContain('hello')
    expect(recorded('pre_verify.basic')).toMatchObject({
      event_type: 'before_stop',
      final_message: { content: 'I am done.' },
    })
  })

  it('tell a tool that failed from one that did not', () => {
    const stdin = { tool_name: 'terminal', tool_input: {}, extra: { status: 'error', error_message: 'gone' } }
    const event = agent.decode(stdin, { event: 'post_tool_call', env: {}, cwd: '/' })
    expect(event).toMatchObject({ event_type: 'after_tool_failure', error: 'gone' })
  })
})

describe('hooks written for Hermes Agent', () => {
  const hook: Hook = {
    ...HOOK_DEFAULTS,
    name: 'h',
    format: 'hermes',
    scope: 'user',
    events: [],
    native_event: 'pre_tool_call',
    run: { type: 'command', argv: ['x'] },
    origin: { file: 'f' },
  }
  const decode = (stdout: string, native_event = 'pre_tool_call') =>
    format.decode({ exit_code: 0, stdout, stderr: '' }, recorded('pre_tool_call.terminal'), {
      ...hook,
      native_event,
    }).outcome

  it('answer in either of its spellings', () => {
    expect(decode('{"action":"block","message":"NO"}')).toEqual({ decision: 'deny', reason: 'NO' })
    expect(decode('{"decision":"block","reason":"NO"}')).toEqual({ decision: 'deny', reason: 'NO' })
    expect(decode('{"action":"continue","message":"TESTS"}', 'pre_verify')).toEqual({
      decision: 'deny',
      reason: 'TESTS',
    })
    expect(decode('{"action":"continue","message":"TESTS"}')).toEqual({})
    expect(decode('{"context":"C"}', 'pre_llm_call')).toEqual({ additional_context: ['C'] })
  })

  it('are started without a shell', () => {
    const text = 'hooks:\n  pre_tool_call:\n    - command: "\'/a b/guard\' $HOME"\n      matcher: terminal\n'
    const { hooks } = read({ path: '/h/.hermes/config.yaml', text, scope: 'user' })
    expect(hooks).toMatchObject([
      {
        run: { argv: ['/a b/guard', '$HOME'] },
        timeout: 60_000,
        matcher: { tool_names: ['terminal', 'Shell'] },
      },
    ])
    expect(wordsOf('~/x "a \\"b\\"" c\\ d', '/h')).toEqual(['/h/x', 'a "b"', 'c d'])
    expect(wordsOf('x "a')).toBeUndefined()
  })
})

it('a line of the shell is one word for it', () => {
  const line = `test -x '/a b' && exec '/a b' hook || echo '{"decision":"block"}' "\\\\$HOME"`
  expect(wordsOf(shellCommand(line))).toEqual(['/bin/sh', '-c', line])
})

describe('the config.yaml of Hermes Agent', () => {
  const line = (event: string) => `'/opt/cross hook/bin/crosshook' hook hermes ${event}`
  const command: CommandLine = { line, argv: (event) => line(event).split(' ') }
  const [file] = installer.files({ home: '/h', project: '/p', env: {}, level: 'user' })

  it.each([
    ['no file', undefined],
    ['an empty file', ''],
    ['only comments', '# mine\n'],
    ['no hooks', 'model:\n  default: x\n'],
    ['no line break at its end', 'model:\n  default: x'],
    ['Windows line ends', 'model:\r\n  default: x\r\nhooks: {}\r\n'],
    ['an empty mapping', 'a: 1\nhooks: {} # none\nb: 2\n'],
    ['an empty key', 'a: 1\nhooks:\nb: 2\n'],
    [
      'hooks of others',
      'hooks:\n  # keep\n  pre_tool_call:\n  - command: other\n  on_session_end:\n    - command: "x # y"\nz: 1\n',
    ],
  ])('has our entries, and is as it was without them: %s', (_, text) => {
    const edited = file!.add(text, command)
    const ours = file!.find(edited).filter((entry) => entry.ours)
    expect(ours.map(({ event }) => event)).toContain('pre_tool_call')
    expect(file!.add(edited, command)).toBe(edited)
    expect(file!.find(edited).filter((entry) => !entry.ours)).toEqual(text ? file!.find(text) : [])
    expect(file!.remove(edited)).toBe(text)
  })

  it('is cleaned after Hermes Agent has written it anew, without our marks', () => {
    const edited = file!.add('a: 1\nhooks:\n  pre_tool_call:\n    - command: other\n', command)
    const anew = edited.replaceAll(/ # crosshook.*$/gm, '')
    expect(file!.find(anew).filter((entry) => entry.ours).length).toBeGreaterThan(3)
    expect(file!.remove(anew)).toBe('a: 1\nhooks:\n  pre_tool_call:\n    - command: other\n')
  })

  it.each(['hooks: {pre_tool_call: [{command: x}]}\n', 'hooks:\n  pre_tool_call: [{command: x}]\n'])(
    'is left alone where it cannot be added to: %s',
    (text) => {
      expect(() => file!.add(text, command)).toThrow(/form that cannot be added to/)
    },
  )
})
