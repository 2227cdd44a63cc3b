/** ntfy: a phone notification with buttons. The buttons write to a second topic, which is read here. */

import { messageOf } from '../../spec/errors.ts'
import { button, pressed } from '../button.ts'
import type { ChannelParts, OpenChannel } from '../channel.ts'
import type { ChannelSecrets } from '../channel-secrets.ts'
import { post } from '../post.ts'
import type { Question } from '../question.ts'

/** Pause after a broken connection. */
const AGAIN_MS = 2000
const MAX_MESSAGE_CHARS = 1500
/** Characters; ntfy itself takes messages of 4 KB. */
const MAX_LINE_CHARS = 256 * 1024
/** Others may write to the answer topic: invalid messages are reported at most this often. */
const TELL_EVERY_MS = 60_000

export const open: OpenChannel = (parts) => {
  const { settings, secrets } = parts
  const { ntfy, public_url: page } = settings
  if (!ntfy) return undefined
  const { server, topic } = placeOf(ntfy.url)
  const answers = ntfy.answers ?? `${topic}-answers`
  const headers = authorization(secrets)
  const publish = (message: object) => post(server, JSON.stringify({ topic, ...message }), headers)
  const over = new AbortController()
  let isListening = false
  const waiting = new Set<string>()
  return {
    async tell(question) {
      waiting.add(question.id)
      if (!isListening) void listen(`${server}/${answers}/json`, parts, headers, over.signal)
      isListening = true
      await publish({
        title: `${question.agent_title} asks`,
        message: messageText(question),
        priority: 4,
        tags: ['question'],
        actions: [
          ...(['allow', 'deny'] as const).map((decision) => ({
            action: 'http',
            label: decision === 'allow' ? 'Allow' : 'Deny',
            url: `${server}/${answers}`,
            method: 'POST',
            headers,
            body: button(secrets, 'ntfy', question, decision),
            clear: true,
          })),
          ...(page === undefined ? [] : [{ action: 'view', label: 'Show', url: `${page}/approvals` }]),
        ],
      })
    },
    async over(question, { decision, by }) {
      if (!waiting.delete(question.id) || by === 'ntfy') return
      await publish({
        title: `${decision === 'allow' ? 'Allowed' : 'Denied'} by ${by}`,
        message: question.summary,
        priority: 2,
      })
    },
    flood: (question) =>
      publish({
        title: `${question.agent_title} asks too much`,
        message: 'Further questions of this session are refused for a minute.',
        priority: 4,
      }),
    close: () => over.abort(),
  }
}

/** Reads the answer topic until the signal. Messages that were not made here are ignored. */
async function listen(
  url: string,
  { secrets, answer, trouble }: ChannelParts,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  let told = Number.NEGATIVE_INFINITY
  let since = `${Math.floor(Date.now() / 1000)}`
  while (!signal.aborted) {
    try {
      const response = await fetch(`${url}?since=${encodeURIComponent(since)}`, {
        headers,
        signal,
        redirect: 'error',
      })
      if (!response.ok || !response.body) throw new Error(`it answered ${response.status}`)
      for await (const line of lines(response.body)) {
        const message = parse(line)
        if (message?.event !== 'message') continue
        since = String(message.id ?? since)
        take(String(message.message ?? ''))
      }
    } catch (error) {
      if (signal.aborted) return
      trouble(`ntfy: answers cannot be read: ${messageOf(error)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref())
  }

  function take(token: string): void {
    try {
      const { id, decision, digest } = pressed(secrets, 'ntfy', token)
      answer(id, { decision, digest, by: 'ntfy', via: 'ntfy' })
    } catch (error) {
      if (performance.now() - told < TELL_EVERY_MS) return
      told = performance.now()
      trouble(`ntfy: an answer does not count: ${messageOf(error)}`)
    }
  }
}

async function* lines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n')
    text = parts.pop()!
    if (text.length > MAX_LINE_CHARS) throw new Error('a line of it never ends')
    yield* parts
  }
}

function messageText({ summary, why, work_dir, deadline }: Question): string {
  const seconds = Math.max(0, Math.round((Date.parse(deadline) - Date.now()) / 1000))
  const text = `${summary}\n${why}\n${work_dir}\nWithin ${seconds} s, or it is refused.`
  return text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text
}

function placeOf(url: string): { server: string; topic: string } {
  const { origin, pathname } = new URL(url)
  const at = pathname.lastIndexOf('/')
  return { server: `${origin}${pathname.slice(0, at)}`, topic: pathname.slice(at + 1) }
}

function authorization(secrets: ChannelSecrets): Record<string, string> {
  const token = secrets.of('ntfy')
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}
