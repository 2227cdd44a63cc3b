import { expect, test } from 'vitest'
import { standIn } from './claims.ts'

const PROBLEM = {
  level: 'error',
  file: '/h/guard/HOOK.md',
  line: 3,
  message: 'Wrong.',
  fix: 'Mend it.',
} as const
const made = (text: string | undefined, scope: 'user' | 'managed' = 'user') =>
  standIn('/h/guard/HOOK.md', scope, PROBLEM, text)

test.each([
  '---\nname: a\ntrigger: before_tool\non_failure: closed\n',
  '---\nname: a\ntrigger: before_tool\non_failure: clo',
  '---\nname: a\ntrigger: before_tool\non_failure:',
  '---\nname: a\ntrigger: before_tool\non_failure: close\n---\n',
  '---\nname: [\ntrigger: "before_tool"\n"on_failure": "closed"\n---\n',
  '---\n{name: a, trigger: before_tool, on_failure: closed, timeout: }\n---\n',
  '---\r\nname: a\r\ntrigger: pre-tool-call\r\non_failure: closed # always\r\ntimeout: 5\r\n---\r\n',
])('%j claims to fail closed, at its trigger', (text) => {
  expect(made(text)).toMatchObject({ on_failure: 'closed', events: ['before_tool'] })
})

test.each([
  '---\nname: a\ntrigger: before_tool\n',
  '---\nname: a\ntrigger: before_tool\non_failure: open\n---\n',
  '---\nname: a\ntrigger: before_tool\ntimeout: 1\n---\nWrite on_failure: closed to block.\n',
  '---\nname: a\ntrigger: before_tool\nasync: true\non_failure: closed\ntimeout: 1\n---\n',
])('%j does not', (text) => {
  expect(made(text)).toMatchObject({ on_failure: 'open', events: ['before_tool'] })
})

test('a hook with an unreadable trigger blocks every event that a deny can stop', () => {
  for (const text of [undefined, '', '---\ntrigger: befor', 'no frontmatter']) {
    const { events } = made(text)
    expect(events).toEqual(expect.arrayContaining(['before_tool', 'before_agent']))
    expect(events).not.toContain('after_tool')
  }
})

test('a broken hook of the machine always blocks, and the reason names the file, the error and the fix', () => {
  expect(made(undefined, 'managed')).toMatchObject({
    name: 'guard',
    on_failure: 'closed',
    broken: '/h/guard/HOOK.md:3: Wrong. Mend it.',
  })
})

test('a disabled hook stays disabled', () => {
  expect(made('---\nname: a\nenabled: false\ntimeout: 1\n---\n').disabled).toBe(true)
})
