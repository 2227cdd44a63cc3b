import { describe, expect, test } from 'vitest'
import { inNoTime } from '../../test/work-time.ts'
import type { HookEvent } from '../spec/event.ts'
import type { Matcher } from '../spec/matcher.ts'
import { checkMatcher, compileMatcher, createMatcher } from './match.ts'

const call = (tool_name: string, tool_input: Record<string, unknown>) =>
  ({
    event_type: 'before_tool',
    session_id: 's',
    work_dir: '/home/me/project',
    tool_name,
    tool_input,
  }) as unknown as HookEvent
const shell = (command: string) => call('Shell', { command })

async function holds(matcher: Matcher, event: HookEvent): Promise<boolean> {
  return (await compileMatcher(matcher)).explain(event).matched
}

describe('conditions on acts', () => {
  test.each<[Matcher, HookEvent, boolean]>([
    [{ does: ['delete'] }, shell('rm x'), true],
    [{ does: ['delete'] }, shell('ls x'), false],
    [{ does: ['delete', 'write'] }, call('WriteFile', { path: 'x', content: '' }), true],
    [{ does: ['delete'], path: 'src/**' }, shell('rm src/a.ts'), true],
    [{ does: ['delete'], path: 'src/**' }, shell('cd src && rm a.ts'), true],
    [{ does: ['delete'], path: '*.ts' }, shell('rm src/a.ts'), true],
    [{ does: ['delete'], path: 'src/**' }, shell('cat src/a.ts; rm b.ts'), false],
    [{ does: ['read'], place: ['secret'] }, shell('cat .env'), true],
    [{ does: ['read'], place: ['secret'] }, call('ReadFile', { path: '.env' }), true],
    [{ does: ['delete'], place: ['secret'] }, shell('cat .env; rm x'), false],
    [{ does: ['write'], place: ['outside', '!temp'] }, shell('echo > /tmp/x'), false],
    [{ does: ['write'], place: ['outside', '!temp'] }, shell('echo > /opt/x'), true],
    [{ does: ['connect'], host: ['*.example.org'] }, shell('curl https://a.example.org/x'), true],
    [{ does: ['connect'], host: ['*', '!*.example.org'] }, shell('curl https://a.example.org/x'), false],
    [{ does: ['connect'], host: ['!*.example.org'] }, shell('curl https://example.com/x'), true],
    [{ does: ['run'], program: ['git'] }, shell('sudo git status'), true],
    [{ does: ['connect'], program: ['git'] }, shell('git status; curl https://example.org'), false],
    [{ program: ['g?t'] }, shell('git status'), true],
    [{ does: ['write'], program: ['!git'] }, call('WriteFile', { path: 'x', content: '' }), true],
    [{ does: ['write'], program: ['*'] }, call('WriteFile', { path: 'x', content: '' }), false],
    [{ does: ['run'], program: ['!git'] }, shell('git status'), false],
    [{ place: ['secret'] }, shell('cat .env'), true],
    [{ does: ['delete'], certain: true }, shell('rm x'), true],
    [{ does: ['delete'], certain: true }, shell('rm $x'), false],
    [{ does: ['unknown'] }, shell('eval "$x"'), true],
    [
      { does: ['delete'] },
      { event_type: 'session_start', session_id: 's', work_dir: '/' } as unknown as HookEvent,
      false,
    ],
  ])('%j', async (matcher, event, wanted) => {
    expect(await holds(matcher, event)).toBe(wanted)
  })

  test('path keeps its meaning without does', async () => {
    expect(await holds({ path: 'x' }, shell('cat x'))).toBe(false)
    expect(await holds({ path: 'x' }, call('ReadFile', { path: 'x' }))).toBe(true)
  })

  test('a rewritten input has other acts', async () => {
    const matcher = await compileMatcher({ does: ['delete'] })
    const event = shell('rm x')
    expect(matcher.explain(event).matched).toBe(true)
    expect(matcher.explain({ ...event, tool_input: { command: 'ls' } }).matched).toBe(false)
  })

  test('a call that was not followed to its end cannot be judged, unless what was followed matches', async () => {
    const long = `rm x; ${'echo x y;'.repeat(50_000)}`
    const explained = async (matcher: Matcher) => {
      const compiled = await compileMatcher(matcher)
      return inNoTime(() => compiled.explain(shell(long)))
    }
    const { unjudged } = await explained({ does: ['delete'], place: ['root'] })
    expect([unjudged?.because, unjudged?.isLate]).toEqual([expect.stringContaining('smaller calls'), true])
    expect((await explained({ does: ['delete'] })).matched).toBe(true)
    const not = await explained({ does: ['delete'], not: { does: ['delete'], place: ['root'] } })
    expect(not.unjudged).toBeDefined()
  })

  test('a key in the text is found by those who ask for it', async () => {
    const event = call('WriteFile', { path: 'x', content: `ghp_${'a1B2c3D4e5F6'.repeat(3)}` })
    expect(await holds({ does: ['reveal_secret'] }, event)).toBe(true)
    expect(await holds({ place: ['text'] }, event)).toBe(true)
    expect(await holds({ does: ['reveal_secret'], place: ['secret'] }, event)).toBe(false)
  })

  test('a reason says what the call does', async () => {
    const { because } = (await compileMatcher({ does: ['delete'] })).explain(shell('cat notes'))
    expect(because).toContain('run, read')
  })

  test('once the acts are loaded, conditions wait for the turn of their hook', async () => {
    await compileMatcher({ does: ['delete'] })
    const given: Matcher = { does: ['delete'], host: ['x'], path: 'src/**' }
    let reads = 0
    const matcher = Object.defineProperty({ ...given }, 'does', {
      enumerable: true,
      get: () => ++reads && given.does,
    })
    const compiled = createMatcher(matcher)
    expect(compiled.load(shell('rm src/a'))).toBeNull()
    const before = reads
    expect(compiled.rest!(shell('rm src/a'))).toBe(false)
    expect(reads).toBeGreaterThan(before)
    expect(createMatcher({ does: ['delete'], path: 'src/**' }).rest!(shell('rm src/a'))).toBe(true)
    const { load } = createMatcher({ does: ['delete'], path: '!(src)/**' })
    expect(load(shell('rm src/a'))).toBeInstanceOf(Promise)
  })

  test('a glob that cannot be compiled is a problem', async () => {
    const braces = '{a,b}'.repeat(12)
    expect(await checkMatcher({ does: ['read'], path: braces })).toMatchObject([
      { message: expect.stringContaining('alternatives') },
    ])
  })
})
