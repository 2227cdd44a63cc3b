import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TranscriptPlace } from '../spec/history.ts'
import { createTally } from './reading.ts'
import { expectedCalls, homeOf, readCalls, recorded } from './testing.ts'
import { historians, transcriptCalls } from './transcripts.ts'

const AGENTS = recorded()

test('fourteen agents write transcripts that can be read', async () => {
  expect((await historians()).map(({ id }) => id)).toEqual(AGENTS)
  expect(AGENTS).toHaveLength(14)
})

describe.each(AGENTS)('%s', (id) => {
  test('its recorded transcripts give the calls that hooks saw', async () => {
    const { calls, reading } = await readCalls(id, await homeOf(id))
    expect(calls).toEqual(expectedCalls(id))
    expect(reading).toMatchObject({ unreadable: 0, left_out: [] })
    expect(new Set(calls.map(({ tool }) => tool))).toContain('Shell')
    expect(calls.map(({ ended }) => ended)).toContain('ran')
  })

  test('its transcripts are known by what is in them, wherever they lie', async () => {
    const home = await homeOf(id)
    const [{ history }] = (await historians([id])) as [Awaited<ReturnType<typeof historians>>[number]]
    const [{ folder }] = history.places({ home, env: {} }) as unknown as [TranscriptPlace]
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'))
    cpSync(folder, elsewhere, { recursive: true })
    const tally = createTally()
    const agents = new Map<string | undefined, number>()
    for await (const { event } of transcriptCalls({ home, env: {}, tally, paths: [elsewhere] }))
      agents.set(event.agent, (agents.get(event.agent) ?? 0) + 1)
    expect([...agents]).toEqual([[id, expectedCalls(id)!.length]])
  })
})

async function read(home: string) {
  const tally = createTally()
  const calls = []
  for await (const call of transcriptCalls({ home, env: {}, tally, agents: ['claude-code'] }))
    calls.push(call)
  return { calls, tally }
}

async function claude() {
  const home = await homeOf('claude-code')
  const folder = join(home, '.claude/projects/-home-dev-project')
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl'))!)
  return { home, folder, file, count: expectedCalls('claude-code')!.length }
}

function callLine(input: unknown): string {
  const message = { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'Bash', input }] }
  return `${JSON.stringify({ type: 'assistant', sessionId: 's', cwd: '/x', message })}\n`
}

describe('a hostile transcript', () => {
  test('with a line of 40 MiB: it is counted, and the lines after it are read', async () => {
    const { home, file, count } = await claude()
    appendFileSync(
      file,
      `{"type": "assistant", "x": "${'x'.repeat(40 * 1024 * 1024)}"}\n${callLine({ command: 'ls' })}`,
    )
    const { calls, tally } = await read(home)
    expect(calls).toHaveLength(count + 1)
    expect(tally.unreadable).toBe(1)
    expect(tally.left_out).toEqual([{ reason: 'a line is longer than 32 MiB', count: 1, example: file }])
  })

  test('nested a million levels deep', async () => {
    const { home, file, count } = await claude()
    const deep = 1_000_000
    appendFileSync(
      file,
      callLine({}).replace(
        '"input":{}',
        `"input":{"command":"ls","x":${'['.repeat(deep)}${']'.repeat(deep)}}`,
      ),
    )
    const { calls, tally } = await read(home)
    expect(calls).toHaveLength(count)
    expect(tally.unreadable).toBe(1)
  })

  test('with NULs, half a letter and no end', async () => {
    const { home, file, count } = await claude()
    appendFileSync(file, Buffer.from([0, 0, 0, 10, 0xff, 0xfe, 10]))
    appendFileSync(file, callLine({ command: 'ls\u0000 -l' }))
    appendFileSync(file, '{"type": "assistant"')
    const { calls, tally } = await read(home)
    expect(calls).toHaveLength(count + 1)
    expect(tally.unreadable).toBe(3)
  })

  test('with values of other types than any version writes', async () => {
    const { home, file, count } = await claude()
    for (const message of [
      null,
      5,
      'x',
      [],
      { content: 5 },
      { content: [null, 5, {}] },
      { content: [{ type: 'tool_use' }] },
    ])
      appendFileSync(
        file,
        `${JSON.stringify({ type: 'assistant', sessionId: {}, cwd: [], timestamp: 9, message })}\n`,
      )
    appendFileSync(file, callLine('a text'))
    appendFileSync(file, callLine(null))
    const { calls } = await read(home)
    expect(calls.length).toBeGreaterThanOrEqual(count)
    for (const { event } of calls) expect(typeof event.tool_input === 'object').toBe(true)
  })

  test('that is a link, a pipe or a link to a folder: it is left out, and said so', async () => {
    const { home, folder, count } = await claude()
    const outside = mkdtempSync(join(tmpdir(), 'outside-'))
    writeFileSync(join(outside, 'secret.jsonl'), callLine({ command: 'cat /etc/shadow' }))
    symlinkSync(join(outside, 'secret.jsonl'), join(folder, 'link.jsonl'))
    symlinkSync(outside, join(folder, 'folder'))
    execFileSync('mkfifo', [join(folder, 'pipe.jsonl')])
    const { calls, tally } = await read(home)
    expect(calls).toHaveLength(count)
    expect(tally.left_out).toEqual(
      [
        { reason: 'it is a link', count: 1, example: join(folder, 'link.jsonl') },
        { reason: 'it is no file', count: 1, example: join(folder, 'pipe.jsonl') },
      ].sort(() => (tally.left_out[0]!.reason === 'it is a link' ? 0 : -1)),
    )
  })

  test.skipIf(process.getuid?.() !== 0)('of another user', async () => {
    const { home, folder, count } = await claude()
    const foreign = join(folder, 'foreign.jsonl')
    writeFileSync(foreign, callLine({ command: 'ls' }))
    chownSync(foreign, 12_345, 12_345)
    const { calls, tally } = await read(home)
    expect(calls).toHaveLength(count)
    expect(tally.left_out).toEqual([{ reason: 'it belongs to another user', count: 1, example: foreign }])
  })

  test('that grows while it is read: what was there at the beginning is read', async () => {
    const { home, file, count } = await claude()
    const tally = createTally()
    let seen = 0
    for await (const _ of transcriptCalls({ home, env: {}, tally, agents: ['claude-code'] })) {
      if (++seen > 10 * count) break
      appendFileSync(file, callLine({ command: 'ls' }))
    }
    expect(seen).toBeLessThanOrEqual(2 * count)
  })

  test('in which a database is none', async () => {
    const home = mkdtempSync(join(tmpdir(), 'history-'))
    mkdirSync(join(home, '.local/share/opencode'), { recursive: true })
    writeFileSync(
      join(home, '.local/share/opencode/opencode.db'),
      'not a database, but long enough to look like one'.repeat(100),
    )
    const tally = createTally()
    for await (const _ of transcriptCalls({ home, env: {}, tally, agents: ['opencode'] }))
      throw new Error('a call')
    expect(tally.left_out).toMatchObject([{ count: 1, reason: expect.stringContaining('not a database') }])
  })
})
