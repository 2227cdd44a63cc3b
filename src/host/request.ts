/** A request to the running daemon of this user, by its socket where it has one. */

import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { paths } from '../config/paths.ts'
import { CrosshookError } from '../spec/errors.ts'
import { readStatus } from './status-file.ts'

export interface Answer {
  status: number
  body: unknown
}

export async function askDaemon(
  env: NodeJS.ProcessEnv,
  { method, path, body }: { method: 'GET' | 'POST'; path: string; body?: unknown },
): Promise<Answer> {
  const status = readStatus(paths(env).state)
  if (!status) throw new CrosshookError('no_daemon', 'No daemon is running.')
  const { send, ...target } = status.socket
    ? { socketPath: status.socket, send: request }
    : await overTcp(status.http, readFileSync(status.token_file, 'utf8').trim())
  const text = body === undefined ? '' : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = send({ ...target, method, path }, (response) => {
      let answer = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        answer += chunk
      })
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: parse(answer) }))
    })
    sent.once('error', (cause) =>
      reject(new CrosshookError('no_daemon', `The daemon does not answer: ${cause.message}`, { cause })),
    )
    sent.end(text)
  })
}

async function overTcp(http: string, token: string) {
  const { hostname, port, protocol } = new URL(http)
  const target = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    headers: { authorization: `Bearer ${token}` },
  }
  if (protocol === 'http:') return { ...target, send: request }
  const secure = await import('node:https')
  return { ...target, send: secure.request }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
