import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Replay } from '../../history/replay.ts'
import { place, runningDaemon } from '../testing.ts'

/** A home with a transcript of two calls, one of which a guard would stop. */
function withTranscript() {
  const at = place()
  const home = at.env.HOME!
  const folder = join(home, '.claude/projects/x')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 's1.jsonl')
  const lines = ['git push --force', 'ls'].map((command, i) => {
    const content = [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command } }]
    return JSON.stringify({
      type: 'assistant',
      uuid: `${i}`,
      sessionId: 's1',
      cwd: '/x',
      message: { content },
    })
  })
  writeFileSync(file, `${lines.join('\n')}\n`)
  const hook = join(at.env.XDG_CONFIG_HOME ?? join(home, '.config'), 'agents/hooks/no-force')
  mkdirSync(hook, { recursive: true })
  writeFileSync(
    join(hook, 'HOOK.md'),
    '---\nname: no-force\ndescription: a guard\ntrigger: before_tool\nmatcher: { does: rewrite_history }\noutcome: { decision: deny, reason: no }\n---\n',
  )
  return { at, file, home }
}

test('replay, one session and the heartbeat over HTTP', async () => {
  const { at, file, home } = withTranscript()
  const { ask } = await runningDaemon({ at })
  const { status, body } = await ask('GET', '/v1/replay?since=1h')
  expect({ status, body }).toMatchObject({ status: 200 })
  const report = body as unknown as Replay
  expect(report.coverage).toMatchObject({ calls: 2, replayed: 2, unreadable: 0 })
  expect(report.changed).toMatchObject([
    { summary: 'git push --force', before: 'allow', after: 'deny', hook: 'no-force', file },
  ])
  expect((await ask('GET', `/v1/replay/session?file=${encodeURIComponent(file)}`)).body).toMatchObject({
    agent: 'claude-code',
    calls: [{ summary: 'git push --force' }, { summary: 'ls' }],
  })
  expect((await ask('GET', '/v1/heartbeat')).body).toEqual({ agents: [] })
  for (const path of [
    join(home, '.ssh/id_rsa'),
    '/etc/passwd',
    join(home, '.claude/projects/../../.ssh/x.jsonl'),
    '',
  ])
    expect((await ask('GET', `/v1/replay/session?file=${encodeURIComponent(path)}`)).status).toBe(404)
  expect((await ask('GET', '/v1/replay?since=--help')).status).toBe(400)
  expect((await ask('GET', '/v1/replay?since=soon')).status).toBe(409)
  expect((await ask('GET', '/v1/replay?agent=../x')).status).toBe(400)
})
