/** One's own webhook: questions go out signed, answers come back as signed requests. */

import { CrosshookError } from '../../spec/errors.ts'
import type { OpenChannel } from '../channel.ts'
import { requireSecret } from '../channel-secrets.ts'
import { post } from '../post.ts'
import type { Answer, Question } from '../question.ts'
import { SCOPES } from '../question.ts'
import { signedHeaders, verifySigned } from '../standard-webhooks.ts'

export const open: OpenChannel = ({ settings, secrets, answerUrl }) => {
  const url = settings.webhook?.url
  if (url === undefined) return undefined
  const send = async (type: string, { id }: Question, data: object) => {
    const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data })
    await post(url, body, signedHeaders(requireSecret(secrets, 'webhook'), `${id}-${type}`, body))
  }
  return {
    tell: (question) => send('approval.asked', question, { ...question, answer_url: answerUrl ?? null }),
    over: (question, answer) => send('approval.answered', question, outcomeOf(question, answer)),
    flood: (question) => send('approval.flood', question, question),
    receive(request) {
      verifySigned(requireSecret(secrets, 'webhook'), request)
      const { id, decision, words, digest, scope } = dataOf(request.body)
      return { id, given: { decision, words, digest, scope, by: 'webhook', via: 'webhook' } }
    },
  }
}

const ANSWER = 'approval.answer'

function outcomeOf({ id }: Question, { decision, by, via, at, words }: Answer): object {
  return { id, decision, by, via, at, words }
}

interface Data {
  id: string
  decision: 'allow' | 'deny'
  digest: string
  words: string | undefined
  scope: (typeof SCOPES)[number] | undefined
}

/** The digest is required: the answer must say what was shown. */
function dataOf(body: string): Data {
  const fields = parse(body)
  const { id, decision, digest, words, scope } = fields
  if (typeof id !== 'string' || typeof digest !== 'string' || (decision !== 'allow' && decision !== 'deny'))
    throw new CrosshookError('bad_input', 'the answer lacks id, decision or digest', {
      fix: 'Send {"data": {"id": "…", "decision": "allow" or "deny", "digest": that of the question, "words": "…"}}.',
    })
  return {
    id,
    decision,
    digest,
    words: typeof words === 'string' ? words : undefined,
    scope: SCOPES.find((each) => each === scope),
  }
}

function parse(body: string): Record<string, unknown> {
  try {
    const { type, data } = JSON.parse(body) as { type?: unknown; data?: unknown }
    // Our own question, signed with the same secret and sent back, is not an answer.
    if ((type ?? ANSWER) === ANSWER && typeof data === 'object' && data !== null)
      return data as Record<string, unknown>
  } catch {
    // reported below
  }
  throw new CrosshookError('bad_input', `the answer is no JSON object with the type "${ANSWER}" and \`data\``)
}
