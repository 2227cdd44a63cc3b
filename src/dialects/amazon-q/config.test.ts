import { describe, expect, it } from 'vitest'
import { dialect } from './index.ts'
import { load } from './testing.ts'

const AGENT = {
  name: 'dev',
  hooks: {
    agentSpawn: [{ command: 'git status', cache_ttl_seconds: 60 }],
    preToolUse: [
      { matcher: 'execute_bash', command: 'first' },
      { matcher: '@git', command: 'second', timeout_ms: 100, max_output_size: 4, cache_ttl_seconds: 60 },
    ],
    postToolUse: [{ command: 'third' }],
  },
}

describe('agent files', () => {
  it('keep the order of their hooks, with the defaults of the document', () => {
    const { hooks, problems } = load(AGENT)
    expect(problems).toEqual([])
    expect(hooks.map(({ name }) => name)).toEqual([
      'dev:agentSpawn[0]',
      'dev:preToolUse[0]',
      'dev:preToolUse[1]',
      'dev:postToolUse[0]',
    ])
    expect(hooks[1]).toMatchObject({
      format: 'amazon-q',
      scope: 'user',
      events: ['before_tool'],
      native_event: 'preToolUse',
      run: { type: 'command', command: 'first', shell: 'bash', args: ['-c'] },
      order: 0,
      mode: 'concurrent',
      timeout: 30_000,
      on_failure: 'open',
      blocks: true,
      output_limit: 10_240,
      on_overflow: 'truncate',
      origin: { file: '/home/me/dev.json', line: 11 },
    })
    expect(hooks[1]?.cache).toBeUndefined()
    expect(hooks[2]).toMatchObject({ timeout: 100, output_limit: 4, cache: { seconds: 60, key: 'input' } })
    expect(hooks[3]).toMatchObject({ events: ['after_tool', 'after_tool_failure'], blocks: false })
  })

  it('never cache what is said at the start of an agent', () => {
    expect(load(AGENT).hooks[0]?.cache).toBeUndefined()
  })

  it('lose only the entry that is wrong', () => {
    const { hooks, problems } = load({
      hooks: {
        preToolUse: [
          { matcher: 'fs_write' },
          { command: 'x', timeout_ms: 'soon' },
          { command: 'x', matcher: 3 },
          'y',
          { command: 'good', timeoutms: 5 },
        ],
        preToolUsed: [{ command: 'z' }],
        stop: { command: 'z' },
        userPromptSubmit: [{ command: 'also good', matcher: 'fs_*' }],
      },
    })
    expect(hooks.map(({ name }) => name)).toEqual(['dev:preToolUse[4]', 'dev:userPromptSubmit[0]'])
    expect(problems.map(({ level, line, field, message }) => [level, line, field, message])).toEqual([
      ['error', 4, 'hooks.preToolUse[0].command', '`command` is missing or not a text'],
      [
        'error',
        9,
        'hooks.preToolUse[1].timeout_ms',
        '`timeout_ms` is "soon", not a whole number of at least 1',
      ],
      ['error', 13, 'hooks.preToolUse[2].matcher', '`matcher` is not a text'],
      ['error', 15, 'hooks.preToolUse[3]', 'the entry is not an object'],
      [
        'warning',
        18,
        'hooks.preToolUse[4].timeoutms',
        'unknown field `timeoutms`. Did you mean "timeout_ms"?',
      ],
      ['error', 21, 'hooks.preToolUsed', 'unknown trigger `preToolUsed`. Did you mean "preToolUse"?'],
      ['error', 26, 'hooks.stop', '`stop` is not a list'],
      ['warning', 32, 'hooks.userPromptSubmit[0].matcher', '`matcher` has no effect on userPromptSubmit'],
    ])
  })

  it('say where a text is not JSON', () => {
    expect(load('{\n  "hooks": {,\n}').problems).toMatchObject([{ level: 'error', line: 2 }])
    expect(load('[]').problems).toHaveLength(1)
    expect(load({ name: 'no-hooks' })).toEqual({ hooks: [], problems: [] })
  })
})

