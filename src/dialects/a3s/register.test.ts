import { describe, expect, it } from 'vitest'
import { checkLimits, defineHook, describeHook } from './register.ts'
import { DEFAULT_SETTINGS } from './settings.ts'
import { aHook, anEvent } from './testing.ts'

describe('registering a hook', () => {
  it('takes the defaults of the document', () => {
    expect(aHook()).toMatchObject({
      name: 'guard',
      format: 'a3s',
      scope: 'sdk',
      events: ['before_tool'],
      native_event: 'PreToolUse',
      matcher: {},
      order: 0,
      mode: 'concurrent',
      timeout: 5000,
      budget: 'attempt',
      on_failure: 'open',
      retries: 0,
      blocks: true,
      input_merge: 'shallow',
    })
  })

  it('reads both spellings of everything', () => {
    const typescript = {
      matcher: { tool: 'Bash', pathPattern: '*.env', commandPattern: 'rm', sessionId: 's' },
      config: { priority: 10, timeout: 3000, async: false, failBehavior: 'block' },
    }
    const python = {
      matcher: { tool: 'Bash', path_pattern: '*.env', command_pattern: 'rm', session_id: 's' },
      config: { priority: 10, timeout_ms: 3000, async: false, fail_behavior: 'block' },
    }
    const hook = aHook('PreToolUse', typescript)
    expect(hook).toMatchObject({
      matcher: {
        tool_names: ['Bash', 'Shell', 'bash'],
        path_suffix: '*.env',
        command_text: 'rm',
        session: 's',
      },
      order: -90,
      timeout: 3000,
      on_failure: 'closed',
    })
    expect(describeHook(aHook('pre_tool_use', python))).toEqual(describeHook(hook))
  })

  it('looks for commands in the shell tool alone', () => {
    expect(aHook('PreToolUse', { matcher: { commandPattern: 'rm' } }).matcher.tool_names).toContain('Shell')
    expect(
      aHook('PreToolUse', { matcher: { tool: 'Read', commandPattern: 'rm' } }).matcher.tool_names,
    ).toEqual([])
  })

  it('takes 0 for a time limit that was not given, and for the first of all priorities', () => {
    expect(aHook('PreToolUse', { config: { priority: 0, timeout: 0 } }).order).toBe(-100)
    expect(aHook('PreToolUse', { config: { timeout: 0 } })).toMatchObject({
      order: 0,
      timeout: 5000,
    })
  })

  it('calls the function with the event in its own words', () => {
    const hook = defineHook('PreToolUse', { id: 'x', handler: (event) => event.tool })
    const call = hook.run.type === 'callback' ? hook.run.call! : () => undefined
    expect(call(anEvent({ tool_name: 'Shell' }))).toBe('Bash')
  })

  it('warns of an answer that nobody waits for', () => {
    expect(aHook('PreToolUse', { config: { async: true } })).toMatchObject({
      mode: 'background',
      blocks: false,
      metadata: { warnings: ['an asynchronous hook cannot stop PreToolUse: nobody waits for its answer'] },
    })
    expect(aHook('PostToolUse', { config: { async: true } }).metadata?.warnings).toBeUndefined()
  })

  it('lets only hooks before the fact block', () => {
    const blocking = [
      'SessionStart',
      'GenerateStart',
      'PreToolUse',
      'PermissionRequest',
      'PreCompact',
      'SkillLoad',
    ]
    const others = [
      'SessionEnd',
      'GenerateEnd',
      'PostToolUse',
      'ToolError',
      'PermissionGranted',
      'PermissionDenied',
    ]
    others.push('PostCompact', 'ContextWarning')
    expect(blocking.map((name) => aHook(name).blocks)).not.toContain(false)
    expect(others.map((name) => aHook(name).blocks)).not.toContain(true)
  })

  it('goes to both ends of a tool for PostToolUse, to the bad one for ToolError', () => {
    expect(aHook('PostToolUse').events).toEqual(['after_tool', 'after_tool_failure'])
    expect(aHook('ToolError').events).toEqual(['after_tool_failure'])
  })

  it.each([
    ['PreToolUsed', {}, 'unknown event "PreToolUsed". Did you mean "PreToolUse"?'],
    ['PreToolUse', { handler: undefined }, 'the hook has nothing that answers'],
    ['PreToolUse', { matcher: { tol: 'x' } }, '`matcher` has no field `tol`. Did you mean "tool"?'],
    ['PreToolUse', { matcher: { tool: 3 } }, '`matcher.tool` is not a text'],
    ['PreToolUse', { config: { timeout: 'soon' } }, '`config.timeout` is "soon"'],
    ['PreToolUse', { config: { failBehavior: 'shrug' } }, '`config.failBehavior` is "shrug"'],
    ['PreToolUse', { config: [] }, '`config` is not an object'],
  ])('refuses %s with %j', (event, more, message) => {
    expect(() => aHook(event, more)).toThrow(`Hook "guard" cannot be registered: ${message}`)
  })
})

describe('limits', () => {
  const hooks = (count: number, event: string) =>
    Array.from({ length: count }, (_, i) =>
      defineHook(event, { id: `${event}-${i}`, response: { action: 'skip' } }),
    )

  it('refuse the eleventh hook of an event', () => {
    const ten = hooks(10, 'PreToolUse')
    expect(() => checkLimits(ten.slice(1), 'PreToolUse')).not.toThrow()
    expect(() => checkLimits(ten, 'pre_tool_use')).toThrow('PreToolUse already has 10 hooks')
    expect(() => checkLimits(ten, 'PostToolUse')).not.toThrow()
    expect(() => checkLimits(ten, 'PreToolUse', DEFAULT_SETTINGS, 'PreToolUse-3')).not.toThrow()
  })

  it('refuse the fifty-first hook, and count no hook of another format', () => {
    const names = ['PreToolUse', 'PostToolUse', 'SessionStart', 'SessionEnd', 'PreCompact']
    const fifty = names.flatMap((name) => hooks(10, name))
    expect(() => checkLimits(fifty, 'GenerateEnd')).toThrow('There are already 50 hooks')
    expect(() =>
      checkLimits(
        fifty.map((hook) => ({ ...hook, format: 'other' })),
        'GenerateEnd',
      ),
    ).not.toThrow()
  })
})
