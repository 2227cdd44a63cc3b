import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { logLines } from './hook-log.ts'
import { createPipeline } from './pipeline.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'answer-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

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

test('a truncated or empty payload is refused and reported, whatever its size', async () => {
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
  expect((await reply(() => '')).stdout).toContain('"permissionDecision":"deny"')
  expect(await reply(payload)).toMatchObject({ stdout: '', exit_code: 0 })
  pipeline.close()
  expect(said).toEqual([
    expect.stringContaining('Claude Code sent'),
    expect.stringMatching(/sent 20000\d\d characters that are not JSON/),
    expect.stringContaining('Claude Code sent'),
  ])
})

/** A pipeline with the user's hooks, each given as its HOOK.md below the name and a script. */
function guarded(hooks: Record<string, { fields: string; script?: string }>) {
  for (const [name, { fields, script }] of Object.entries(hooks)) {
    const dir = join(folder, 'config/agents/hooks', name)
    mkdirSync(join(dir, 'scripts'), { recursive: true })
    writeFileSync(join(dir, 'HOOK.md'), `---\nname: ${name}\ndescription: d\n${fields}\n---\n`)
    if (script !== undefined) writeFileSync(join(dir, 'scripts/run.sh'), `#!/bin/sh\n${script}\n`)
  }
  return createPipeline({
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      CROSSHOOK_MANAGED_DIR: join(folder, 'managed'),
    },
    source: 'hook',
  })
}

const DENIED = expect.stringContaining('"permissionDecision":"deny"')

test('a payload that hooks cannot judge is denied where a hook guards the event', async () => {
  const pipeline = guarded({
    guard: { fields: 'trigger: before_tool\nmatcher: {tool: Nothing}\noutcome: {}' },
  })
  const reply = async (sent: unknown, event = 'PreToolUse') =>
    (
      await pipeline.answer({
        agent: 'claude-code',
        event,
        cwd: folder,
        read: () => (Buffer.isBuffer(sent) || sent === '' ? sent : JSON.stringify(sent)),
      })
    ).stdout
  const tool_input = { command: 'ls' }
  for (const sent of [
    '',
    [],
    null,
    5,
    true,
    'text',
    {},
    { tool_input },
    { tool_name: 7, tool_input },
    { tool_name: 'Bash', tool_input: 'rm -rf /' },
    { tool_name: 'Bash', tool_input: ['rm'] },
    { tool_name: 'Bash', tool_input: { command: 5 } },
    { tool_name: 'Bash', tool_input: { command: { a: 1 } } },
    { tool_name: 'Write', tool_input: { file_path: ['a'], content: '' } },
    Buffer.from('{"tool_name": "Bash", "tool_input": {"command": "rm \xff"}}', 'latin1'),
  ])
    expect(await reply(sent), JSON.stringify(sent)).toEqual(DENIED)
  for (const sent of [
    { tool_name: 'Bash', tool_input },
    { tool_name: 'mcp__a__b' },
    { tool_name: 'X', tool_input: null },
  ])
    expect(await reply(sent), JSON.stringify(sent)).toBe('')
  expect(await reply('', 'PostToolUse')).toBe('')
  pipeline.close()
})

test('an internal error denies the event where that is possible', async () => {
  const pipeline = guarded({})
  const broken = () => {
    throw new Error('stdin is larger than 256 MiB')
  }
  const call = { agent: 'claude-code', cwd: folder, read: broken }
  expect((await pipeline.answer({ ...call, event: 'PreToolUse' })).stdout).toEqual(DENIED)
  expect(await pipeline.answer({ ...call, event: 'SessionEnd' })).toMatchObject({ stdout: '', exit_code: 1 })
  expect(await pipeline.answer({ ...call, agent: 'nobody' })).toMatchObject({ stdout: '', exit_code: 1 })
  pipeline.close()
})

test('a hook that fails open is told to the agent: as context, else as a message; one that fails closed denies', async () => {
  const before = 'trigger: before_tool\nmatcher: {tool: Shell}'
  const pipeline = guarded({
    cut: { fields: before, script: `printf '{"decision": "deny"'` },
    exits: { fields: before, script: 'echo secret words >&2; exit 3' },
    slow: { fields: `${before}\ntimeout: 100`, script: 'sleep 5' },
    stop: { fields: 'trigger: before_stop', script: 'exit 3' },
    closed: {
      fields: 'trigger: before_tool\nmatcher: {tool: WriteFile}\non_failure: closed',
      script: 'echo x',
    },
  })
  const reply = async (sent: object) =>
    (await pipeline.answer({ agent: 'claude-code', cwd: folder, read: () => JSON.stringify(sent) })).stdout
  const said = await reply({
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  })
  expect(said).not.toContain('permissionDecision')
  const context = JSON.parse(said).hookSpecificOutput.additionalContext as string
  expect(context.split('\n')).toEqual([
    expect.stringMatching(/^crosshook: hook "cut" failed and checked nothing: .*is not JSON/),
    'crosshook: hook "exits" failed and checked nothing: it ended with exit code 3',
    'crosshook: hook "slow" failed and checked nothing: timed out after 100 ms',
  ])
  expect(JSON.parse(await reply({ hook_event_name: 'Stop' }))).toEqual({
    systemMessage: 'crosshook: hook "stop" failed and checked nothing: it ended with exit code 3',
  })
  const denied = await reply({
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: 'a' },
  })
  expect(denied).toEqual(DENIED)
  pipeline.close()
})

test('a hook that does not load blocks its event when it claims to fail closed, else it is told and recorded', async () => {
  const pipeline = guarded({
    loose: { fields: 'trigger: before_tool\ntimeout: 5' },
    strict: { fields: 'trigger: before_agent\non_failure: closed\ntimeout: 5' },
    off: { fields: 'trigger: before_tool\nenabled: false\noutcome: {decision: deny}' },
  })
  const reply = async (sent: object) =>
    JSON.parse(
      (await pipeline.answer({ agent: 'claude-code', cwd: folder, read: () => JSON.stringify(sent) })).stdout,
    )
  const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } }
  expect((await reply(call)).hookSpecificOutput).toEqual({
    hookEventName: 'PreToolUse',
    additionalContext: expect.stringMatching(/^crosshook: hook "loose" does not load.*loose\/HOOK\.md:5:/),
  })
  const prompt = await reply({ hook_event_name: 'UserPromptSubmit', prompt: 'x' })
  expect(prompt).toMatchObject({ decision: 'block', reason: expect.stringContaining('strict/HOOK.md:6') })
  const { hooks } = await pipeline.fire('before_tool', { work_dir: folder })
  expect(hooks).toMatchObject([
    { name: 'off', status: 'skipped', skipped: 'disabled' },
    { name: 'loose', status: 'skipped', skipped: 'invalid', error: expect.stringContaining('HOOK.md:5') },
  ])
  pipeline.close()
})

test('the log for people holds no secret and does not grow without end', () => {
  const log = join(folder, 'hook.log')
  writeFileSync(log, 'x'.repeat(5 * 1024 * 1024))
  logLines(folder, ['token=abc123', 'all is well'])
  expect(readFileSync(log, 'utf8')).toMatch(/^\S+Z token=\[REDACTED:token:[0-9a-f]{6}\]\n\S+Z all is well\n$/)
  expect(statSync(`${log}.old`).size).toBe(5 * 1024 * 1024)
})