describe('older context files', () => {
  const HOOKS = {
    h: { trigger: 'conversation_start', type: 'inline', command: 'x' },
    p: { trigger: 'per_prompt', type: 'inline', command: 'y', disabled: true },
    empty: { trigger: 'per_prompt', type: 'inline' },
  }

  it.each([
    ['alone', HOOKS],
    ['below `hooks`', { hooks: HOOKS }],
  ])('are read %s', (_, content) => {
    const { hooks, problems } = load(content, '/home/me/global_context.json')
    expect(hooks.map((hook) => [hook.name, hook.native_event, hook.disabled])).toEqual([
      ['global_context:h', 'agentSpawn', undefined],
      ['global_context:p', 'userPromptSubmit', true],
    ])
    expect(problems).toMatchObject([{ level: 'warning', hook: 'global_context:empty' }])
  })
})

describe('stand-alone hook files', () => {
  it('are read with their own names, time limits and actions', () => {
    const { hooks, problems } = load({
      version: 'v1',
      hooks: [
        { name: 'guard', trigger: 'PreToolUse', matcher: 'shell', action: { type: 'command', command: 'a' } },
        {
          name: 'lint',
          trigger: 'PostFileSave',
          matcher: '\\.ts$',
          action: { type: 'command', command: 'b' },
          timeout: 30,
        },
        { name: 'tests', trigger: 'userPromptSubmit', action: { type: 'agent', prompt: 'Update the tests' } },
        { name: 'off', trigger: 'Stop', action: { type: 'command', command: 'c' }, enabled: false },
        { name: 'bad', trigger: 'PreToolUse', matcher: '(', action: { type: 'command', command: 'd' } },
        { name: 'worse', trigger: 'Sometimes', action: { type: 'command', command: 'e' } },
        { name: 'worst', trigger: 'Stop', action: { type: 'shout' } },
      ],
    })
    expect(hooks.map(({ name, events, timeout, blocks }) => [name, events, timeout, blocks])).toEqual([
      ['dev:guard', ['before_tool'], 60_000, true],
      ['dev:lint', ['file_changed'], 30_000, false],
      ['dev:tests', ['before_agent'], 60_000, true],
      ['dev:off', ['before_stop'], 60_000, false],
    ])
    expect(hooks[1]?.matcher).toEqual({ subject_pattern: '\\.ts$' })
    expect(hooks[2]?.run).toEqual({ type: 'outcome', outcome: { additional_context: ['Update the tests'] } })
    expect(hooks[3]?.disabled).toBe(true)
    expect(problems.map(({ hook, level }) => [hook, level])).toEqual([
      ['dev:bad', 'error'],
      ['dev:worse', 'error'],
      ['dev:worst', 'error'],
    ])
  })
})

describe('recognising a file', () => {
  const recognises = (content: unknown, path = '/x/y.json') =>
    dialect.format!.recognises({
      path,
      text: typeof content === 'string' ? content : JSON.stringify(content),
      scope: 'source',
    })

  it('knows its own three forms', () => {
    expect(recognises(AGENT)).toBe(2)
    expect(recognises({ h: { trigger: 'per_prompt', command: 'x' } })).toBe(2)
    expect(recognises({ version: 'v1', hooks: [] })).toBe(2)
    expect(recognises('{broken', '/x/.kiro/agents/dev.json')).toBe(2)
  })

  it('leaves the files of others alone', () => {
    expect(recognises({ version: 1, hooks: { preToolUse: [{ type: 'command', bash: 'x' }] } })).toBe(0)
    expect(recognises({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'x' }] }] } })).toBe(0)
    expect(recognises({ hooks: { stop: 'x' }, version: 2 })).toBe(0)
    expect(recognises('stop')).toBe(0)
    expect(dialect.format!.recognises({ path: '/x', scope: 'source' })).toBe(0)
  })
})

it('an entry of ours in such a file is not read as a hook', () => {
  const command = "'/opt/crosshook/bin/crosshook' hook kiro PreToolUse"
  expect(load({ hooks: { preToolUse: [{ command }, { command: 'own' }] } }).hooks).toMatchObject([
    { run: { command: 'own' } },
  ])
})
