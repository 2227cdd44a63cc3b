import { describe, expect, it } from 'vitest'
import { checkSettings, parseSettings, read, redactedView, write } from './config.ts'
import { globMatches, toMatcher } from './hook.ts'
import { dialect } from './index.ts'
import { EVENT_NAMES, EVENTS } from './names.ts'

const command = { type: 'command', command: 'true' }
const file = (value: unknown) => ({
  path: 'hooks.json',
  text: JSON.stringify(value, null, 2),
  scope: 'source' as const,
})
const load = (definition: object, event = 'pre_tool_use') =>
  read(file({ schema_version: 1, hooks: { [event]: [definition] } }))

describe('reading', () => {
  it('reads the envelope and the older form alike', async () => {
    const hooks = { pre_tool_use: [{ name: 'guard', matcher: 'write_*', executor: command }] }
    const versioned = await read(file({ schema_version: 1, hooks }))
    const older = await read(file({ hooks }))
    expect(older.hooks[0]).toMatchObject({ origin: { line: 4 } })
    expect({ ...older.hooks[0], origin: versioned.hooks[0]!.origin }).toEqual(versioned.hooks[0])
    expect(versioned).toEqual({
      hooks: [
        {
          name: 'guard',
          format: 'kheish',
          scope: 'source',
          events: ['before_tool'],
          native_event: 'pre_tool_use',
          matcher: { any: [{ tool_globs: ['write_*'] }, { tool_names: ['WriteFile'] }] },
          run: { type: 'command', command: 'true', shell: '/bin/bash', args: ['-lc'] },
          order: 0,
          mode: 'sequence',
          timeout: 5000,
          budget: 'total',
          on_failure: 'open',
          failure_stops: false,
          retries: 0,
          blocks: true,
          input_merge: 'replace',
          output_limit: 131072,
          on_overflow: 'fail',
          awaits_output: true,
          redact_reasons: true,
          reports_refused_input: true,
          origin: { file: 'hooks.json', line: 5 },
        },
      ],
      problems: [],
    })
  })

  it('gives each executor its own time limit', async () => {
    const timeouts = async (executor: object) => (await load({ name: 'n', executor })).hooks[0]?.timeout
    expect(await timeouts(command)).toBe(5000)
    expect(await timeouts({ type: 'http', url: 'https://example.com/' })).toBe(5000)
    expect(await timeouts({ type: 'prompt', template: 't' })).toBe(15000)
    expect(await timeouts({ type: 'agent', template: 't' })).toBe(30000)
    expect(await timeouts({ type: 'callback', name: 'c' })).toBe(15000)
    expect(await timeouts({ ...command, timeout_ms: 30000 })).toBe(30000)
  })

  it('runs the hooks of policy events one after another and those of observers together', async () => {
    const modes: Record<string, string[]> = { sequence: [], concurrent: [] }
    for (const event of EVENT_NAMES) {
      const { hooks } = await load({ name: 'n', executor: command }, event)
      expect(hooks[0]!.events).toEqual([EVENTS[event].event])
      modes[hooks[0]!.mode]!.push(event)
    }
    expect(modes.sequence).toHaveLength(13)
    expect(modes.concurrent).toHaveLength(14)
    expect(modes.concurrent).toContain('permission_denied')
  })

  it('gives an agent no tools but those that are listed', async () => {
    const run = async (more: object) =>
      (await load({ name: 'n', executor: { type: 'agent', template: 't', ...more } })).hooks[0]?.run
    expect(await run({})).toMatchObject({ tools: [], max_turns: 4, model: { max_output_tokens: 1024 } })
    const tool_surface = { allowlist: ['read_file', 'bash', ' mcp__db__query '], denylist: ['bash'] }
    expect(await run({ tool_surface, max_turns: 2 })).toMatchObject({
      tools: ['ReadFile', 'mcp__db__query'],
      max_turns: 2,
    })
  })

  it('names the model of a prompt', async () => {
    const model = { provider: 'anthropic', generation: { model: 'm', temperature: 0 } }
    const { hooks } = await load({
      name: 'n',
      executor: { type: 'prompt', template: 't', system_prompt: 's', model },
    })
    expect(hooks[0]!.run).toEqual({
      type: 'prompt',
      template: 't',
      system_prompt: 's',
      model: {
        provider: 'anthropic',
        name: 'm',
        generation: { model: 'm', temperature: 0 },
        max_output_tokens: 1024,
      },
    })
  })
})

