import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assemble } from '../host/assemble.ts'

const DIALECTS = join(import.meta.dirname, '../dialects')

/** A hook that asks, and one that does not; both write down what they were given. */
function home(when = ''): string {
  const folder = mkdtempSync(join(tmpdir(), 'facts-'))
  for (const [name, front] of [
    ['asks', `facts: true\n${when}`],
    ['silent', ''],
  ]) {
    const dir = join(folder, '.config/agents/hooks', name!, 'scripts')
    mkdirSync(dir, { recursive: true })
    writeFileSync(
      join(dir, '../HOOK.md'),
      `---\nname: ${name}\ndescription: Writes down what it is given.\ntrigger: before_tool\n${front}---\n`,
    )
    writeFileSync(join(dir, 'run.sh'), `#!/bin/sh\ncat > "$HOME/${name}.json"\n`, { mode: 0o755 })
  }
  return folder
}

async function call(id: string, HOME: string, native: Record<string, unknown>, event: string) {
  const runtime = assemble({ env: { HOME, PATH: process.env.PATH }, source: 'library' })
  await runtime.handle({ agent: id, event, cwd: HOME, read: () => JSON.stringify(native) })
  await runtime.close()
  const given = (name: string) => {
    try {
      return JSON.parse(readFileSync(join(HOME, `${name}.json`), 'utf8'))
    } catch {
      return undefined
    }
  }
  return { asks: given('asks'), silent: given('silent') }
}

/** The largest recorded transcript of an agent: that of its main session. */
function transcript(id: string): string {
  const folder = join(DIALECTS, id, 'fixtures/transcripts')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => join(entry.parentPath, entry.name))
  return files.sort((a, b) => readFileSync(b).length - readFileSync(a).length)[0]!
}

const bash = { session_id: 's-1', cwd: '/', tool_name: 'Bash', tool_input: { command: 'ls' } }

describe('a hook that asks is told what the transcript says', () => {
  it.each([
    ['claude-code', 'PreToolUse', 'claude-sonnet-4-5', 120],
    ['codex', 'PreToolUse', 'gpt-5.5', 110],
    ['qwen-code', 'PreToolUse', 'fake-model', 110],
    ['gemini-cli', 'BeforeTool', 'gemini-2.5-flash', 105],
    ['droid', 'PreToolUse', 'custom:fake-model', null],
    ['grok-build', 'PreToolUse', 'fake-model', 112],
  ])('%s', async (id, event, model, total) => {
    const HOME = home()
    const native = { ...bash, hook_event_name: event, transcript_path: transcript(id) }
    const { asks } = await call(id, HOME, native, event)
    expect(asks.model).toBe(model)
    expect(asks.usage?.total_tokens ?? null).toBe(total)
    expect(asks.context.recent_tools).toContain('Shell')
    expect(asks.context.unknown).toEqual(
      total === null ? { usage: 'its transcript does not say it' } : undefined,
    )
  })

  it('also where the agent does not say where it is, but the name of the file follows from the session', async () => {
    const HOME = home()
    cpSync(transcript('copilot'), join(HOME, '.copilot/session-state/s-1/events.jsonl'), { recursive: true })
    const { asks } = await call(
      'copilot',
      HOME,
      { sessionId: 's-1', cwd: '/', toolName: 'bash', toolArgs: {} },
      'preToolUse',
    )
    expect(asks).toMatchObject({
      model: 'fake-model',
      usage: { total_tokens: 110 },
      context: { token_limit: 128_000 },
    })
  })
})

describe('what cannot be known', () => {
  it('is null, with the reason', async () => {
    const { asks } = await call('kimi-code', home(), { ...bash, hook_event_name: 'PreToolUse' }, 'PreToolUse')
    expect([asks.model, asks.usage]).toEqual([null, null])
    expect(asks.context.unknown.usage).toContain('does not say where')
    const gone = { ...bash, hook_event_name: 'PreToolUse', transcript_path: '/nowhere/t.jsonl' }
    const { asks: again } = await call('claude-code', home(), gone, 'PreToolUse')
    expect(again.context.unknown.model).toContain('cannot be read')
  })

  it('is never waited for: a pipe in place of the file', async () => {
    const native = { ...bash, hook_event_name: 'PreToolUse', transcript_path: '/dev/tty' }
    const { asks } = await call('claude-code', home(), native, 'PreToolUse')
    expect(asks.model).toBeNull()
  })
})

describe('a transcript', () => {
  it('is read from its end, whatever stands before and however it ends', async () => {
    const HOME = home()
    const file = join(HOME, 't.jsonl')
    const said = (model: string) =>
      `${JSON.stringify({ type: 'assistant', message: { model, usage: { input_tokens: 5, output_tokens: 2 }, content: [] } })}\n`
    writeFileSync(
      file,
      `${said('old')}${JSON.stringify({ type: 'user', text: 'x'.repeat(600_000) })}\n${said('new')}`,
    )
    appendFileSync(file, '{"type":"assistant","message":{"model":"cut')
    const native = { ...bash, hook_event_name: 'PreToolUse', transcript_path: file }
    const { asks } = await call('claude-code', HOME, native, 'PreToolUse')
    expect(asks).toMatchObject({ model: 'new', usage: { prompt_tokens: 5, total_tokens: 7 } })
  })

  it('is not opened when no hook asks', async () => {
    const HOME = home()
    writeFileSync(
      join(HOME, '.config/agents/hooks/asks/HOOK.md'),
      '---\nname: asks\ndescription: Does not ask.\ntrigger: before_tool\n---\n',
    )
    const native = { ...bash, hook_event_name: 'PreToolUse', transcript_path: transcript('claude-code') }
    const { silent } = await call('claude-code', HOME, native, 'PreToolUse')
    expect(silent.model).toBeUndefined()
    expect(silent.context.unknown).toBeUndefined()
  })

  it('can be the condition of a hook', async () => {
    const native = { ...bash, hook_event_name: 'PreToolUse', transcript_path: transcript('claude-code') }
    const above = await call('claude-code', home('when: usage.total_tokens > 100\n'), native, 'PreToolUse')
    const below = await call('claude-code', home('when: usage.total_tokens > 1000\n'), native, 'PreToolUse')
    expect([above.asks?.model, below.asks]).toEqual(['claude-sonnet-4-5', undefined])
  })
})
