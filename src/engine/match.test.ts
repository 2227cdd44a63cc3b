import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { workTime } from '../../test/work-time.ts'
import type { HookEvent } from '../spec/event.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import { MATCHER_FIELDS, type Matcher } from '../spec/matcher.ts'
import { CHECKS } from './checks.ts'
import { createIndex } from './hook-index.ts'
import { checkMatcher, compileMatcher, createMatcher, matching } from './match.ts'

function toolEvent(
  tool_name: string,
  tool_input: Record<string, unknown>,
  more: Partial<HookEvent> = {},
): HookEvent {
  return {
    event_type: 'before_tool',
    timestamp: '2026-01-01T00:00:00Z',
    session_id: 's1',
    work_dir: '/project',
    context: {},
    tool_name,
    tool_input,
    ...more,
  }
}

function hook(name: string, matcher: Matcher, events = ['before_tool']): Hook {
  return {
    ...HOOK_DEFAULTS,
    name,
    format: 'test',
    scope: 'user',
    events,
    matcher,
    run: { type: 'command', argv: ['true'] },
    origin: { file: 'HOOK.md' },
  }
}

const shell = (command: unknown, more: Partial<HookEvent> = {}) => toolEvent('Shell', { command }, more)
const read = (path: string) => toolEvent('ReadFile', { path })
const note = (notification_type?: string): HookEvent => ({
  ...toolEvent('', {}),
  event_type: 'notification',
  ...(notification_type === undefined ? {} : { notification_type }),
})

const MATCHES: [string, Matcher, HookEvent][] = [
  ['no condition', {}, note()],
  ['a tool pattern is a search', { tool: 'hell' }, shell('ls')],
  ['a tool pattern may be anchored', { tool: '^(Shell|Bash)$' }, shell('ls')],
  [
    'a tool pattern sees the native name',
    { tool: '^run_' },
    shell('ls', { native_tool_name: 'run_shell_command' }),
  ],
  ['a tool pattern in full syntax', { tool: '^mcp__[a-z]+__(get|put)$' }, toolEvent('mcp__db__put', {})],
  ['an exact tool name', { tool_names: ['ReadFile', 'Shell'] }, shell('ls')],
  ['an exact native name', { tool_names: ['Bash'] }, shell('ls', { native_tool_name: 'Bash' })],
  ['a tool glob crosses slashes', { tool_globs: ['@db*'] }, toolEvent('@db/query', {})],
  [
    'a pattern on a string leaf',
    { pattern: '\\.py$' },
    toolEvent('WriteFile', { a: [{ path: 'x/y.py' }], z: 1 }),
  ],
  ['a pattern on a number', { pattern: '^42$' }, toolEvent('X', { n: 42 })],
  ['a pattern on a boolean', { pattern: '^true$' }, toolEvent('X', { deep: { b: true } })],
  ['a pattern on the JSON text', { pattern: '"force":true' }, toolEvent('X', { force: true })],
  ['a path glob', { path: '**/.env' }, read('/project/a/.env')],
  ['a path glob relative to the working folder', { path: 'src/**/*.ts' }, read('/project/src/a/b.ts')],
  ['a path glob on a path with dots', { path: '.env' }, read('src/../.env')],
  [
    'a path glob on one of several',
    { path: '*.md' },
    toolEvent('EditFile', { edits: [{ path: 'a.ts' }, { path: 'b/c.md' }] }),
  ],
  ['a suffix glob', { path_suffix: '*.rs' }, read('src/main.rs')],
  ['a suffix glob with folders', { path_suffix: 'src/**/*.rs' }, read('src/main.rs')],
  ['a command behind sudo', { command: '^rm\\s+-rf?\\s+/' }, shell('ls && sudo rm -rf /')],
  ['a command as words', { command: '^rm -rf' }, shell(['rm', '-rf', '/'])],
  ['a command in a list of lines', { command: '^rm' }, shell(['ls -l', 'rm x'])],
  ['raw command text', { command_text: 'rm.*/' }, shell('echo "rm /"')],
  ['raw command text by substring when the pattern is broken', { command_text: 'a(b' }, shell('x a(b')],
  ['a subject glob', { subject: 'permission_*' }, note('permission_prompt')],
  ['an absent subject is empty', { subject: '' }, note()],
  ['a star matches an absent subject', { subject: '*' }, note()],
  ['a subject pattern', { subject_pattern: '^perm' }, note('permission_prompt')],
  ['the tool is the subject of a tool event', { subject: 'Sh*' }, shell('ls')],
  ['an agent', { agents: ['a', 'b'] }, shell('ls', { agent: 'b' })],
  ['a session', { session: 's1' }, shell('ls')],
  ['a condition', { when: 'tool_input.command.contains("prod")' }, shell('deploy prod')],
  ['any', { any: [{ tool: 'X' }, { command: '^ls' }] }, shell('ls')],
  ['not', { tool: 'Shell', not: { command: '^ls' } }, shell('rm x')],
  ['not, where the excluded condition cannot apply', { not: { tool: 'Shell' } }, note()],
]

