/** What no client should send, and what it is told: never that the fault is ours. */

import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { expect, onTestFinished, test } from 'vitest'
import { CrosshookClient } from '../../sdk/client/client.ts'
import { type Running, runningDaemon } from '../testing.ts'

interface Sent {
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: Buffer | string
  /** The body never ends. */
  open?: boolean
}

interface Got {
  http: number | undefined
  grpc: string | undefined
  message: string
}

const INVALID_ARGUMENT = '3'
const RESOURCE_EXHAUSTED = '8'
const UNIMPLEMENTED = '12'
const UNAUTHENTICATED = '16'

function session({ daemon }: Running): ClientHttp2Session {
  const made = connect(`http://${daemon.status.grpc}`)
  made.on('error', () => {})
  onTestFinished(() => made.destroy())
  return made
}

function open(running: Running, { path = '/HookService/ListHooks', method = 'POST', headers = {} }: Sent) {
  return session(running).request({
    ':method': method,
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${running.token}`,
    ...headers,
  })
}

function send(running: Running, sent: Sent): Promise<Got> {
  const stream = open(running, sent)
  if (sent.open) stream.write(sent.body ?? '')
  else stream.end(sent.body ?? envelope(''))
  return told(stream)
}

function told(stream: ClientHttp2Stream): Promise<Got> {
  return new Promise((resolve, reject) => {
    const got: Got = { http: undefined, grpc: undefined, message: '' }
    const hear = (headers: Record<string, unknown>) => {
      if (headers[':status'] !== undefined) got.http = Number(headers[':status'])
      if (headers['grpc-status'] === undefined) return
      got.grpc = String(headers['grpc-status'])
      got.message = decodeURIComponent(String(headers['grpc-message'] ?? ''))
    }
    const late = setTimeout(() => reject(new Error('no end')), 5000)
    stream.on('response', hear).on('trailers', hear)
    stream.once('error', reject)
    stream.once('close', () => {
      clearTimeout(late)
      resolve(got)
    })
    stream.resume()
  })
}

function envelope(message: string | Buffer, { flags = 0, length }: { flags?: number; length?: number } = {}) {
  const head = Buffer.alloc(5)
  head[0] = flags
  head.writeUInt32BE(length ?? Buffer.byteLength(message), 1)
  return Buffer.concat([head, Buffer.from(message)])
}

const JSON_TYPE = { 'content-type': 'application/grpc+json' }
const FIRE = '/HookService/Fire'
const REGISTER = '/HookService/RegisterHook'
const STREAM = '/HookService/HookStream'

const BROKEN: [string, Sent, string, RegExp?][] = [
  ['a message that is no message', { body: envelope('\x0a\xff\xff') }, INVALID_ARGUMENT, /parse/],
  ['a field of another kind', { path: REGISTER, body: envelope('\x08\x01\x0d') }, INVALID_ARGUMENT],
  ['text that is not UTF-8', { path: REGISTER, body: envelope(Buffer.from([10, 1, 255])) }, INVALID_ARGUMENT],
  ['JSON that is none', { headers: JSON_TYPE, body: envelope('{]') }, INVALID_ARGUMENT],
  ['an event that is no JSON', { path: FIRE, body: envelope('\x12\x02{]') }, INVALID_ARGUMENT, /not JSON/],
  ['an event of no name', { path: FIRE, body: envelope('\x0a\x03zzz') }, INVALID_ARGUMENT, /zzz/],
  ['no event at all', { path: FIRE }, INVALID_ARGUMENT],
  ['a compressed message that nobody announced', { body: envelope('x', { flags: 1 }) }, INVALID_ARGUMENT],
  ['half an envelope', { body: '\x00\x00' }, INVALID_ARGUMENT],
  ['half a message', { body: envelope('x', { length: 9 }) }, INVALID_ARGUMENT],
  ['a deadline that is none', { headers: { 'grpc-timeout': 'soon' } }, INVALID_ARGUMENT],
  ['a host that is none', { headers: { ':authority': '[' } }, INVALID_ARGUMENT, /host/],
  ['a port that is none', { headers: { ':authority': 'localhost:99999' } }, INVALID_ARGUMENT, /host/],
  [
    'a message that is too large',
    { body: envelope('', { length: 2 ** 31 }) },
    RESOURCE_EXHAUSTED,
    /max_event_bytes/,
  ],
  ['a compression', { headers: { 'grpc-encoding': 'gzip' } }, UNIMPLEMENTED, /without grpc-encoding/],
  ['no message', { body: '' }, UNIMPLEMENTED],
  ['two messages', { body: Buffer.concat([envelope(''), envelope('')]) }, UNIMPLEMENTED],
  ['a call that is none', { path: '/HookService/Nothing' }, UNIMPLEMENTED, /\/HookService\/Nothing/],
  ['a service that is none', { path: '/Nobody/Fire' }, UNIMPLEMENTED],
  ['a broken answer on a stream', { path: STREAM, body: envelope('\x0a\xff') }, INVALID_ARGUMENT, /parse/],
  ['a compressed one', { path: STREAM, body: envelope('x', { flags: 1 }) }, INVALID_ARGUMENT],
  ['no token', { headers: { authorization: '' } }, UNAUTHENTICATED],
]

test.for(BROKEN)('%s is refused as what it is', async ([, sent, status, words = /./]) => {
  const running = await runningDaemon()
  const got = await send(running, sent)
  expect(got).toMatchObject({ http: 200, grpc: status, message: expect.stringMatching(words) })
  expect(await send(running, {})).toMatchObject({ grpc: '0' })
})

test('a request that is not gRPC gets an HTTP error', async () => {
  const running = await runningDaemon()
  const text = { 'content-type': 'text/plain' }
  expect(await send(running, { headers: text })).toMatchObject({ http: 415 })
  expect(await send(running, { method: 'PUT' })).toMatchObject({ http: 405 })
  expect(await send(running, { path: '/index.html', headers: text })).toMatchObject({ http: 404 })
  expect(await send(running, { headers: { ...text, ':authority': '[' } })).toMatchObject({ http: 400 })
})

test('error messages stay readable text: only special characters are percent-encoded', async () => {
  const running = await runningDaemon()
  const stream = open(running, { path: FIRE })
  stream.end(envelope('\x0a\x07ä: 5%\n'))
  stream.resume()
  const raw = await new Promise((resolve) =>
    stream.once('trailers', (trailers) => resolve(trailers['grpc-message'])),
  )
  expect(raw).toMatch(/%C3%A4: 5%25%0A/)
})

test('the body of a request without a token is not read', async () => {
  const running = await runningDaemon()
  const headers = { authorization: 'Bearer wrong' }
  for (const path of [FIRE, STREAM]) {
    const got = await send(running, { path, headers, open: true, body: envelope('', { length: 1_000_000 }) })
    expect(got).toMatchObject({ grpc: UNAUTHENTICATED })
  }
})

test('a client that closes leaves no connection behind, and clients beyond the limit are turned away', async () => {
  const { daemon, token } = await runningDaemon({ limits: { connections: 2 } })
  const make = () => {
    const client = new CrosshookClient({ address: daemon.status.grpc, token, onTrouble: () => {} })
    onTestFinished(() => client.close())
    return client
  }
  for (let i = 0; i < 10; i++) {
    const client = make()
    await expect.poll(() => client.listHooks().catch(() => 'turned away')).toEqual([])
    await client.close()
  }
  const held = [make(), make()]
  await expect
    .poll(() => Promise.all(held.map((client) => client.listHooks())).catch(() => null))
    .not.toBeNull()
  await expect(make().listHooks()).rejects.toThrow()
})
