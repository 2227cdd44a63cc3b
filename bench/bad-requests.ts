/** Random malformed requests, generated from a seed: broken HTTP, JSON, HTTP/2 and gRPC. */

import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import type { Target } from './soak.ts'

export interface Tally {
  /** By status, or by how it ended. */
  counts: Map<string, number>
  /** Answers by which the daemon reported an internal error. */
  serverErrors: string[]
}

const WORKERS = 16
const CHECK_EVERY = 1000
/** A connection that neither answers nor ends is closed after this time, because the daemon may wait for the rest of a request. */
const SILENCE_MS = 40
const PATHS = [
  '/v1/events',
  '/v1/agents/claude-code/PreToolUse',
  '/v1/agents/gemini-cli/BeforeTool',
  '/v1/agents/nobody/x',
  '/v1/runtime/hooks',
  '/v1/runtime/rollback',
  '/v1/runtime/hooks/dead-letter/%00/resolve',
  '/v1/journal?limit=-1&after=zzz&since=never',
  '/v1/status',
  '/v1/../../etc/passwd',
  '/%ff%fe%zz',
  '/metrics',
  '//',
  '*',
]
const METHODS = [
  'GET',
  'POST',
  'POST',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'get',
  'X',
  '',
]
const RPCS = ['RegisterHook', 'UnregisterHook', 'ListHooks', 'HookStream', 'Fire', 'ExecuteTool', 'Nothing']

/** No host, or not this one. */
const AUTHORITIES = ['[', 'a b', 'localhost:99999', 'evil.example', '\u00e4', '%', '@', '/']
/** UNKNOWN, INTERNAL and DATA_LOSS: no request of a client may lead to these. */
const OUR_FAULT = new Set(['2', '13', '15'])

export async function badRequests(
  target: Target,
  total: number,
  seed: number,
  check: (count: number) => Promise<void>,
): Promise<Tally> {
  const tally: Tally = { counts: new Map(), serverErrors: [] }
  const chance = chanceFrom(seed)
  const ports = { http: Number(new URL(target.http).port), grpc: Number(target.grpc.split(':').at(-1)) }
  const rpcs = rpcSender(target, chance, tally)
  let count = 0
  const worker = async () => {
    while (count < total) {
      const number = ++count
      const kind = chance.below(10)
      const ended =
        kind < 6
          ? await sendRaw(ports.http, brokenHttp(chance, target.token), tally)
          : kind < 8
            ? await sendRaw(ports.grpc, brokenHttp2(chance), tally)
            : await rpcs.send()
      tally.counts.set(ended, (tally.counts.get(ended) ?? 0) + 1)
      if (number % CHECK_EVERY === 0) await check(number)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
  rpcs.close()
  return tally
}

/** How it ended: the status of the first answer, or that there was none. */
function sendRaw(port: number, bytes: Buffer, tally: Tally): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    const done = (how: string) => {
      clearTimeout(timer)
      // No half-closed connection is left behind: a hundred thousand of them would use up the ports.
      socket.resetAndDestroy()
      resolve(how)
    }
    const timer = setTimeout(() => done('silence'), SILENCE_MS)
    socket.once('connect', () => socket.write(bytes))
    socket.once('error', () => done('reset'))
    socket.once('close', () => done('closed'))
    socket.once('data', (chunk) => {
      answer = chunk.toString('latin1')
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]
      if (status === '500')
        tally.serverErrors.push(
          `${JSON.stringify(bytes.toString('latin1').slice(0, 300))} → ${answer.slice(0, 400)}`,
        )
      done(status === undefined ? 'other bytes' : `HTTP ${status}`)
    })
  })
}

function brokenHttp(chance: Chance, token: string): Buffer {
  if (chance.below(20) === 0) return chance.bytes(1 + chance.below(400))
  const body = brokenBody(chance)
  const lines = [`${chance.of(METHODS)} ${chance.of(PATHS)} HTTP/1.${chance.below(4) === 0 ? 9 : 1}`]
  if (chance.below(10) > 0) lines.push(`Host: ${chance.of(['127.0.0.1', 'localhost', 'evil.example', ''])}`)
  if (chance.below(4) > 0) lines.push(`Authorization: Bearer ${chance.below(5) > 0 ? token : 'wrong'}`)
  if (chance.below(8) === 0) lines.push('Origin: https://evil.example')
  if (chance.below(8) === 0) lines.push(`X-${chance.text(5)}: ${chance.text(30)}`)
  if (chance.below(40) === 0) lines.push(`X-Large: ${'x'.repeat(40_000)}`)
  if (chance.below(10) === 0) lines.push(`traceparent: ${chance.text(60)}`)
  const length = chance.below(6)
  if (length === 0) lines.push('Transfer-Encoding: chunked')
  else if (length === 1) lines.push(`Content-Length: ${chance.of(['-1', '1e9', '99999999999', 'x', '0x10'])}`)
  else if (length === 2) lines.push(`Content-Length: ${body.length + 1 + chance.below(100)}`)
  else lines.push(`Content-Length: ${body.length}`)
  const whole = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
  return chance.below(8) === 0 ? whole.subarray(0, chance.below(whole.length)) : whole
}

