import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { logLines } from './log.ts'
import { createPipeline } from './pipeline.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'answer-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const payload = () =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    cwd: folder,
  })

test('an agent gets its answer although a file is broken, and people are told what does not run', async () => {
  const good = join(folder, 'good.json')
  const bad = join(folder, 'bad.json')
  writeFileSync(good, '{"hooks": [{"id": "a", "event": "PreToolUse", "response": {"action": "block"}}]}')
  writeFileSync(bad, '{"schema_version": 1, "hooks": {"pre_tool_use": [{"name": "k"}]}}')
  const said: string[] = []
  const pipeline = createPipeline({
    env: { HOME: folder, CROSSHOOK_MANAGED_DIR: join(folder, 'managed') },
    source: 'hook',
    sources: [{ path: bad }, { path: good }],
    trouble: (sentence) => said.push(sentence),
  })
  const call = { agent: 'claude-code', cwd: folder, read: payload }
  expect((await pipeline.answer(call)).stdout).toContain('Blocked by hook')
  pipeline.close()
  expect(said).toEqual([expect.stringContaining(`${bad}:1: executor must be an object`)])
})

test('what is cut off on its way is refused and told of, whatever its size; nothing at all is not', async () => {
  const said: string[] = []
  const pipeline = createPipeline({
    env: { HOME: folder, CROSSHOOK_MANAGED_DIR: join(folder, 'managed') },
    source: 'hook',
    trouble: (sentence) => said.push(sentence),
  })
  const reply = (read: () => string | Buffer) =>
    pipeline.answer({ agent: 'claude-code', event: 'PreToolUse', cwd: folder, read })
  const large = JSON.stringify({ tool_name: 'Write', tool_input: { content: 'x'.repeat(2_000_000) } })
  for (const read of [() => payload().slice(0, -1), () => Buffer.from(large.slice(0, -1))])
    expect((await reply(read)).stdout).toContain('"permissionDecision":"deny"')
  expect((await reply(() => '')).stdout).toBe('')
  expect(await reply(payload)).toMatchObject({ stdout: '', exit_code: 0 })
  pipeline.close()
  expect(said).toEqual([
    expect.stringContaining('Claude Code sent'),
    expect.stringMatching(/sent 20000\d\d characters that are not JSON/),
  ])
})

test('the log for people holds no secret and does not grow without end', () => {
  const log = join(folder, 'hook.log')
  writeFileSync(log, 'x'.repeat(5 * 1024 * 1024))
  logLines(folder, ['token=abc123', 'all is well'])
  expect(readFileSync(log, 'utf8')).toMatch(/^\S+Z token=\[REDACTED:token:[0-9a-f]{6}\]\n\S+Z all is well\n$/)
  expect(statSync(`${log}.old`).size).toBe(5 * 1024 * 1024)
})
