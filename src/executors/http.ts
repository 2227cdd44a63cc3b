/** Posts the event to a public server. Never connects to an address that is not allowed. */

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import type { Call, Executor, RawResult } from '../spec/executor.ts'
import type { Run } from '../spec/hook.ts'
import { parseJson } from '../spec/json.ts'
import { type Failure, failure, isFailure } from '../spec/outcome.ts'
import {
  HOW_TO_ALLOW,
  hostOf,
  isAllowedHost,
  isGlobalAddress,
  originOf,
  validateTarget,
} from './http-target.ts'
import { retryAfter } from './retry-after.ts'

export type HttpRun = Extract<Run, { type: 'http' }>

/** All addresses of a host name. */
export type Lookup = (host: string) => Promise<readonly string[]>

const RESPONSE_LIMIT_BYTES = 128 * 1024
const CONNECT_LIMIT_MS = 3_000

export function createHttpExecutor({ lookup = systemLookup }: { lookup?: Lookup } = {}): Executor<HttpRun> {
  return {
    type: 'http',
    async run(call) {
      const origin = originOf(call.run.url)
      const problem = validateTarget(call.run.url, call.host.allowedHosts)
      if (problem) return failure(problem, { retryable: false })
      const target = new URL(call.run.url)
      const addresses = await resolve(call, target, lookup)
      if (isFailure(addresses)) return addresses

      // Loading it costs more than the rest, and most events need no server.
      const { openPinned } = await import('./pinned.ts')
      const connection = openPinned(addresses, Math.min(call.timeout, CONNECT_LIMIT_MS))
      try {
        const response = await connection.request({
          origin: target.origin,
          path: target.pathname + target.search,
          method: 'POST',
          headers: headersOf(call),
          body: call.input.text,
          signal: call.signal,
        })
        return await read(response, origin)
      } catch (thrown) {
        return transportFailure(thrown, call, origin)
      } finally {
        await connection.close()
      }
    },
  }
}

async function resolve(
  call: Call<HttpRun>,
  target: URL,
  lookup: Lookup,
): Promise<readonly string[] | Failure> {
  const host = hostOf(target)
  if (isIP(host)) return [host]
  let found: readonly string[]
  try {
    found = await untilAborted(lookup(target.hostname), call.signal)
  } catch (thrown) {
    return transportFailure(thrown, call, target.origin, 'its host name could not be resolved')
  }
  if (found.length === 0) return failure(`${target.origin}: its host name has no address`)
  if (!isAllowedHost(target, call.host.allowedHosts) && !found.every(isGlobalAddress))
    return failure(
      `${target.origin}: HTTP hooks may not call hostnames resolving to private or local addresses: ${HOW_TO_ALLOW}`,
      { retryable: false },
    )
  return found
}

export async function systemLookup(host: string): Promise<string[]> {
  const { lookup } = await import('node:dns/promises')
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** A name lookup cannot be cancelled, so its result is ignored. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const given = Promise.withResolvers<never>()
  const giveUp = () => given.reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([work, given.promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** Headers about the transport, which hooks cannot set. */
const OWN_HEADERS =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/

function headersOf({ hook, run, input }: Call<HttpRun>): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...run.headers, ...input.headers })) {
    if (!OWN_HEADERS.test(name.toLowerCase())) headers[name.toLowerCase()] = value
  }
  headers['idempotency-key'] ??= `hook-execution-${createHash('sha256')
    .update(`${hook.name}\n${input.text}`)
    .digest('hex')
    .slice(0, 32)}`
  return {
    'user-agent': 'crosshook',
    ...headers,
    'content-type': 'application/json',
    'accept-encoding': 'identity',
  }
}

async function read(response: Dispatcher.ResponseData, origin: string): Promise<RawResult | Failure> {
  const { statusCode: status, headers, body } = response
  if (status < 200 || status > 299) {
    discard(body)
    return statusFailure(status, headers['retry-after'], origin)
  }
  const tooLong = failure(`${origin}: the answer is longer than ${RESPONSE_LIMIT_BYTES} bytes`)
  if (Number(headers['content-length']) > RESPONSE_LIMIT_BYTES) {
    discard(body)
    return tooLong
  }
  const encoding = String(headers['content-encoding'] ?? 'identity')
  if (encoding.toLowerCase() !== 'identity') {
    discard(body)
    return failure(`${origin}: the answer is compressed, which was not asked for`, { retryable: false })
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > RESPONSE_LIMIT_BYTES) return tooLong
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const stdout = new TextDecoder().decode(bytes)
  return { status, stdout, value: parsed(stdout), ...(!isUtf8(bytes) && { garbled: true }) }
}

function discard(body: Dispatcher.ResponseData['body']): void {
  // Destroying it early is reported as a stream error that nobody waits for.
  body.on('error', () => {})
  body.destroy()
}

function statusFailure(status: number, wait: string | string[] | undefined, origin: string): Failure {
  if (status >= 300 && status < 400)
    return failure(`${origin}: answered ${status}, and redirects are not allowed: give the final URL`, {
      retryable: false,
    })
  const retryable = status === 408 || status === 429 || status >= 500
  return failure(`${origin}: answered with status ${status}`, {
    retryable,
    ...(retryable ? retryAfter(wait) : {}),
  })
}

function transportFailure(
  thrown: unknown,
  { signal, timeout }: Call<HttpRun>,
  origin: string,
  what = 'the request failed',
): Failure {
  if (signal.aborted)
    return failure(`${origin}: no answer within the time limit (${Math.round(timeout)} ms were left)`, {
      kind: 'timed_out',
    })
  const { code, name } = thrown as { code?: unknown; name?: unknown }
  // The texts of these errors may contain the URL; their codes do not.
  return failure(`${origin}: ${what} (${String(code ?? name ?? 'unknown error')})`, {
    retryable: code !== 'UND_ERR_INVALID_ARG',
  })
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    // Not every format answers in JSON: the hook's format reads the text.
    return undefined
  }
}
