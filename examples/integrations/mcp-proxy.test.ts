import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const here = import.meta.dirname
const proxy = join(here, 'mcp-proxy.ts')
const scratch = mkdtempSync(join(tmpdir(), 'crosshook-mcp-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

async function connect(agrees?: boolean) {
  const questions: string[] = []
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [proxy, '--', process.execPath, join(here, 'fixtures/notes-server.ts')],
    cwd: join(here, 'fixtures/project'),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: scratch,
      XDG_STATE_HOME: join(scratch, 'state'),
      XDG_CONFIG_HOME: join(scratch, 'config'),
      CROSSHOOK_TRUST: 'all',
    },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (data) => {
    stderr += data
  })
  const capabilities = agrees === undefined ? {} : { elicitation: {} }
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities })
  if (agrees !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message)
      return { action: agrees ? 'accept' : 'decline' }
    })
  await client.connect(transport)
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: input })
    return { texts: (content as { text: string }[]).map(({ text }) => text), isError: isError === true }
  }
  return { client, call, questions, stderr: () => stderr, [Symbol.asyncDispose]: () => client.close() }
}

test('MCP proxy: calls are denied, rewritten, hidden and commented by hooks', async () => {
  await using server = await connect()
  const { call } = server
  assert.deepEqual(await call('delete', { title: 'plans' }), {
    texts: ['Blocked by a hook: notes are kept here'],
    isError: true,
  })
  assert.deepEqual(await call('write', { title: 'plans' }), {
    texts: ['wrote drafts', 'notes live in one folder'],
    isError: false,
  })
  assert.deepEqual(await call('secret'), { texts: ['the note is ***'], isError: false })
  assert.deepEqual(await call('broken'), {
    texts: ['no such note', 'it is known to be broken'],
    isError: true,
  })
})

test('MCP proxy: what no hook decides passes as it is', async () => {
  await using server = await connect()
  const { tools } = await server.client.listTools()
  assert.equal(tools.length, 7)
  const { messages } = await server.client.getPrompt({ name: 'tidy' })
  assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Tidy the notes.' } }])
  assert.deepEqual((await server.client.callTool({ name: 'count' })).structuredContent, { notes: 3 })
  assert.equal(server.client.getServerVersion()?.name, 'notes')
})

test('MCP proxy: the person is asked through the agent, and an agent that cannot ask means no', async () => {
  for (const [agrees, texts] of [
    [true, ['sent plans']],
    [false, ['Blocked by a hook: nobody agreed to it: send this note?']],
    [undefined, ['Blocked by a hook: nobody agreed to it: send this note?']],
  ] as const) {
    await using server = await connect(agrees)
    assert.deepEqual((await server.call('send', { title: 'plans' })).texts, texts)
    assert.deepEqual(server.questions, agrees === undefined ? [] : ['send this note?'])
  }
})

test('MCP proxy: a cancelled call is cancelled at the server', { timeout: 60_000 }, async () => {
  await using server = await connect()
  const leaving = new AbortController()
  const call = server.client.callTool({ name: 'wait' }, undefined, {
    signal: leaving.signal,
    onprogress: () => leaving.abort(),
  })
  await assert.rejects(call)
  while (!server.stderr().includes('the server heard that it was cancelled')) await setTimeout(20)
  assert.equal((await server.call('secret')).isError, false)
})

test('MCP proxy: says how it is used', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [proxy, 'no-dashes'], { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^usage: node mcp-proxy\.ts/)
})