describe('it matches', () => {
  test.each(MATCHES)('%s', async (_, matcher, event) => {
    const compiled = await compileMatcher(matcher)
    expect(compiled.explain(event)).toEqual({ matched: true, because: 'every condition holds' })
    const index = createIndex(() => [{ hook: hook('h', matcher), matcher: createMatcher(matcher) }], asItIs)
    const found = await index.candidates(event)
    expect(found.filter((item) => item.matcher.rest?.(event) ?? true)).toHaveLength(1)
  })
})

const MISSES: [Matcher, HookEvent, string][] = [
  [{ tool: 'Shell' }, read('a'), 'tool is ReadFile, the hook wants Shell'],
  [
    { tool: 'Shell' },
    toolEvent('ReadFile', {}, { native_tool_name: 'Read' }),
    'tool is ReadFile / Read, the hook wants Shell',
  ],
  [{ tool_names: ['Shell', 'X'] }, read('a'), 'tool is ReadFile, the hook wants Shell or X'],
  [{ tool_names: ['shell'] }, shell('ls'), 'tool is Shell, the hook wants shell'],
  [{ tool_globs: ['mcp__*'] }, shell('ls'), 'tool is Shell, the hook wants mcp__*'],
  [{ tool: 'Shell' }, note(), 'the event has no tool, the hook wants one'],
  [{ pattern: 'x' }, note(), 'the event has no tool, the hook wants one'],
  [{ path: '**/.env' }, read('src/a.ts'), 'path src/a.ts does not match **/.env'],
  [{ path: '**/.env' }, shell('cat .env'), 'the tool touches no path'],
  [{ path_suffix: '*.rs' }, read('src/a.ts'), 'path src/a.ts does not match *.rs'],
  [{ command: '^rm' }, shell('echo "rm -rf /"'), 'no command of the line matches `^rm`'],
  [{ command: '^rm' }, read('a'), 'the tool has no command line'],
  [{ command: '^rm' }, shell(['echo', '; rm -rf /']), 'no command of the line matches `^rm`'],
  [{ command_text: 'x' }, shell('ls'), 'the command line does not match `x`'],
  [{ pattern: 'x' }, shell('ls'), "nothing in the tool's input matches `x`"],
  [{ subject: 'permission_*' }, note('idle'), 'the subject is `idle`, the hook wants permission_*'],
  [{ subject_pattern: '^x' }, note('idle'), 'the subject is `idle`, the hook wants `^x`'],
  [{ agents: ['a'] }, shell('ls', { agent: 'b' }), 'the agent is b, the hook wants a'],
  [{ agents: ['a'] }, shell('ls'), 'the agent is unknown, the hook wants a'],
  [{ session: 's2' }, shell('ls'), 'the session is s1, the hook wants s2'],
  [{ when: 'tool_name == "X"' }, shell('ls'), 'the condition `tool_name == "X"` does not hold'],
  [
    { any: [{ tool: 'X' }, { command: '^rm' }] },
    shell('ls'),
    'none of its alternatives holds (tool is Shell, the hook wants X; no command of the line matches `^rm`)',
  ],
  [{ not: { tool: 'Shell' } }, shell('ls'), 'what the hook excludes holds'],
]

describe('it does not match, and says why', () => {
  test.each(MISSES)('%j', async (matcher, event, because) => {
    const compiled = await compileMatcher(matcher)
    expect(compiled.explain(event)).toEqual({ matched: false, because })
    expect(
      compiled.tool(event.event_type === 'notification' ? null : [event.tool_name as string]) &&
        (compiled.rest?.(event) ?? true),
    ).toBe(false)
  })
})

const FAILS = { when: 'tool_input.path == "X"' }
const NO_KEY = 'the condition `tool_input.path == "X"` could not be evaluated: No such key: path'