describe('problems', () => {
  it('make the whole file inactive and say where, what and how to fix it', async () => {
    const hooks = {
      stop: [
        { name: 'good', executor: command },
        { name: 'bad', executor: { ...command, timeout_ms: 0 } },
      ],
    }
    expect(await read(file({ hooks }))).toEqual({
      hooks: [],
      refused: [expect.objectContaining({ name: 'good' })],
      problems: [
        {
          level: 'error',
          file: 'hooks.json',
          line: 16,
          field: 'hooks.stop[1].executor.timeout_ms',
          hook: 'bad',
          message: 'timeout_ms must be greater than zero',
          fix: 'Use 1 to 30000 milliseconds, or leave it out for the default.',
        },
      ],
    })
  })

  it.each([
    [{ name: ' ', executor: command }, 'name', 'name must not be empty'],
    [{ executor: command }, 'name', 'name must be a string'],
    [{ name: 'n' }, 'executor', /type is command, http/],
    [{ name: 'n', executor: { type: 'webhook' } }, 'executor.type', /type is command, http/],
    [
      { name: 'n', executor: { type: 'command', command: '' } },
      'executor.command',
      'command must not be empty',
    ],
    [{ name: 'n', executor: { ...command, shell: ' ' } }, 'executor.shell', 'shell must not be empty'],
    [
      { name: 'n', executor: { ...command, timeout_ms: 30001 } },
      'executor.timeout_ms',
      'timeout_ms must not exceed 30000',
    ],
    [
      { name: 'n', executor: { type: 'prompt', template: '' } },
      'executor.template',
      'template must not be empty',
    ],
    [
      { name: 'n', executor: { type: 'agent', template: 't', max_turns: 0 } },
      'executor.max_turns',
      'max_turns must be greater than zero',
    ],
    [
      { name: 'n', executor: { type: 'agent', template: 't', tool_surface: { denylist: ['bash'] } } },
      'executor.tool_surface',
      'tool_surface must include an allowlist',
    ],
    [
      { name: 'n', executor: { type: 'callback', name: '' } },
      'executor.name',
      'callback name must not be empty',
    ],
    [
      { name: 'n', failure_policy: { max_retries: 4 }, executor: command },
      'failure_policy.max_retries',
      'max_retries must not exceed 3',
    ],
    [
      { name: 'n', failure_policy: { mode: 'ajar' }, executor: command },
      'failure_policy.mode',
      'mode must be "open" or "closed"',
    ],
    [
      { name: 'n', matcher: { tool: 'x' }, executor: command },
      'matcher',
      'matcher must be one glob, a string',
    ],
    [
      { name: 'n', executor: { type: 'http', url: 'https://u:p@example.com/' } },
      'executor.url',
      'url must not include userinfo',
    ],
    [
      { name: 'n', executor: { type: 'http', url: 'ftp://example.com/' } },
      'executor.url',
      'url must use http or https',
    ],
    [
      { name: 'n', executor: { type: 'http', url: 'http://[fe80::1%25eth0]/' } },
      'executor.url',
      'url is not a valid URL',
    ],
  ])('%j is refused at %s', async (definition, field, message) => {
    const { hooks, problems } = await load(definition)
    expect(hooks).toEqual([])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ level: 'error', field: `hooks.pre_tool_use[0].${field}` })
    expect(problems[0]!.message).toMatch(message)
    expect(problems[0]!.fix).not.toMatch(/reference/)
  })

  it.each([
    ['{"schema_version": 999}', 'unsupported hook settings schema_version 999; expected 1'],
    ['{"schema_version": "1"}', 'hook settings schema_version must be an unsigned integer'],
    ['{"hooks": {"token": sk-secret', 'the file is not valid JSON'],
    ['[]', 'hook settings must be a JSON object'],
    ['{"hooks": []}', 'hooks must be an object from event names to lists of hooks'],
    ['{"hooks": {"stop": {}}}', 'an event must hold a list of hooks'],
    ['{"hooks": {"pre_tool_user": []}}', 'unknown event "pre_tool_user". Did you mean "pre_tool_use"?'],
  ])('of the file %s disable its hooks without a crash', async (text, message) => {
    const { hooks, problems } = await read({ path: 'hooks.json', text, scope: 'source' })
    expect(hooks).toEqual([])
    expect(problems.map((problem) => problem.message)).toEqual([message])
  })

  it('of lesser weight are warnings, and the hooks load', async () => {
    const { hooks, problems } = await load({ name: 'n', matchers: 'x', executor: { ...command, env: {} } })
    expect(hooks).toHaveLength(1)
    expect(problems.map(({ level, field, message }) => ({ level, field, message }))).toEqual([
      {
        level: 'warning',
        field: 'hooks.pre_tool_use[0].matchers',
        message: 'unknown field "matchers" is ignored. Did you mean "matcher"?',
      },
      {
        level: 'warning',
        field: 'hooks.pre_tool_use[0].executor.env',
        message: 'unknown field "env" is ignored.',
      },
    ])
  })
})

