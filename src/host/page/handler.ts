/** Serves the page: its document for every view, its files, and the sign-in by a link that works once. */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Core } from '../core.ts'
import { type PageFiles, readPageFiles } from './built-page.ts'
import { pageHeaders, SAFE_HEADERS } from './headers.ts'
import { document, refusedLink } from './html.ts'

const ADVICE = [
  'A link signs in once, and within two minutes. Run <code>crosshook ui</code> in a terminal for a new one.',
  'If you have not used this link yourself, somebody else has: run <code>crosshook ui --sign-out</code>.',
]

/** Serves the request, or returns false when it is not for the page. */
export type Page = (request: IncomingMessage, response: ServerResponse) => boolean

export const SIGN_IN_PATH = '/sign-in'
const ASSETS_PATH = '/assets/'

export function createPage({ people }: Pick<Core, 'people'>): Page {
  let files: PageFiles | undefined
  return (request, response) => {
    files ??= readPageFiles()
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page')
    if (pathname.startsWith(ASSETS_PATH)) return sendFile(files, request, response)
    if (pathname === SIGN_IN_PATH) return signIn(searchParams.get('code') ?? '')
    sendDocument(response, 200, (nonce) => document(files!, nonce))
    return true

    function signIn(code: string): boolean {
      // HEAD does not use the link up.
      const cookie = request.method === 'GET' ? people.enter(code) : undefined
      if (cookie === undefined) sendDocument(response, 403, (nonce) => refusedLink(files!, nonce, ADVICE))
      else
        response
          .writeHead(303, {
            ...SAFE_HEADERS,
            location: '/',
            'set-cookie': cookie,
            'cache-control': 'no-store',
          })
          .end()
      return true
    }
  }
}

function sendDocument(response: ServerResponse, status: number, text: (nonce: string) => string): void {
  const nonce = randomBytes(16).toString('base64')
  response
    .writeHead(status, {
      ...pageHeaders(nonce),
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    })
    .end(response.req.method === 'HEAD' ? undefined : text(nonce))
}

function sendFile(files: PageFiles, request: IncomingMessage, response: ServerResponse): boolean {
  const name = request.url!.slice(ASSETS_PATH.length)
  const file = files.get(name)
  if (!file) return false
  const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const bytes = zipped ? file.gzip : file.bytes
  response.writeHead(200, {
    ...SAFE_HEADERS,
    'content-type': file.type,
    'content-length': bytes.length,
    vary: 'accept-encoding',
    // File names contain a hash of their contents.
    'cache-control': /-\w{8}\./.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(zipped ? { 'content-encoding': 'gzip' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
  return true
}