describe('whether it matches cannot be told', () => {
  test.each<[Matcher, string]>([
    [FAILS, NO_KEY],
    [{ tool: 'Shell', ...FAILS }, NO_KEY],
    [{ any: [{ tool: 'X' }, FAILS] }, NO_KEY],
    [{ not: FAILS }, NO_KEY],
    [{ tool: '(' }, 'its matcher cannot be used: Pattern `(` is not a valid regular expression'],
    [{ pattern: '(' }, 'its matcher cannot be used: Pattern `(` is not a valid regular expression'],
  ])('%j', async (matcher, because) => {
    const compiled = await compileMatcher(matcher)
    const { matched, unjudged } = compiled.explain(shell('ls'))
    expect([matched, unjudged?.because]).toEqual([false, expect.stringContaining(because)])
    expect(compiled.tool(['Shell'])).toBe(true)
    expect(compiled.names?.failed ?? compiled.rest?.(shell('ls'))).toEqual(unjudged)
    expect(compiled.tool(null) && compiled.rest?.(note())).not.toBe(true)
  })

  test.each<Matcher>([
    { tool: 'X', ...FAILS },
    { command: '^rm', ...FAILS },
    { any: [{ tool: 'Shell' }, FAILS] },
  ])('unless another condition settles it: %j', async (matcher) => {
    expect((await compileMatcher(matcher)).explain(shell('ls')).unjudged).toBeUndefined()
  })

  test('since a check throws: it is no exception of the event', async () => {
    const { compileMatcher } = matching(MATCHER_FIELDS, {
      ...CHECKS,
      session: {
        quick: () => () => {
          throw new Error('no')
        },
      },
    })
    const compiled = await compileMatcher({ session: 's' })
    expect(compiled.rest?.(shell('ls'))).toMatchObject({ because: 'its matcher failed: no' })
  })

  test('since a library did not load: the next event tries again', async () => {
    let tries = 0
    const { createMatcher } = matching(MATCHER_FIELDS, {
      ...CHECKS,
      session: {
        async compile() {
          if (tries++ === 0) throw new Error('EMFILE')
          return () => null
        },
      },
    })
    const compiled = createMatcher({ session: 's' })
    await compiled.load(shell('ls'))
    expect(compiled.rest?.(shell('ls'))).toMatchObject({ because: expect.stringContaining('EMFILE') })
    await compiled.load(shell('ls'))
    expect(compiled.rest?.(shell('ls'))).toBe(true)
  })
})

test('problems in a matcher are told by field', async () => {
  const matcher: Matcher = {
    tool: '(',
    pattern: 'a(?=b)',
    when: '1 +',
    any: [{ command: '[' }],
    not: { subject_pattern: '\\1' },
  }
  const problems = await checkMatcher(matcher)
  expect(problems.map(({ field }) => field)).toEqual([
    'matcher.tool',
    'matcher.pattern',
    'matcher.when',
    'matcher.any[0].command',
    'matcher.not.subject_pattern',
  ])
  expect(problems[1]!.message).toContain('look-ahead')
  expect(await checkMatcher({ tool: 'Shell', command_text: '(' })).toEqual([])
})

test('a rewritten input is judged anew', async () => {
  const { rest } = await compileMatcher({ command: '^rm' })
  const event = shell('ls')
  expect(rest!(event)).toBe(false)
  expect(rest!({ ...event, tool_input: { command: 'rm x' } })).toBe(true)
})

test('a cyclic input is searched all the same', async () => {
  const input: Record<string, unknown> = { a: 'needle' }
  input.self = input
  expect((await compileMatcher({ pattern: 'needle' })).explain(toolEvent('X', input)).matched).toBe(true)
  expect((await compileMatcher({ pattern: 'missing' })).explain(toolEvent('X', input)).matched).toBe(false)
})

const asItIs = <Item>(item: Item) => item

