/** Answers of which some bytes are lost: what is left of them is not what the hook said. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assemble } from '../../src/host/assemble.ts'

let root: string
let answer: Buffer = Buffer.alloc(0)
const server = createServer((_, response) => response.end(answer))

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'answer-'))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  for (const on_failure of ['open', 'closed']) {
    const head = { description: 'd', trigger: 'before_tool', on_failure }
    hook({ name: `script-${on_failure}`, ...head }, `cat ${root}/answer`)
    hook({ name: `server-${on_failure}`, ...head, run: { http: { url } } })
  }
  put('home/.config/crosshook/config.toml', 'allowed_hosts = ["127.0.0.1"]\n')
})
afterAll(() => {
  server.close()
  rmSync(root, { recursive: true, force: true, maxRetries: 10 })
})

function put(path: string, text: string): void {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

function hook(fields: { name: string; run?: object }, script?: string): void {
  const folder = `home/.config/agents/hooks/${fields.name}`
  put(
    `${folder}/HOOK.md`,
    `---\n${JSON.stringify({ ...fields, matcher: { tool: `^${fields.name}$` } })}\n---\n`,
  )
  if (script !== undefined) put(`${folder}/scripts/run.sh`, `#!/bin/sh\n${script}\n`)
}

async function judged(tool: string, bytes: Buffer) {
  answer = bytes
  writeFileSync(join(root, 'answer'), bytes)
  const env = {
    HOME: join(root, 'home'),
    PATH: process.env.PATH,
    CROSSHOOK_MANAGED_DIR: join(root, 'none'),
    CROSSHOOK_NO_DAEMON: '1',
  }
  const assembly = assemble({ env, source: 'library', trouble: () => {} })
  try {
    const fields = { tool_name: tool, tool_input: { command: 'ls' }, session_id: 's', work_dir: root }
    const { decision, updated_input, hooks } = await assembly.fire('before_tool', fields, { env, cwd: root })
    return [decision, updated_input ?? null, hooks.map(({ status }) => status)]
  } finally {
    await assembly.close()
  }
}

const REWRITE = Buffer.from('{"decision": "allow", "updated_input": {"command": "rm caf\xe9"}}', 'latin1')

for (const by of ['script', 'server']) {
  it(`a rewrite by a ${by} that is not UTF-8 is a failure, and nothing of it reaches the agent`, async () => {
    expect(await judged(`${by}-closed`, REWRITE)).toEqual(['deny', null, ['failed']])
    expect(await judged(`${by}-open`, REWRITE)).toEqual(['allow', null, ['failed']])
  })

  it(`a refusal by a ${by} that is not UTF-8 stays one`, async () => {
    const refusal = Buffer.from('{"decision": "deny", "reason": "d\xe9fendu"}', 'latin1')
    for (const policy of ['open', 'closed'])
      expect(await judged(`${by}-${policy}`, refusal)).toEqual(['deny', null, ['blocked']])
  })

  it(`the mark for what cannot be read is a character like others where a ${by} writes it`, async () => {
    const text = Buffer.from('{"updated_input": {"command": "echo \ufffd"}}')
    expect(await judged(`${by}-closed`, text)).toEqual(['allow', { command: 'echo \ufffd' }, ['allowed']])
  })

  it(`\`null\` of a ${by} is no answer`, async () => {
    expect(await judged(`${by}-closed`, Buffer.from('null'))).toEqual(['deny', null, ['failed']])
  })
}
