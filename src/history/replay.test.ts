import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from '../journal/sqlite/open.ts'
import { createJudge } from './judge-call.ts'
import { readHistory } from './read.ts'
import { replay } from './replay.ts'
import { homeOf } from './testing.ts'

/** The calls of the recorded session and of its subagent. */
const CALLS = 15

/** A home folder with the recorded session of an agent in it, and guards. */
async function home(guards: Record<string, string>) {
  const folder = await homeOf('claude-code')
  const env = { HOME: folder, PATH: '/usr/bin:/bin' }
  const project = join(folder, '.claude/projects/-home-dev-project')
  const transcript = join(project, readdirSync(project).find((name) => name.endsWith('.jsonl'))!)
  for (const [name, more] of Object.entries(guards)) {
    const hook = join(folder, '.config/agents/hooks', name)
    mkdirSync(hook, { recursive: true })
    writeFileSync(
      join(hook, 'HOOK.md'),
      `---\nname: ${name}\ndescription: a guard\ntrigger: before_tool\n${more}---\n`,
    )
  }
  const journal = openJournal(join(folder, '.local/state/crosshook'))
  const history = (more: Partial<Parameters<typeof readHistory>[0]> = {}) =>
    readHistory({ env, journal, ...more })
  return { folder, env, transcript, journal, history }
}

const NO_RM = 'matcher:\n  does: delete\noutcome:\n  decision: deny\n  reason: nothing is deleted\n'

test('calls of a transcript are judged by the hooks of today', async () => {
  const { env, history } = await home({ 'no-rm': NO_RM })
  const report = await replay(history(), { judge: createJudge({ env }) })
  expect(report.coverage).toMatchObject({ calls: CALLS, replayed: CALLS, partial: 0, unreadable: 0 })
  expect(report.decisions.deny).toBeGreaterThan(0)
  // The guard of then refused it, too: nothing changed.
  expect(report.changed.filter(({ summary }) => summary === 'rm -rf victim')).toEqual([])
  expect(report.changed).toContainEqual({
    agent: 'claude-code',
    session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    at: expect.stringMatching(/^2026-.*Z$/),
    tool: 'Shell',
    summary: 'echo closed > closed.txt',
    before: 'deny',
    after: 'allow',
    hook: null,
    reason: null,
    file: expect.stringMatching(/\.jsonl$/),
  })
})

test('broken lines are counted, and the rest is read', async () => {
  const { env, history, transcript } = await home({})
  appendFileSync(transcript, '{"type": "assistant", "message": {"cont\nnot json\n[]\n\n')
  const { coverage } = await replay(history(), { judge: createJudge({ env }) })
  expect(coverage).toMatchObject({ calls: CALLS, replayed: CALLS, partial: 0, unreadable: 3 })
})

test('a program is not run, and the call counts as partly judged', async () => {
  const { env, folder, history } = await home({
    script: 'matcher:\n  tool: Shell\nrun:\n  command: touch "$HOME/ran"\n',
  })
  const { coverage } = await replay(history(), { judge: createJudge({ env }) })
  expect(coverage.partial).toBeGreaterThan(5)
  expect(coverage.replayed + coverage.partial).toBe(coverage.calls)
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

test('two sets of hooks are compared with each other', async () => {
  const { env, history, folder } = await home({ 'no-rm': NO_RM })
  const before = createJudge({ env, hooks: [] })
  const judge = createJudge({ env, sources: [{ path: join(folder, '.config/agents/hooks') }] })
  const { changed, decisions } = await replay(history(), { judge, before })
  expect(changed.map((each) => [each.summary, each.before, each.after, each.hook])).toEqual([
    ['rm -rf victim', 'allow', 'deny', 'no-rm'],
    ['rm -rf sub-victim', 'allow', 'deny', 'no-rm'],
  ])
  expect(decisions).toEqual({ allow: CALLS - 2, ask: 0, deny: 2 })
})
