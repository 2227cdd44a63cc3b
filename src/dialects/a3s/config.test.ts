import { describe, expect, it } from 'vitest'
import { readSettings } from './config.ts'
import { dialect } from './index.ts'
import { describeHook } from './register.ts'
import { DEFAULT_SETTINGS } from './settings.ts'
import { load } from './testing.ts'

const BLOCK = {
  enabled: true,
  maxHooksPerEvent: 10,
  maxTotalHooks: 50,
  defaultTimeout: 5000,
  failBehavior: 'continue',
  auditLevel: 'info',
}

describe('the settings block', () => {
  it('has the defaults of the document', () => {
    expect(DEFAULT_SETTINGS).toEqual(BLOCK)
    expect(readSettings(JSON.stringify({ hooks: BLOCK }), 'f')).toMatchObject({
      settings: BLOCK,
      problems: [],
    })
    expect(load({ hooks: BLOCK })).toEqual({ hooks: [], problems: [] })
  })

  it('keeps the default of what is wrong and says so', () => {
    const text = JSON.stringify(
      { hooks: { ...BLOCK, defaultTimeout: 0, auditLevel: 'loud', maxHooks: 3 } },
      null,
      2,
    )
    const { settings, problems } = readSettings(text, 'f')
    expect(settings).toEqual(BLOCK)
    expect(problems.map(({ level, line, field, message }) => [level, line, field, message])).toEqual([
      ['error', 6, 'defaultTimeout', '`defaultTimeout` is 0'],
      ['error', 8, 'auditLevel', '`auditLevel` is "loud"'],
      ['warning', 9, 'maxHooks', 'unknown setting `maxHooks`.'],
    ])
    expect(readSettings('{', 'f').problems).toHaveLength(1)
    expect(readSettings('{"hooks": 3}', 'f').problems).toHaveLength(1)
  })
})

describe('settings outside of the block', () => {
  it('have no effect, and are named with their line and what to write', () => {
    const text = '{\n  "maxTotalHooks": 100,\n  "auditLevel": "off"\n}'
    const { settings, problems } = readSettings(text, 'f')
    expect(settings).toEqual(BLOCK)
    expect(problems).toEqual([
      {
        level: 'warning',
        file: 'f',
        line: 2,
        field: 'maxTotalHooks',
        message: '`maxTotalHooks` is outside of the `hooks` block, where it has no effect',
        fix: 'Put it into the block: {"hooks": {"maxTotalHooks": 100}}.',
      },
      expect.objectContaining({ line: 3, field: 'auditLevel' }),
    ])
    expect(dialect.format?.recognises({ path: 'f', text, scope: 'user' })).toBeGreaterThan(0)
  })

  it('do not keep those in it from counting', () => {
    const { settings, problems } = readSettings('{"hooks": {"maxTotalHooks": 7}, "auditLevel": "off"}', 'f')
    expect(settings).toEqual({ ...BLOCK, maxTotalHooks: 7 })
    expect(problems).toMatchObject([{ field: 'auditLevel' }])
  })
})

describe('declared hooks', () => {
  const HOOK = {
    id: 'slow-guard',
    event: 'pre_tool_use',
    matcher: { tool: 'Bash', command_pattern: 'rm' },
    config: { priority: 50, timeout_ms: 5000, async_execution: true, max_retries: 3 },
    command: 'true',
  }

  it('read the same however often they are written out', () => {
    const once = load({ hooks: [HOOK] }).hooks.map(describeHook)
    const twice = load({ hooks: once.map((hook) => ({ ...hook, command: 'true' })) }).hooks.map(describeHook)
    expect(once).toEqual([
      {
        id: 'slow-guard',
        event: 'PreToolUse',
        matcher: { tool: 'Bash', commandPattern: 'rm' },
        config: { priority: 50, timeout: 5000, async: true, maxRetries: 3 },
      },
    ])
    expect(twice).toEqual(once)
  })

  it('answer with a command or with a fixed response', () => {
    const { hooks, problems } = load({
      hooks: [
        { id: 'a', event: 'PreToolUse', response: { action: 'block', reason: 'no' } },
        { id: 'b', event: 'PreToolUse', command: './b.sh' },
      ],
    })
    expect(problems).toEqual([])
    expect(hooks.map(({ run }) => run)).toEqual([
      { type: 'outcome', outcome: { action: 'block', reason: 'no' } },
      { type: 'command', command: './b.sh', shell: 'bash', args: ['-c'] },
    ])
  })

  it('stand below `handlers` when there is a settings block', () => {
    const { hooks } = load({
      hooks: { ...BLOCK, enabled: false, defaultTimeout: 7, failBehavior: 'block' },
      handlers: [{ id: 'a', event: 'PreToolUse', command: 'x' }],
    })
    expect(hooks).toMatchObject([{ name: 'a', disabled: true, timeout: 7, on_failure: 'closed' }])
  })

  it('lose only the one that is wrong, and replace one of the same id', () => {
    const { hooks, problems } = load({
      hooks: [
        { id: 'a', event: 'PreToolUse', command: 'x' },
        { id: 'b', event: 'Never', command: 'x' },
        'c',
        { id: 'd', command: 'x' },
        { id: 'e', event: 'PreToolUse' },
        { id: 'a', event: 'PostToolUse', command: 'y' },
      ],
    })
    expect(hooks.map(({ name, native_event }) => [name, native_event])).toEqual([['a', 'PostToolUse']])
    expect(problems.map(({ hook, line }) => [hook, line])).toEqual([
      ['b', 10],
      ['a3s.json[2]', 13],
      ['d', 14],
      ['e', 18],
    ])
  })

  it('are refused beyond the limit', () => {
    const many = Array.from({ length: 11 }, (_, i) => ({ id: `h${i}`, event: 'PreToolUse', command: 'x' }))
    const { hooks, problems } = load({ hooks: many })
    expect(hooks).toHaveLength(10)
    expect(problems).toMatchObject([{ hook: 'h10', level: 'error' }])
  })
})

describe('recognising a file', () => {
  const recognises = (content: unknown) =>
    dialect.format!.recognises({ path: '/x/y.json', text: JSON.stringify(content), scope: 'source' })

  it('knows the block and the list, and leaves other files alone', () => {
    expect(recognises({ hooks: BLOCK })).toBe(2)
    const handlers = [{ id: 'a', event: 'PreToolUse', response: { action: 'block' } }]
    expect(recognises({ hooks: { enabled: false }, handlers })).toBe(2)
    expect(recognises({ hooks: { enabled: false } })).toBe(0)
    expect(recognises({ hooks: { enabled: false }, handlers: [{ id: 'a' }] })).toBe(0)
    expect(recognises({ hooks: [{ id: 'a', event: 'PreToolUse', command: 'x' }] })).toBe(2)
    expect(recognises({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'x' }] }] } })).toBe(0)
    expect(recognises({ version: 'v1', hooks: [{ name: 'a', trigger: 'Stop', event: 'x' }] })).toBe(0)
    expect(recognises([])).toBe(0)
  })
})
