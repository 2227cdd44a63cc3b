/** Payloads that say something else than what the agent is about to do: no guard may be asked the wrong question. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KnownAgent, knownAgents } from '../../src/install/known.ts'
import { samplePayload } from '../../src/install/sample-call.ts'
import { createPipeline } from '../../src/pipeline/pipeline.ts'
import { eventRow } from '../../src/spec/event.ts'

let root: string
let pipeline: ReturnType<typeof createPipeline>

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'payload-')))
  const guard = join(root, 'home/.config/agents/hooks/guard')
  mkdirSync(guard, { recursive: true })
  writeFileSync(
    join(guard, 'HOOK.md'),
    '---\nname: guard\ndescription: d\ntrigger: before_tool\nmatcher: {command: "rm -rf"}\noutcome: {decision: deny, reason: guarded}\n---\n',
  )
  const env = { HOME: join(root, 'home'), PATH: process.env.PATH, CROSSHOOK_MANAGED_DIR: join(root, 'none') }
  pipeline = createPipeline({ source: 'hook', silent: true, env })
})
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))

async function said(agent: string, event: string, text: string): Promise<string> {
  const { stdout, stderr, exit_code } = await pipeline.handle({ agent, event, cwd: root, read: () => text })
  return `${exit_code} ${stdout}${stderr}`
}

const guardedEvents = ({ agent, dialect }: KnownAgent) =>
  Object.keys(agent.capabilities).filter((event) => {
    const type = [dialect.events[event] ?? ''].flat()[0]!
    return agent.capabilities[event]!.deny && type === 'before_tool' && eventRow(type).tool
  })

describe('the payload of another event than the entry’s', async () => {
  const agents = (await knownAgents()).filter((agent) => guardedEvents(agent).length > 0)

  it.each(agents.map((agent) => [agent.id, agent] as const))('is refused for %s', async (id, agent) => {
    for (const event of guardedEvents(agent)) {
      const others = Object.keys(agent.agent.capabilities).filter((other) => other !== event)
      for (const other of others) {
        const payload = samplePayload(agent, other, root, 's')
        const decoded = agent.agent.decode(JSON.parse(payload), { event, env: {}, cwd: root })
        // Where a payload names no event, or the entry decides, the input of a tool must be there.
        if (decoded.native_event === event && decoded.tool_name !== undefined) continue
        expect([other, await said(id, event, payload)]).toEqual([
          other,
          expect.stringContaining('no hook can judge'),
        ])
      }
    }
  })
})

const CALL = { session_id: 's', tool_name: 'Bash', tool_input: { command: 'rm -rf /' } }

describe('an entry of Claude Code’s PreToolUse', () => {
  const heard = (payload: unknown) =>
    said('claude-code', 'PreToolUse', typeof payload === 'string' ? payload : JSON.stringify(payload))

  it.each(['pretooluse', 'PreToolUse ', 'NoSuchEvent', 'toString', '__proto__', '', 5, null, ['Stop']])(
    'judges the call although the payload calls its event %j',
    async (hook_event_name) => {
      expect(await heard({ ...CALL, hook_event_name })).toContain('guarded')
    },
  )

  it.each([
    ['another event', JSON.stringify({ ...CALL, hook_event_name: 'Notification' })],
    [
      'an input that is named twice',
      `{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"tool_input":{"command":"ls"}}`,
    ],
    [
      'a command that is named twice',
      `{"tool_name":"Bash","tool_input":{"command":"rm -rf /","\\u0063ommand":"ls"}}`,
    ],
    ['an input of another spelling', '{"tool_name":"Bash","toolInput":{"command":"rm -rf /"}}'],
    ['two values', `${JSON.stringify(CALL)}\n${JSON.stringify({ ...CALL, tool_input: { command: 'ls' } })}`],
    ['a value that is not ended', JSON.stringify(CALL).slice(0, -1)],
  ])('refuses %s', async (_, text) => {
    expect(await heard(text)).toContain('no hook can judge')
  })

  it.each([
    ['a byte order mark', `\ufeff${JSON.stringify(CALL)}`],
    ['line ends of Windows', JSON.stringify(CALL, null, 2).replaceAll('\n', '\r\n')],
    ['a depth of 5,000', `{"deep":${'['.repeat(5000)}${']'.repeat(5000)},${JSON.stringify(CALL).slice(1)}`],
    [
      'a depth of 5,000 in its input',
      `{"tool_name":"Bash","tool_input":{"command":"rm -rf /","x":${'[{"a":'.repeat(2500)}1${'}]'.repeat(2500)}}}`,
    ],
    ['a number without end', `{"n":1e999,"m":${'9'.repeat(400)},${JSON.stringify(CALL).slice(1)}`],
    ['half a character', JSON.stringify({ ...CALL, tool_input: { command: 'rm -rf / \ud800' } })],
    ['a NUL', JSON.stringify({ ...CALL, tool_input: { command: 'rm -rf /\0' } })],
    ['a folder that is a file', JSON.stringify({ ...CALL, cwd: '/etc/passwd' })],
    ['a folder that is not there', JSON.stringify({ ...CALL, cwd: '/no/such/folder' })],
    ['a folder that is relative', JSON.stringify({ ...CALL, cwd: '../..' })],
    ['a folder with a NUL', JSON.stringify({ ...CALL, cwd: '/tmp/\0' })],
  ])('judges a call with %s', async (_, text) => {
    expect(await heard(text)).toMatch(/guarded|cannot check|no hook can judge/)
  })
})
