/** Fetches a file over HTTPS, with limits on size and time, and a token only for its own host. */

import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { VERSION } from '../version.ts'

export interface GetOptions {
  /** Most bytes accepted. */
  most: number
  env: NodeJS.ProcessEnv
  token?: string | undefined
  /** PEM file of a further certificate authority. */
  ca?: string | undefined
  etag?: string | undefined
  /** In milliseconds; for tests. */
  idle?: number
  longest?: number
}

export interface Got {
  status: number
  bytes: Buffer
  etag?: string
  url: string
}

const IDLE_LIMIT_MS = 20_000
const FETCH_LIMIT_MS = 120_000
const MAX_REDIRECTS = 5

/** Throws `bad_source` for everything but 200 and, with an `etag`, 304. */
export async function get(url: string, options: GetOptions): Promise<Got> {
  let at = checkUrl(url)
  const first = at.origin
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const { status, headers, bytes } = await once(at, options, at.origin === first)
    if (status >= 300 && status < 400 && status !== 304 && headers.location !== undefined) {
      const next = checkUrl(new URL(headers.location, at).href)
      if (at.protocol === 'https:' && next.protocol !== 'https:')
        throw failed(url, 'it leads from HTTPS to plain HTTP')
      at = next
      continue
    }
    if (status !== 200 && !(status === 304 && options.etag !== undefined))
      throw failed(url, `the server answers ${status}`, status)
    return { status, bytes, url: at.href, ...(headers.etag === undefined ? {} : { etag: headers.etag }) }
  }
  throw failed(url, 'it leads from one address to the next')
}

/** HTTPS; plain HTTP on this machine only. */
export function checkUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.username !== '' || url.password !== '')
    throw new CrosshookError(
      'usage',
      `${JSON.stringify(text.slice(0, 200))} is not an address, or has a password in it`,
      {
        fix: 'Use https://HOST/PATH; a token is given with --token-env.',
      },
    )
  if (url.protocol === 'https:') return url
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && isLocal) return url
  throw new CrosshookError('usage', `${text}: only HTTPS is used beyond this machine`, {
    fix: 'Use https://.',
  })
}

interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  bytes: Buffer
}

async function once(url: URL, options: GetOptions, isOwnHost: boolean): Promise<Answer> {
  const { most, env, token, ca, etag, idle = IDLE_LIMIT_MS, longest = FETCH_LIMIT_MS } = options
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const isSecure = url.protocol === 'https:'
  // Proxies of the environment; Node before 24.5 ignores the option.
  const shared = { keepAlive: false, proxyEnv: env } as http.AgentOptions
  const agent = isSecure ? new https.Agent(shared) : new http.Agent(shared)
  const fail = (why: string, cause?: unknown) => reject(failed(url.href, why, undefined, cause))
  const request = (isSecure ? https : http).request(
    url,
    {
      agent,
      headers: {
        'user-agent': `crosshook/${VERSION}`,
        accept: '*/*',
        'accept-encoding': 'identity',
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
        ...(token !== undefined && isOwnHost ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(isSecure && ca !== undefined ? { ca: [...rootCertificates(), readFileSync(ca, 'utf8')] } : {}),
    },
    (response) => {
      const parts: Buffer[] = []
      let size = 0
      const said = response.headers['content-length']
      if (said !== undefined && Number(said) > most) {
        fail(`it is larger than ${mebibytes(most)}`)
        request.destroy()
        return
      }
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > most) {
          fail(`it is larger than ${mebibytes(most)}`)
          request.destroy()
        } else parts.push(chunk)
      })
      response.on('error', (error) =>
        fail(`the connection ended before all was there: ${messageOf(error)}`, error),
      )
      response.on('end', () => {
        if (!response.complete || (said !== undefined && Number(said) !== size))
          fail('the connection ended before all was there')
        else
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(parts),
          })
      })
    },
  )
  const timer = setTimeout(() => {
    fail(`it took longer than ${longest / 1000} s`)
    request.destroy()
  }, longest)
  request.setTimeout(idle, () => {
    fail(`nothing came for ${idle / 1000} s`)
    request.destroy()
  })
  request.on('error', (error) =>
    fail(messageOf(error) || (error as NodeJS.ErrnoException).code || 'no connection', error),
  )
  request.end()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    agent.destroy()
  }
}

function rootCertificates(): readonly string[] {
  return process.getBuiltinModule('node:tls').rootCertificates
}

function mebibytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024 / 1024)} MiB`
}

/** Did the server itself answer that it does not exist? */
export function isGone(error: unknown): boolean {
  const { status } =
    (error instanceof CrosshookError ? (error.cause as { status?: number } | undefined) : undefined) ?? {}
  return status === 404 || status === 410
}

function failed(url: string, why: string, status?: number, cause?: unknown): CrosshookError {
  const { origin, pathname } = new URL(url)
  return new CrosshookError('bad_source', `${origin}${pathname} could not be fetched: ${why}`, {
    fix: 'Check the address and the connection, then try again.',
    cause: status === undefined ? cause : { status },
  })
}