describe('the index', () => {
  test('keeps order and answers at once when nothing has to be loaded', () => {
    const items = ['a', 'b', 'c'].map((name) => {
      const matcher: Matcher = name === 'b' ? { tool: 'ReadFile' } : { tool: 'Shell' }
      return { hook: hook(name, matcher), matcher: createMatcher(matcher) }
    })
    const found = createIndex(() => items, asItIs).candidates(shell('ls'))
    expect(Array.isArray(found) && found.map((item) => item.hook.name)).toEqual(['a', 'c'])
  })

  test('compiles no matcher of a hook for another tool', () => {
    const ranked = ['Shell', 'hell', 'ReadFile'].map((tool) => ({ hook: hook(tool, { tool }) }))
    const compiled: string[] = []
    const index = createIndex(
      () => ranked,
      ({ hook }) => {
        compiled.push(hook.name)
        return { hook, matcher: createMatcher(hook.matcher) }
      },
    )
    expect(index.candidates(shell('ls'))).toHaveLength(2)
    expect(compiled).toEqual(['Shell', 'hell'])
    expect(index.all('before_tool')).toHaveLength(3)
  })

  test('loads nothing for hooks that the event cannot concern', () => {
    const matcher: Matcher = { command: '^rm', when: 'true', agents: ['x'] }
    const index = createIndex(() => [{ hook: hook('h', matcher), matcher: createMatcher(matcher) }], asItIs)
    expect(index.candidates(read('a'))).toHaveLength(1)
    expect(index.candidates(shell('rm', { agent: 'y' }))).toHaveLength(1)
    expect(index.candidates(shell('rm', { agent: 'x' }))).toBeInstanceOf(Promise)
  })

  test('ten thousand hooks that cannot match cost little', () => {
    const items = Array.from({ length: 10_000 }, (_, n) => {
      const matcher: Matcher = { tool: `^Tool${n}$`, command: '^rm' }
      return { hook: hook(`h${n}`, matcher), matcher: createMatcher(matcher) }
    })
    const index = createIndex(() => items, asItIs)
    index.candidates(shell('ls'))
    const took = workTime(200, () => {
      for (let n = 0; n < 10_000; n++) index.candidates(shell('ls'))
    })
    expect(took).toBeLessThan(200)
  })

  test('stays right when it has seen more tools than it remembers', () => {
    const matcher: Matcher = { tool: '7$' }
    const index = createIndex(() => [{ hook: hook('h', matcher), matcher: createMatcher(matcher) }], asItIs)
    for (let n = 0; n < 2000; n++)
      expect(index.candidates(toolEvent(`T${n}`, {}))).toHaveLength(n % 10 === 7 ? 1 : 0)
  })

  test('finds what trying every hook finds', async () => {
    const names = fc.constantFrom('Shell', 'ReadFile', 'mcp__a__b', 'Bash')
    const matchers: fc.Arbitrary<Matcher> = fc.oneof(
      fc.record(
        {
          tool: fc.constantFrom('Shell', 'Read', 'Read|Bash', '^mcp__.*', 'l+', '('),
          command: fc.constantFrom('^rm', 'ls'),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        { tool_names: fc.array(names), subject: fc.constantFrom('*', 'S*', '') },
        { requiredKeys: [] },
      ),
      fc.record(
        { tool_globs: fc.array(fc.constantFrom('mcp__*', '*File')), pattern: fc.constantFrom('x', 'r.') },
        { requiredKeys: [] },
      ),
      fc.record(
        { not: fc.constant({ tool: 'Shell' }), any: fc.constant([{ tool: 'Bash' }, { pattern: 'm' }]) },
        { requiredKeys: [] },
      ),
    )
    const events = fc.record({
      type: fc.constantFrom('before_tool', 'after_tool', 'notification', 'x/Own'),
      tool: names,
      native: fc.option(names, { nil: undefined }),
      command: fc.constantFrom('rm x', 'ls', 'echo rm'),
    })
    const subscriptions = fc.uniqueArray(
      fc.constantFrom('before_tool', 'after_tool', 'notification', 'x/Own'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(matchers, subscriptions)),
        fc.array(events),
        async (given, fired) => {
          const items = given.map(([matcher, subscribed], n) => ({
            hook: hook(`h${n}`, matcher, subscribed),
            matcher: createMatcher(matcher),
          }))
          const index = createIndex((type) => items.filter(({ hook }) => hook.events.includes(type)), asItIs)
          for (const { type, tool, native, command } of fired) {
            const event = toolEvent(
              tool,
              { command },
              { event_type: type, ...(native ? { native_tool_name: native } : {}) },
            )
            const found = (await index.candidates(event)).filter(
              ({ matcher }) => !matcher.names?.failed && (matcher.rest?.(event) ?? true) === true,
            )
            const naive: string[] = []
            for (const { hook } of items)
              if (hook.events.includes(type) && (await compileMatcher(hook.matcher)).explain(event).matched)
                naive.push(hook.name)
            expect(found.map((item) => item.hook.name)).toEqual(naive)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
