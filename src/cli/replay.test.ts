import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createJudge } from '../history/judge-call.ts'
import { readHistory } from '../history/read.ts'
import { type Replay, replay } from '../history/replay.ts'
import { openJournal } from '../journal/sqlite/open.ts'
import { HOOK_DEFAULTS, type Hook } from '../spec/hook.ts'
import { html } from './replay-html.ts'
import { sarif } from './replay-sarif.ts'
import { words } from './replay-words.ts'

const PLAIN = { red: same, green: same, yellow: same, dim: same, bold: same }
function same(text: string): string {
  return text
}

const DENY: Hook = {
  ...HOOK_DEFAULTS,
  name: 'deny-all',
  format: 'agenthooks',
  scope: 'source',
  events: ['before_tool'],
  run: { type: 'outcome', outcome: { decision: 'deny', reason: 'no <b>way</b>' } },
  origin: { file: 'x' },
}

/** Every way to print what became of one call of each input. */
async function outputs(
  inputs: readonly Record<string, unknown>[],
): Promise<{ texts: string[]; report: Replay }> {
  const home = mkdtempSync(join(tmpdir(), 'replay-'))
  const file = join(home, 'x.jsonl')
  const lines = inputs.map((input, i) => {
    const content = [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input }]
    return JSON.stringify({
      type: 'assistant',
      uuid: `${i}`,
      sessionId: 's',
      cwd: '/x',
      message: { content },
    })
  })
  writeFileSync(file, `${lines.join('\n')}\n`)
  const env = { HOME: home }
  const journal = openJournal(join(home, 'state'))
  const report = await replay(readHistory({ env, journal, transcripts: [file] }), {
    judge: createJudge({ env, hooks: [DENY] }),
  })
  journal.close()
  const since = new Date(0)
  return {
    report,
    texts: [
      JSON.stringify(report),
      JSON.stringify(sarif(report)),
      html(report, since),
      words(report, PLAIN, since),
    ],
  }
}

test('a report on calls with secrets holds none of them', async () => {
  const secrets = [`ghp_${'a1B2c3D4e5F6'.repeat(3)}`, `AKIA${'Q7RSTUVWXYZ23456'}`, 'hunter2-is-my-password']
  const { texts, report } = await outputs([
    { command: `curl -H "Authorization: Bearer ${secrets[0]}" https://example.com` },
    { command: `AWS_ACCESS_KEY_ID=${secrets[1]} aws s3 ls` },
    { command: `mysql --password=${secrets[2]} -e 'select 1'` },
  ])
  expect(report.changed).toHaveLength(3)
  for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret)
})

test('text of a model stays text: no tag in HTML, no control character on the terminal', async () => {
  const { texts } = await outputs([{ command: `echo '<script>alert(1)</script>' "\u001b[31mred\u0007"` }])
  const [json, , page, terminal] = texts as [string, string, string, string]
  expect(json).toContain('<script>')
  expect(page).not.toContain('<script')
  expect(page).not.toContain('<b>way')
  expect(page).toContain('&lt;script&gt;')
  expect(terminal).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
})

test('calls that are alike are one group', async () => {
  const { report } = await outputs([{ command: 'rm -rf a/b' }, { command: 'rm -rf c/d' }, { command: 'ls' }])
  expect(report.groups.map(({ like, calls }) => [like, calls])).toEqual([
    ['rm -rf PATH', 2],
    ['ls', 1],
  ])
  expect(report.friction).toEqual({ days: 1, asks_per_day: 0, denies_per_day: 3 })
  expect(report.hooks).toMatchObject([{ hook: 'deny-all', applied: 3, denied: 3, unasked: 0 }])
})

test('SARIF has a rule for each hook and a place for each result', async () => {
  const { report } = await outputs([{ command: 'rm -rf a/b' }])
  expect(sarif(report)).toMatchObject({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'crosshook', rules: [{ id: 'deny-all' }] } },
        results: [
          {
            ruleId: 'deny-all',
            level: 'error',
            locations: [
              { physicalLocation: { artifactLocation: { uri: expect.stringMatching(/^file:.*x\.jsonl$/) } } },
            ],
          },
        ],
      },
    ],
  })
})
