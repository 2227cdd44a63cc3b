/** Questions and answers over HTTP. A person answers on the page; services and approvers authenticate each request. */

import { streamSSE } from 'hono/streaming'
import { type Given, GRANT_MS } from '../../ask/answer.ts'
import { type GrantScope, type Question, SCOPES } from '../../ask/question.ts'
import type { Questions } from '../../ask/questions.ts'
import { isWaitedFor } from '../../ask/waiter.ts'
import { LOCAL } from '../../ask/who.ts'
import { CrosshookError } from '../../spec/errors.ts'
import type { Core } from '../core.ts'
import { parseObject, readBody } from './body.ts'
import type { RouteContext } from './routes.ts'

const HEARTBEAT_MS = 15_000
const MAX_BODY_BYTES = 64 * 1024
const BODY_TIMEOUT_MS = 10_000
/** The longest grant that a person can give on the page. */
const MAX_GRANT_SECONDS = 30 * 24 * 3600

export async function getApprovals(core: Core, c: RouteContext): Promise<Response> {
  const { desk } = await core.frontDesk.get()
  return c.json({ approvals: openQuestions(desk.questions) })
}

/** `waits` is false when the process that asked was killed and nobody has asked the same again. */
function openQuestions(questions: Questions): (Question & { waits: boolean })[] {
  return questions.open().map((question) => ({ ...question, waits: isWaitedFor(question) }))
}

export async function getApproval(core: Core, c: RouteContext): Promise<Response> {
  const { questions } = (await core.frontDesk.get()).desk
  const id = c.req.param('id')!
  const question = questions.get(id)
  if (!question) throw new CrosshookError('not_found', `there is no question "${id}"`)
  return c.json({ ...question, answer: questions.answerOf(id) ?? null })
}

/** Answer of a person who is signed in on the page. */
export async function postAnswer(core: Core, c: RouteContext): Promise<Response> {
  const id = c.req.param('id')!
  const given = answerOf(parseObject(await body(c), FIX))
  return c.json((await core.frontDesk.get()).answer(id, given))
}

const FIX = 'Send {"decision": "allow" or "deny", "digest": that of the question, "words": "…"}.'

/** The digest covers what the page showed. */
function answerOf({ decision, words, scope = 'once', seconds, digest }: Record<string, unknown>): Given {
  if ((decision !== 'allow' && decision !== 'deny') || typeof digest !== 'string')
    throw new CrosshookError('bad_input', 'the answer lacks a decision or the digest', { fix: FIX })
  if (!SCOPES.includes(scope as GrantScope))
    throw new CrosshookError('bad_input', `the scope must be ${SCOPES.join(', ')}`)
  const isLength = typeof seconds === 'number' && seconds > 0 && seconds <= MAX_GRANT_SECONDS
  return {
    decision,
    digest,
    ...(typeof words === 'string' ? { words } : {}),
    scope: scope as GrantScope,
    lasts: isLength ? seconds * 1000 : GRANT_MS,
    by: LOCAL,
    via: 'page',
  }
}

/** For services and approvers elsewhere: the request itself proves who sent it. */
export async function postChannelAnswer(core: Core, c: RouteContext): Promise<Response> {
  const desk = await core.frontDesk.get()
  const { headers } = c.env.incoming
  const known = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
  const { result, reply } = await desk.receive(c.req.param('channel')!, {
    headers: known,
    body: await body(c),
  })
  return c.json(reply ?? result)
}

export async function getGrants(core: Core, c: RouteContext): Promise<Response> {
  return c.json({ grants: (await core.frontDesk.get()).desk.grants.list() })
}

export async function deleteGrant(core: Core, c: RouteContext): Promise<Response> {
  const id = c.req.param('id')!
  if (!(await core.frontDesk.get()).desk.grants.revoke(id))
    throw new CrosshookError('not_found', `there is no grant "${id}"`)
  return c.json({ revoked: id })
}

/** Sends all open questions again at each change. */
export async function getApprovalStream(core: Core, c: RouteContext): Promise<Response> {
  const desk = await core.frontDesk.get()
  return streamSSE(c, async (stream) => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const send = () =>
      void stream.writeSSE({ event: 'approvals', data: JSON.stringify(openQuestions(desk.desk.questions)) })
    const stop = desk.watch(send)
    const beat = setInterval(() => void stream.writeSSE({ event: 'heartbeat', data: '{}' }), HEARTBEAT_MS)
    stream.onAbort(end)
    core.closing.addEventListener('abort', () => end())
    try {
      send()
      await over
    } finally {
      clearInterval(beat)
      stop()
    }
  })
}

async function body(c: RouteContext): Promise<string> {
  return readBody(c.env.incoming, { bytes: MAX_BODY_BYTES, timeout: BODY_TIMEOUT_MS })
}
