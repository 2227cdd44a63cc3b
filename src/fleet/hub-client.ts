/** Requests to the hub, each signed with this machine's key. */

import type { SigningKey } from '../sign/keys.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Enrolment } from './enrolment.ts'
import { limitedBody } from './limited-body.ts'
import { authorize } from './wire/signed-request.ts'

export interface HubClient {
  /** Throws HubError when the hub refuses or is unreachable. */
  call(
    method: 'GET' | 'POST',
    path: string,
    body?: Uint8Array | string,
    signal?: AbortSignal,
  ): Promise<Buffer>
  /** Events of the hub until the connection ends. `has`: the revision and stage of this machine. */
  events(has: string, signal: AbortSignal): AsyncGenerator<HubEvent>
}

export interface HubEvent {
  /** `alive`: the heartbeat when nothing else is sent. */
  name: string
  data: string
}

export class HubError extends Error {
  readonly status: number
  /** What the hub answered. */
  readonly body: string

  constructor(message: string, status: number, body = '', cause?: unknown) {
    super(message, { cause })
    this.name = 'HubError'
    this.status = status
    this.body = body
  }
}

const CALL_LIMIT_MS = 40_000
/** The hub sends a heartbeat every 25 seconds: a connection silent for longer is dead. */
const SILENCE_LIMIT_MS = 70_000

export function createClient(
  key: SigningKey,
  { url, tenant, id }: Pick<Enrolment, 'url' | 'tenant' | 'id'>,
): HubClient {
  const base = url.replace(/\/+$/, '')
  const ask = async (method: string, path: string, body: Uint8Array | string, more: RequestInit) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const authorization = authorize(key, { tenant, edge: id }, { method, path, body: bytes })
    try {
      return await fetch(`${base}${path}`, {
        method,
        redirect: 'error',
        ...(method === 'POST' ? { body: bytes as Uint8Array<ArrayBuffer> } : {}),
        ...more,
        headers: {
          authorization,
          'accept-encoding': 'identity',
          ...(more.headers as Record<string, string> | undefined),
        },
      })
    } catch (error) {
      const cause = (error as { cause?: unknown }).cause ?? error
      throw new HubError(`The hub ${base} cannot be reached: ${messageOf(cause)}`, 0, '', error)
    }
  }
  const read = (response: Response, most: number) =>
    limitedBody(response, most).catch((error: unknown) => {
      throw new HubError(`The answer of the hub ${base} cannot be read: ${messageOf(error)}`, 0, '', error)
    })
  const refused = async (response: Response) => {
    const bytes = await read(response, MAX_REFUSAL_BYTES)
    return new HubError(refusal(base, response.status, bytes), response.status, bytes.toString('utf8'))
  }
  /** A proxy or captive portal also answers 200. */
  const checkType = ({ headers }: Response, right: readonly string[]) => {
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    if (!right.includes(type.trim().toLowerCase()))
      throw new HubError(
        `What answers at ${base} is no hub: it sends ${type === '' ? 'no content type' : type.slice(0, 100)}`,
        0,
      )
  }
  return {
    async call(method, path, body = '', signal) {
      const limit = AbortSignal.timeout(CALL_LIMIT_MS)
      const response = await ask(method, path, body, {
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      if (!response.ok) throw await refused(response)
      checkType(response, ['application/json', 'application/octet-stream'])
      return read(response, MAX_ANSWER_BYTES)
    },
    async *events(has, signal) {
      const silence = new AbortController()
      let timer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS)
      try {
        const response = await ask('GET', '/fleet/stream', '', {
          signal: AbortSignal.any([signal, silence.signal]),
          headers: { 'last-event-id': has, accept: 'text/event-stream' },
        })
        if (!response.ok) throw await refused(response)
        checkType(response, ['text/event-stream'])
        let rest = ''
        const pace = eventPace()
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
          clearTimeout(timer)
          timer = setTimeout(() => silence.abort(), SILENCE_LIMIT_MS)
          rest += chunk
          if (rest.length > MAX_EVENT_BYTES) throw new HubError('The hub sent an event that never ends.', 0)
          const blocks = rest.split('\n\n')
          rest = blocks.pop()!
          for (const block of blocks) {
            if (!pace()) throw new HubError('The hub sends more events than a machine could need.', 0)
            yield eventIn(block)
          }
        }
      } catch (error) {
        if (error instanceof HubError) throw error
        throw new HubError(`The connection to the hub ${base} ended: ${messageOf(error)}`, 0, '', error)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Characters. */
const MAX_EVENT_BYTES = 1024 * 1024
/** An archive of a policy has at most 8 MB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
const MAX_REFUSAL_BYTES = 64 * 1024
/** A policy every few seconds at most, and heartbeats: a hub that sends more is disconnected until the next attempt. */
const MAX_EVENTS_A_MINUTE = 600

/** False when there were too many within a minute. */
function eventPace(): () => boolean {
  let [since, count] = [performance.now(), 0]
  return () => {
    if (performance.now() - since > 60_000) [since, count] = [performance.now(), 0]
    return ++count <= MAX_EVENTS_A_MINUTE
  }
}

function eventIn(block: string): HubEvent {
  let name = 'alive'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7)
    else if (line.startsWith('data: ')) data.push(line.slice(6))
  }
  return { name, data: data.join('\n') }
}

function refusal(base: string, status: number, bytes: Buffer): string {
  let detail = ''
  try {
    detail = String((JSON.parse(bytes.toString('utf8')) as { detail?: unknown }).detail ?? '')
  } catch {
    // A proxy's page contains nothing useful.
  }
  return `The hub ${base} answers ${status}${detail ? `: ${detail}` : ''}`
}

/** Plain HTTP exposes policy and records on the network: only for a hub on this machine. */
export function checkHubAddress(url: string, isLoopback: (host: string) => boolean): string {
  const parsed = URL.parse(url)
  const isSafe =
    parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname))
  if (!parsed || !isSafe)
    throw new CrosshookError(
      'usage',
      `${url} is not the address of a hub that could be trusted with records`,
      {
        fix: 'Write https://HOST; http:// only goes to a hub on this machine.',
      },
    )
  return url.replace(/\/+$/, '')
}