describe('the matcher', () => {
  it.each([
    ['bash*', 'bash', true],
    ['bash*', 'bash:rm', true],
    ['file-?.txt', 'file-a.txt', true],
    ['file-?.txt', 'file-aa.txt', false],
    ['*a*b', 'xaxxab', true],
    ['*a*b', 'xaxxac', false],
    ['x', '', false],
    ['**', '', true],
  ])('%s on %s is %s', (glob, text, expected) => {
    expect(globMatches(glob, text)).toBe(expected)
  })

  it('reaches a tool by the name that other agents give it', () => {
    expect(toMatcher('pre_tool_use', 'bash*')).toEqual({
      any: [{ tool_globs: ['bash*'] }, { tool_names: ['Shell'] }],
    })
    expect(toMatcher('pre_tool_use', 'mcp__*')).toEqual({ tool_globs: ['mcp__*'] })
  })

  it('matches everything when it is absent, empty or a star', () => {
    for (const glob of ['', '*']) expect(toMatcher('pre_tool_use', glob)).toEqual({})
  })

  it('takes an event without a subject to have the only one that Kheish knows', () => {
    expect(toMatcher('stop', 'completed')).toEqual({
      any: [{ subject: 'completed' }, { not: { subject: '?*' } }],
    })
    expect(toMatcher('stop', 'cancelled')).toEqual({ subject: 'cancelled' })
  })
})

describe('writing', () => {
  const settings = {
    hooks: {
      stop: [{ name: 's', failure_policy: { mode: 'closed', max_retries: 0 }, executor: command }],
      pre_tool_use: [{ name: 'p', matcher: 'bash', executor: { ...command, shell: null } }],
    },
  }

  it('writes the versioned envelope without defaults', () => {
    expect(JSON.parse(write(checkSettings(settings).settings!))).toEqual({
      schema_version: 1,
      hooks: {
        pre_tool_use: [{ name: 'p', matcher: 'bash', executor: command }],
        stop: [{ name: 's', failure_policy: { mode: 'closed' }, executor: command }],
      },
    })
  })

  it('gives back what was written', () => {
    const once = write(checkSettings(settings).settings!)
    expect(write(parseSettings(once).settings!)).toBe(once)
  })

  it('shows settings without their secrets', () => {
    const view = redactedView(
      checkSettings({
        hooks: {
          stop: [
            { name: 'c', executor: { type: 'command', command: 'curl -H token=secret', timeout_ms: 100 } },
            { name: 'h', executor: { type: 'http', url: 'https://example.com/path?token=secret' } },
            { name: 'p', executor: { type: 'prompt', template: 'secret', system_prompt: 'secret' } },
            { name: 'a', executor: { type: 'agent', template: 'secret', max_turns: 3 } },
            { name: 'b', executor: { type: 'callback', name: 'cb' } },
          ],
        },
      }).settings!,
    )
    const text = write(view)
    expect(text).not.toMatch(/curl|secret/)
    expect(text).toContain('https://example.com')
    expect(parseSettings(text).issues).toEqual([])
  })
})

describe('recognising', () => {
  const score = (text: string) => dialect.format!.recognises({ path: 'x.json', text, scope: 'source' })

  it('knows its own settings by their content', () => {
    expect(score('{"schema_version":1,"hooks":{}}')).toBe(2)
    expect(score('{"hooks":{"stop":[{"name":"n","executor":{"type":"command"}}]}}')).toBe(2)
    expect(score('{"schema_version":999,"hooks":{"stop":[]}}')).toBe(2)
    expect(score('{"schema_version":1,"hooks":{ oops')).toBe(1)
  })

  it('leaves the settings of others alone', () => {
    expect(score('{"hooks":{"PreToolUse":[{"hooks":[]}]}}')).toBe(0)
    expect(score('{"hooks":{"preToolUse":[{"command":"x"}]}}')).toBe(0)
    expect(score('---\nname: x\n---')).toBe(0)
    expect(score('{oops')).toBe(0)
  })
})
