import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCases, runHook } from './testing.ts'

const base = mkdtempSync(join(tmpdir(), 'crosshook-testing-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))
let count = 0

test('runHook fires one event at one hook and gives the whole result', async () => {
  const folder = hook({ script: 'echo "in $(basename "$PWD"): $WORD" >&2; exit 2' })
  const result = await runHook(
    folder,
    { event_type: 'PreToolUse', tool_name: 'Shell' },
    { env: { WORD: 'no' } },
  )
  expect(result).toMatchObject({ event_type: 'before_tool', decision: 'deny', reason: 'in work: no' })
  expect(result.hooks).toHaveLength(1)
})

test('every kind of expectation holds and fails as it should', async () => {
  const folder = hook({
    script: `echo '{"decision": "ask", "reason": "Really?", "updated_input": {"path": "b"}, "additional_context": "Mind the gap."}'
echo hello > made.txt`,
    cases: `
- name: all of it
  event: before_tool
  expect:
    decision: ask
    reason: /^really\\?$/i
    updated_input: { path: b }
    additional_context: [Mind, gap]
    stop: null
    retry: null
    status: allowed
    exit_code: 0
    error: null
    warnings: []
    files: { made.txt: hello, other.txt: null }
- name: none of it
  event: before_tool
  expect:
    decision: deny
    reason: /^no/
    updated_input: { path: c }
    additional_context: null
    stop: enough
    status: blocked
    exit_code: 2
    error: broken
    warnings: loud
    files: { made.txt: bye, missing.txt: x }
`,
  })
  const [first, second] = await runCases(folder)
  expect(first).toMatchObject({ passed: true, differences: [] })
  expect(second!.differences).toEqual([
    { field: 'decision', expected: 'deny', got: 'ask' },
    { field: 'reason', expected: '/^no/', got: 'Really?' },
    { field: 'updated_input', expected: { path: 'c' }, got: { path: 'b' } },
    { field: 'additional_context', expected: null, got: ['Mind the gap.'] },
    { field: 'stop', expected: 'enough', got: null },
    { field: 'status', expected: 'blocked', got: 'allowed' },
    { field: 'exit_code', expected: 2, got: 0 },
    { field: 'error', expected: 'broken', got: null },
    { field: 'warnings', expected: 'loud', got: [] },
    {
      field: 'files',
      expected: { 'made.txt': 'bye', 'missing.txt': 'x' },
      got: { 'made.txt': 'hello\n', 'missing.txt': null },
    },
  ])
})

test('a case stops at the first step that is not as expected, and says which', async () => {
  const folder = hook({
    script: 'exit 0',
    cases: `
- name: two steps
  steps:
    - { event: before_tool, expect: { decision: allow } }
    - { event: before_tool, expect: { decision: deny } }
    - { event: before_tool, expect: { decision: allow } }
`,
  })
  expect(await runCases(folder)).toMatchObject([
    { passed: false, step: 2, differences: [{ field: 'decision' }] },
  ])
})

test('a background hook is waited for by what it writes', async () => {
  const folder = hook({
    more: 'async: true\n',
    script: 'sleep 0.3; echo done > later.txt',
    cases:
      '- { name: later, event: before_tool, expect: { status: background, files: { later.txt: done } } }',
  })
  expect(await runCases(folder)).toMatchObject([{ passed: true }])
})

test('an event the hook is not for counts as skipped', async () => {
  const folder = hook({
    script: 'exit 2',
    cases: `
- { name: other event, event: session_start, expect: { status: skipped, decision: allow } }
- { name: thought it ran, event: session_start, expect: { decision: allow } }
`,
  })
  expect((await runCases(folder)).map(({ passed }) => passed)).toEqual([true, false])
})

test.each([
  ['text', /must be a list/],
  ['[]', /at least one case/],
  ['- { event: before_tool, expect: { decision: deny } }', /needs a name/],
  ['- { name: x, expect: { decision: deny } }', /needs an event/],
  ['- { name: x, event: before_tool, expect: {} }', /expects nothing/],
  [
    '- { name: x, event: { event_type: before_tool }, tool_name: y, expect: { decision: deny } }',
    /unknown key "tool_name"/,
  ],
  [
    '- { name: x, event: before_tool, files: { ../out: y }, expect: { decision: deny } }',
    /not inside the work folder/,
  ],
  ['- { name: x, env: [a], event: before_tool, expect: { decision: deny } }', /`env` must be a mapping/],
  ['- { name: x, steps: [], event: y }', /`steps` must be a list/],
  ['- [', /not YAML/],
])('the cases %j are refused', async (cases, message) => {
  await expect(runCases(hook({ script: 'exit 0', cases }))).rejects.toThrow(message)
})

test('a hook that does not load cannot be tried, and the problem is told', async () => {
  const folder = hook({ more: 'timeout: 1\n', script: 'exit 0' })
  await expect(runHook(folder, { event_type: 'before_tool' })).rejects.toThrow(/`timeout` is 1/)
})

test('nothing is left behind', async () => {
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('crosshook-test-'))
  const before = left()
  const folder = hook({ script: 'echo "$PWD" >&2; exit 2' })
  const { reason } = await runHook(folder, { event_type: 'before_tool' })
  expect(existsSync(reason!)).toBe(false)
  expect(left().filter((name) => !before.includes(name) && reason!.includes(name))).toEqual([])
})

function hook({ script, cases, more = '' }: { script: string; cases?: string; more?: string }): string {
  const folder = join(base, `hook-${++count}`)
  mkdirSync(join(folder, 'scripts'), { recursive: true })
  writeFileSync(
    join(folder, 'HOOK.md'),
    `---\nname: hook-${count}\ndescription: A hook to try.\ntrigger: before_tool\n${more}---\n`,
  )
  writeFileSync(join(folder, 'scripts/run.sh'), `#!/bin/bash\n${script}\n`, { mode: 0o755 })
  if (cases !== undefined) writeFileSync(join(folder, 'cases.yaml'), cases)
  return folder
}
