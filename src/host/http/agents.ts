/** `POST /v1/agents/{agent}/{event}`: for agents that call their hooks over HTTP. */

import type { Reply } from '../../spec/dialect.ts'
import type { Core } from '../core.ts'
import { Refusal } from '../problem.ts'
import { readTrace } from '../trace.ts'
import { readBody } from './body.ts'
import { eventEnvironment } from './event-environment.ts'
import type { RouteContext } from './routes.ts'

/** stderr cannot be part of a body that the agent reads as its answer. */
const MAX_STDERR_CHARS = 4096

export async function handleAgent(core: Core, c: RouteContext): Promise<Response> {
  const text = await payload(core, c)
  const trace = readTrace((name) => c.req.header(name))
  const reply = await core.handle({
    agent: c.req.param('agent')!,
    read: () => text,
    event: c.req.param('event')!,
    cwd: c.req.header('x-crosshook-work-dir') ?? process.cwd(),
    gone: () => whenGone(c.env.outgoing),
    env: environment(core, c),
    ...(trace === undefined ? {} : { context: { ...trace } }),
  })
  const headers = new Headers({
    'content-type': isJson(reply.stdout) ? 'application/json' : 'text/plain; charset=utf-8',
    'x-crosshook-exit-code': String(reply.exit_code),
  })
  if (reply.stderr !== '')
    headers.set(
      'x-crosshook-stderr',
      encodeURIComponent(reply.stderr.slice(0, MAX_STDERR_CHARS).toWellFormed()),
    )
  return new Response(reply.stdout.trim() === '' ? wordless(reply) : reply.stdout, { headers })
}

/** Bytes that are no text are the agent's payload all the same: hooks refuse it, while an agent may go on after a 400. */
async function payload(core: Core, c: RouteContext): Promise<string> {
  const { eventBytes: bytes, bodyTimeout: timeout } = core.options.limits
  try {
    return await readBody(c.env.incoming, { bytes, timeout })
  } catch (error) {
    if (error instanceof Refusal && error.problem.code === 'not_utf8') return NOT_TEXT
    throw error
  }
}

/** What decoders put in the place of such bytes. It is no JSON. */
const NOT_TEXT = '\ufffd'

/** Aborts when the agent closes the connection before the answer. */
function whenGone(outgoing: RouteContext['env']['outgoing']): AbortSignal {
  const gone = new AbortController()
  if (outgoing.destroyed && !outgoing.writableFinished) gone.abort()
  outgoing.once('close', () => outgoing.writableFinished || gone.abort())
  return gone.signal
}

/** The text for a block that an agent only knows by exit code: an empty answer would let the call pass. */
function wordless({ exit_code, stderr }: Reply): string {
  return exit_code === 2 ? JSON.stringify({ decision: 'block', reason: stderr.trim() }) : '{}'
}

/** The agent's environment, as far as the request has it. The path, not the environment, says who calls. */
function environment(core: Core, c: RouteContext): NodeJS.ProcessEnv {
  const env = eventEnvironment(core, c.env.incoming)
  const depth = c.req.header('x-crosshook-depth')
  return /^\d+$/.test(depth ?? '') ? { ...env, CROSSHOOK_DEPTH: depth } : env
}

function isJson(text: string): boolean {
  const start = text.trimStart()[0]
  return start === undefined || start === '{' || start === '['
}
