/** Shared by executor tests: a call with plain values, and loopback servers that end with the test. */

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { HookEvent } from '../spec/event.ts'
import type { Call, HookInput, Host } from '../spec/executor.ts'
import { HOOK_DEFAULTS, type Run } from '../spec/hook.ts'

interface CallOptions {
  event?: Partial<HookEvent>
  input?: Partial<HookInput>
  host?: Partial<Host>
  timeout?: number
  signal?: AbortSignal
}

export function callOf<R extends Run>(run: R, options: CallOptions = {}): Call<R> {
  // Enough for a busy machine.
  const timeout = options.timeout ?? 30_000
  return {
    hook: {
      ...HOOK_DEFAULTS,
      name: 'under-test',
      format: 'test',
      scope: 'user',
      events: ['before_tool'],
      origin: { file: 'HOOK.md' },
      run,
    },
    run,
    event: {
      event_type: 'before_tool',
      timestamp: '2026-01-01T00:00:00Z',
      session_id: 'session-1',
      work_dir: '/nowhere',
      context: {},
      ...options.event,
    },
    input: { text: '{"event":"before_tool"}', ...options.input },
    signal: options.signal ?? AbortSignal.timeout(timeout),
    timeout,
    attempt: 1,
    host: {
      env: {},
      stateDir: () => '/nowhere',
      allowedHosts: [],
      callbacks: new Map(),
      models: {},
      debug: () => {},
      ...options.host,
    },
  }
}

/** A server on a free loopback port; closed with all its connections when the test ends. */
export async function serve(
  listener: RequestListener,
  address = '127.0.0.1',
): Promise<Server & { port: number }> {
  const server = createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, address, resolve)
  })
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return Object.assign(server, { port: (server.address() as AddressInfo).port })
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