function brokenBody(chance: Chance): Buffer {
  const strange = [null, true, -1, 1e308, '', '\u0000', [], {}, [[[]]], { a: null }, chance.text(20)]
  const fields = ['event_type', 'tool_name', 'tool_input', 'session_id', 'work_dir', 'context', 'timestamp']
  const native = ['hook_event_name', 'cwd', 'hooks', 'expected_revision', 'revision', '__proto__', 'usage']
  switch (chance.below(6)) {
    case 0:
      return chance.bytes(chance.below(200))
    case 1:
      return Buffer.from(JSON.stringify(chance.of(strange)))
    case 2:
      return Buffer.from('['.repeat(1 + chance.below(5000)))
    default: {
      const names = [...fields, ...native].filter(() => chance.below(2) === 0)
      const body = Object.fromEntries(names.map((name) => [name, chance.of(strange)]))
      if (chance.below(2) === 0)
        body.event_type = chance.of(['before_tool', 'session_end', 'no_such', 'PreToolUse'])
      const text = JSON.stringify(body)
      return Buffer.from(chance.below(4) === 0 ? text.slice(0, chance.below(text.length)) : text)
    }
  }
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

function brokenHttp2(chance: Chance): Buffer {
  if (chance.below(4) === 0) return chance.bytes(1 + chance.below(100))
  const frames = Array.from({ length: 1 + chance.below(5) }, () => {
    const payload = chance.bytes(chance.below(60))
    const head = Buffer.alloc(9)
    head.writeUIntBE(chance.below(5) === 0 ? chance.below(2 ** 24) : payload.length, 0, 3)
    head[3] = chance.below(12)
    head[4] = chance.below(256)
    head.writeUInt32BE(chance.below(8), 5)
    return Buffer.concat([head, payload])
  })
  const settings = chance.below(2) === 0 ? [Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])] : []
  return Buffer.concat([PREFACE, ...settings, ...frames])
}

/** Sound HTTP/2 around broken gRPC messages, on a connection that is opened again whenever it ends. */
function rpcSender(target: Target, chance: Chance, tally: Tally) {
  let session: ClientHttp2Session | undefined
  const current = () => {
    if (session && !session.closed && !session.destroyed) return session
    session = connectHttp2(`http://${target.grpc}`)
    session.on('error', () => {})
    return session
  }
  return {
    close: () => session?.destroy(),
    send: () =>
      new Promise<string>((resolve) => {
        const body = brokenMessage(chance)
        const headers = {
          ':method': chance.below(10) === 0 ? 'GET' : 'POST',
          ':path': `/HookService/${chance.of(RPCS)}`,
          'content-type': chance.of([
            'application/grpc',
            'application/grpc',
            'application/grpc+json',
            'text/plain',
          ]),
          te: 'trailers',
          ...(chance.below(5) > 0 ? { authorization: `Bearer ${target.token}` } : {}),
          ...(chance.below(5) === 0 ? { 'grpc-timeout': chance.of(['1n', '-5S', 'x', '99999999H']) } : {}),
          ...(chance.below(5) === 0 ? { 'grpc-encoding': chance.of(['gzip', 'nonsense']) } : {}),
          ...(chance.below(10) === 0 ? { ':authority': chance.of(AUTHORITIES) } : {}),
        }
        let stream: ClientHttp2Stream
        try {
          stream = current().request(headers)
        } catch (error) {
          // The connection has ended in this very moment.
          return resolve(`gRPC not sent: ${(error as NodeJS.ErrnoException).code}`)
        }
        let how = 'gRPC without status'
        const patience = setTimeout(() => stream.close(), SILENCE_MS * 5)
        const { authorization: _, ...sent } = headers as Record<string, unknown>
        const seen = (headers: Record<string, unknown>) => {
          if (headers['grpc-status'] !== undefined) {
            how = `gRPC ${headers['grpc-status']}`
            if (OUR_FAULT.has(String(headers['grpc-status'])))
              tally.serverErrors.push(
                `${JSON.stringify(sent)} ${JSON.stringify(body.toString('latin1'))} → ${headers['grpc-message']}`,
              )
          } else if (headers[':status'] !== 200 && headers[':status'])
            how = `gRPC as HTTP ${headers[':status']}`
        }
        stream.on('response', seen).on('trailers', seen)
        stream.on('error', () => {})
        stream.once('close', () => {
          clearTimeout(patience)
          resolve(how)
        })
        stream.resume()
        stream.end(body)
      }),
  }
}

function brokenMessage(chance: Chance): Buffer {
  const payload = [
    () => Buffer.from('\x0a\x0bbefore_tool\x12\x02{]'),
    () => Buffer.concat(Array.from({ length: 1 + chance.below(4) }, () => strangeField(chance))),
    () => chance.bytes(chance.below(100)),
  ][chance.below(3)]!()
  const head = Buffer.alloc(5)
  head[0] = chance.below(4) === 0 ? chance.below(256) : 0
  head.writeUInt32BE(chance.below(4) === 0 ? chance.below(2 ** 32) : payload.length, 1)
  return Buffer.concat([head, payload].slice(chance.below(6) === 0 ? 1 : 0))
}

/** A field of a sound message, with a value that nobody expects there. */
function strangeField(chance: Chance): Buffer {
  const words = ['PreToolUse', 'before_tool', '{"tool_input":[]}', '{}', 'off', 'Bash', '(', '\0', '../..']
  const text = Buffer.from(chance.below(2) === 0 ? chance.of(words) : chance.text(chance.below(40)))
  const field = 1 + chance.below(7)
  if (chance.below(4) === 0) return Buffer.from([field << 3, ...chance.bytes(5).map((byte) => byte | 128), 1])
  return Buffer.concat([Buffer.from([(field << 3) | 2, text.length]), text])
}

interface Chance {
  below(limit: number): number
  of<T>(items: readonly T[]): T
  bytes(length: number): Buffer
  text(length: number): string
}

function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  // mulberry32: a pseudo-random sequence that depends only on the seed.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)))
  return {
    below,
    bytes,
    of: (items) => items[below(items.length)]!,
    text: (length) => bytes(length).toString('latin1'),
  }
}
