import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadDialect } from '../dialects/list.ts'
import { assemble } from '../host/assemble.ts'

const DIALECTS = join(import.meta.dirname, '../dialects')

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'derive-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))

/** A hook that says what it was given, and counts. */
function put(name: string, front = '', script = ''): void {
  const dir = join(home, '.config/agents/hooks', name)
  mkdirSync(join(dir, 'scripts'), { recursive: true })
  writeFileSync(
    join(dir, 'HOOK.md'),
    `---\nname: ${name}\ndescription: Tells that the context is nearly full.\ntrigger: context_warning\n${front}---\n`,
  )
  const tells = `#!/bin/sh\ncat > "$HOME/${name}.json"\necho x >> "$HOME/${name}.runs"\nprintf '{"additional_context":["${name} speaks"],"user_message":"${name} warns"}'\n`
  writeFileSync(join(dir, 'scripts/run.sh'), script || tells, { mode: 0o755 })
}

function settings(text: string): void {
  const file = join(home, '.config/crosshook/config.toml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const runs = (name: string) => text(`${name}.runs`).split('\n').length - 1
const given = (name: string) => JSON.parse(text(`${name}.json`))
function text(name: string): string {
  try {
    return readFileSync(join(home, name), 'utf8')
  } catch {
    return ''
  }
}

/** The largest recorded transcript of an agent, copied, so that a test may go on writing it. */
function recorded(id: string): string {
  const folder = join(DIALECTS, id, 'fixtures/transcripts')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  const path = join(home, `${id}.jsonl`)
  writeFileSync(path, files.sort((a, b) => b.length - a.length)[0]!)
  return path
}

/** The last record that says what a request took, written once more with another number. */
function goesOn(id: string, path: string, tokens: number): void {
  const field = {
    codex: 'input_tokens',
    'claude-code': 'input_tokens',
    'gemini-cli': 'input',
    'qwen-code': 'promptTokenCount',
    copilot: 'inputTokens',
    'grok-build': 'totalTokens',
  }[id]!
  const last = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"${field}"`) && !line.includes('turn_completed'))
    .at(-1)!
  appendFileSync(path, `${last.replaceAll(new RegExp(`"${field}":\\s*\\d+`, 'g'), `"${field}":${tokens}`)}\n`)
}

async function call(id: string, event: string, path: string, session = 's-1') {
  const told: string[] = []
  const runtime = assemble({
    env: { HOME: home, PATH: process.env.PATH },
    source: 'hook',
    trouble: (line) => told.push(line),
  })
  const native = {
    ...{ session_id: session, sessionId: session, cwd: home, hook_event_name: event, transcript_path: path },
    ...{ tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: 'x', prompt: 'go on' },
    ...{
      toolName: 'bash',
      toolArgs: { command: 'ls' },
      toolResult: { resultType: 'success', textResultForLlm: 'x' },
    },
  }
  const reply = await runtime.handle({ agent: id, event, cwd: home, read: () => JSON.stringify(native) })
  const records = runtime.journal().list({ event: 'context_warning' })
  await runtime.close()
  return { said: reply.stdout, told, records }
}

describe('a hook for a warning that the agent does not give', () => {
  it.each([
    ['codex', 'PostToolUse', 230_000, 258_400],
    ['codex', 'UserPromptSubmit', 230_000, 258_400],
    ['claude-code', 'PostToolUse', 180_000, 200_000],
    ['gemini-cli', 'AfterTool', 180_000, 200_000],
    ['qwen-code', 'PostToolUse', 180_000, 200_000],
    ['grok-build', 'PostToolUse', 180_000, 200_000],
  ])(
    '%s: runs at %s when the transcript says that the context is so full',
    async (id, event, tokens, limit) => {
      put('warns')
      settings('[context]\nlimits = { "*" = 200000 }\n')
      const path = recorded(id)
      expect(await call(id, event, path)).toMatchObject({ records: [] })
      expect(runs('warns')).toBe(0)
      goesOn(id, path, tokens)
      const { said, records } = await call(id, event, path)
      expect(said).toContain('warns speaks')
      const {
        token_count: count,
        token_limit,
        usage_percent: percent,
        context,
        model,
        usage,
      } = given('warns')
      expect(token_limit).toBe(limit)
      expect(count).toBeGreaterThanOrEqual(tokens)
      expect(percent).toBe(Math.floor((100 * count) / limit))
      expect(usage.total_tokens).toBe(count)
      expect(typeof model).toBe('string')
      expect(context.recent_tools).toContain('Shell')
      expect(records).toHaveLength(1)
      expect(records[0]).toMatchObject({ agent: id, event: 'context_warning', decision: 'allow' })
      expect(records[0]!.derived).toBe(
        `from the transcript, at ${event}: ${count} of ${limit} tokens (${percent} %)`,
      )
    },
  )

  it('is found where the transcript lies by the name of the session', async () => {
    put('warns')
    const path = join(home, '.copilot/session-state/s-1/events.jsonl')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, readFileSync(recorded('copilot')))
    goesOn('copilot', path, 120_000)
    expect((await call('copilot', 'postToolUse', path)).said).toContain('warns speaks')
    expect(given('warns')).toMatchObject({ token_limit: 128_000, usage_percent: 93 })
  })

  it('runs once each time the mark is reached, in each session', async () => {
    put('warns')
    const path = recorded('codex')
    const at = async (tokens: number, session?: string) => {
      goesOn('codex', path, tokens)
      await call('codex', 'PostToolUse', path, session)
      return runs('warns')
    }
    expect(await at(250_000)).toBe(1)
    expect(await at(251_000)).toBe(1)
    expect(await at(20_000)).toBe(1)
    expect(await at(252_000)).toBe(2)
    expect(await at(253_000, 'another')).toBe(3)
  })

  it('runs once when two calls see it at the same time', async () => {
    put('warns')
    const path = recorded('codex')
    goesOn('codex', path, 250_000)
    await Promise.all([1, 2, 3, 4, 5].map(() => call('codex', 'PostToolUse', path)))
    expect(runs('warns')).toBe(1)
  })

  it('may wait for a mark of its own, in percent or in tokens', async () => {
    put('early', 'matcher:\n  usage_percent: 40\n')
    put('late', 'matcher:\n  usage_percent: 95\n')
    put('counts', 'matcher:\n  token_count: 100000\n')
    const path = recorded('codex')
    goesOn('codex', path, 90_000)
    await call('codex', 'PostToolUse', path)
    expect([runs('early'), runs('late'), runs('counts')]).toEqual([0, 0, 0])
    goesOn('codex', path, 110_000)
    await call('codex', 'PostToolUse', path)
    expect([runs('early'), runs('late'), runs('counts')]).toEqual([1, 0, 1])
    goesOn('codex', path, 250_000)
    await call('codex', 'PostToolUse', path)
    expect([runs('early'), runs('late'), runs('counts')]).toEqual([1, 1, 1])
  })

  it('waits for the percentage of the settings when it names none', async () => {
    put('warns')
    settings('[context]\nwarn_percent = 30\n')
    const path = recorded('codex')
    goesOn('codex', path, 100_000)
    await call('codex', 'PostToolUse', path)
    expect(runs('warns')).toBe(1)
  })

  it('stops nothing, and approves nothing', async () => {
    put('denies', '', '#!/bin/sh\necho "too full" >&2\nexit 2\n')
    const path = recorded('codex')
    goesOn('codex', path, 250_000)
    const { said, records } = await call('codex', 'UserPromptSubmit', path)
    expect(said).toContain('too full')
    expect(said).not.toMatch(/"decision":"block"|"continue":false/)
    expect(records[0]).toMatchObject({ decision: 'deny' })
  })

  it('that fails is told of, and kept', async () => {
    put('fails', '', '#!/bin/sh\nexit 7\n')
    const path = recorded('codex')
    goesOn('codex', path, 250_000)
    const { said, records } = await call('codex', 'PostToolUse', path)
    expect(said).toContain('hook \\"fails\\" failed')
    expect(records[0]!.hooks[0]).toMatchObject({ name: 'fails', status: 'failed' })
  })

  it('hears nothing in a subagent: the warning is for the session', async () => {
    put('warns')
    const path = recorded('codex')
    goesOn('codex', path, 250_000)
    const runtime = assemble({ env: { HOME: home, PATH: process.env.PATH }, source: 'hook' })
    const native = {
      session_id: 's-1',
      cwd: home,
      hook_event_name: 'PostToolUse',
      transcript_path: path,
      agent_id: 'sub-1',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_response: 'x',
    }
    await runtime.handle({
      agent: 'codex',
      event: 'PostToolUse',
      cwd: home,
      read: () => JSON.stringify(native),
    })
    await runtime.close()
    expect(runs('warns')).toBe(0)
  })
})

describe('what cannot be known', () => {
  it('is told once a session: how many tokens fit into the context', async () => {
    put('warns')
    const path = recorded('claude-code')
    goesOn('claude-code', path, 190_000)
    const first = await call('claude-code', 'PostToolUse', path)
    expect(runs('warns')).toBe(0)
    expect(first.said).toContain('does not say how many tokens fit')
    expect(first.said).toContain('claude-sonnet-4-5')
    expect(first.records).toEqual([])
    const second = await call('claude-code', 'PostToolUse', path)
    expect(second.said + second.told.join()).not.toContain('tokens fit')
  })

  it('keeps no hook waiting that counts tokens', async () => {
    put('warns', 'matcher:\n  token_count: 150000\n')
    const path = recorded('claude-code')
    goesOn('claude-code', path, 190_000)
    const { said, records } = await call('claude-code', 'PostToolUse', path)
    expect(said).not.toContain('tokens fit')
    expect(given('warns').usage_percent).toBeUndefined()
    expect(records[0]!.derived).toMatch(/^from the transcript, at PostToolUse: \d+ tokens$/)
  })

  it('is told after some calls when no transcript can be read, and never before the first answer', async () => {
    put('warns')
    const said = async (event: string) => (await call('codex', event, '/nowhere/t.jsonl')).said
    const heard = [await said('UserPromptSubmit'), await said('PostToolUse'), await said('PostToolUse')]
    expect(heard.join('')).not.toContain('cannot be known')
    expect(await said('PostToolUse')).toContain('cannot be known in Codex (its transcript cannot be read')
    expect(await said('PostToolUse')).not.toContain('cannot be known')
  })
})

it('a transcript is not opened when nobody listens', async () => {
  const { said, told, records } = await call('codex', 'PostToolUse', '/nowhere/t.jsonl')
  expect([said, told, records]).toEqual(['', [], []])
})

it('every event that carries a derived one takes what hooks say to the model', async () => {
  const ids = readdirSync(DIALECTS, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'lib' && entry.name !== 'fixtures',
  )
  for (const { name } of ids) {
    const { agent } = await loadDialect(name)
    for (const [event, { at }] of Object.entries(agent?.derives ?? {})) {
      expect(Object.values(agent!.capabilities).map((each) => each.event)).not.toContain(event)
      expect(agent!.history).toBeDefined()
      for (const native of at)
        expect(agent!.capabilities[native]?.effects, `${name} ${native}`).toContain('additional_context')
    }
  }
})
