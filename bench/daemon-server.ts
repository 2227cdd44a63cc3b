/** The two servers that `daemon.ts` compares, each in a process of its own: `node daemon-server.ts bare|daemon`. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_LOG } from '../src/host/log.ts'
import { daemonOptions } from '../src/host/options.ts'
import { startDaemon } from '../src/host/serve.ts'
import { HOOK_DEFAULTS, type Hook } from '../src/spec/hook.ts'

const say = (port: number, token: string) => process.stdout.write(`${JSON.stringify({ port, token })}\n`)

if (process.argv[2] === 'bare') {
  const text = JSON.stringify({ event_type: 'before_tool', decision: 'allow', reason: null, hooks: [] })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const server = createServer((_request, response) => response.writeHead(200, headers).end(text))
  server.listen(0, '127.0.0.1', () => say((server.address() as AddressInfo).port, ''))
} else {
  const root = mkdtempSync(join(tmpdir(), 'crosshook-bench-'))
  process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  process.once('SIGTERM', () => process.exit(0))
  const env = Object.fromEntries(
    [
      'HOME',
      'XDG_CONFIG_HOME',
      'XDG_STATE_HOME',
      'XDG_CACHE_HOME',
      'XDG_RUNTIME_DIR',
      'CROSSHOOK_MANAGED_DIR',
    ].map((name) => [name, join(root, name)]),
  )
  const hooks = Array.from({ length: 50 }, (_, i) => hook(i === 0 ? 'Shell' : `Other${i}`))
  const { status } = await startDaemon({ ...(await daemonOptions(env)), log: NO_LOG, hooks })
  say(Number(new URL(status.http).port), readFileSync(status.token_file, 'utf8').trim())
}

function hook(tool: string): Hook {
  return {
    ...HOOK_DEFAULTS,
    name: `guard-${tool}`,
    format: 'agenthooks',
    scope: 'sdk',
    events: ['before_tool'],
    matcher: { tool_names: [tool] },
    run: { type: 'callback', name: tool, call: () => undefined },
    origin: { file: '' },
  }
}
