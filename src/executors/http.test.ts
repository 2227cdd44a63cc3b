import net, { type AddressInfo, createServer as createTcpServer } from 'node:net'
import type { buildConnector } from 'undici'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isFailure } from '../spec/outcome.ts'
import { createHttpExecutor, type Lookup } from './http.ts'
import { pinnedConnector, pinnedLookup } from './pinned.ts'
import { bodyOf, callOf, serve } from './testing.ts'

const toLoopback: Lookup = async () => ['127.0.0.1']
const local = (port: number) => ({ allowedHosts: [`127.0.0.1:${port}`, `hooks.example.invalid:${port}`] })

async function post(port: number, options: Parameters<typeof callOf>[1] = {}, path = '/hook?token=secret') {
  const run = { type: 'http' as const, url: `http://127.0.0.1:${port}${path}` }
  return createHttpExecutor().run(callOf(run, { host: local(port), ...options }))
}

async function answerOf(status: number, headers: Record<string, string> = {}, body = '') {
  let hits = 0
  const server = await serve((_request, response) => {
    hits++
    response.writeHead(status, headers).end(body)
  })
  const result = await post(server.port)
  return { result, hits }
}

describe('the request', () => {
  test('is a POST of the input as JSON, with the headers of the format and of the hook', async () => {
    const seen: unknown[] = []
    const server = await serve(async (request, response) => {
      const { 'content-type': type, 'idempotency-key': key, authorization, host } = request.headers
      seen.push({
        method: request.method,
        url: request.url,
        type,
        key,
        authorization,
        host,
        body: await bodyOf(request),
      })
      response.end('{"decision":"block"}')
    })
    const run = {
      type: 'http' as const,
      url: `http://hooks.example.invalid:${server.port}/a/b?c=d`,
      headers: { Authorization: 'Bearer x', Host: 'elsewhere', 'Content-Type': 'text/plain' },
    }
    const input = { text: '{"contract_version":1}', headers: { 'Idempotency-Key': 'hook-execution-abc' } }
    const result = await createHttpExecutor({ lookup: toLoopback }).run(
      callOf(run, { input, host: local(server.port) }),
    )
    expect(result).toEqual({ status: 200, stdout: '{"decision":"block"}', value: { decision: 'block' } })
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/a/b?c=d',
        type: 'application/json',
        key: 'hook-execution-abc',
        authorization: 'Bearer x',
        host: `hooks.example.invalid:${server.port}`,
        body: '{"contract_version":1}',
      },
    ])
  })

  test('has a key that is the same for a repeated attempt and differs by body', async () => {
    const keys: unknown[] = []
    const server = await serve((request, response) => {
      keys.push(request.headers['idempotency-key'])
      response.end()
    })
    await post(server.port)
    await post(server.port)
    await post(server.port, { input: { text: '{}' } })
    expect(keys[0]).toMatch(/^hook-execution-[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  test('ignores proxies of the environment', async () => {
    let proxied = 0
    const proxy = await serve((_request, response) => {
      proxied++
      response.end()
    })
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'])
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { result } = await answerOf(200, {}, 'direct')
    expect(result).toMatchObject({ stdout: 'direct' })
    expect(proxied).toBe(0)
  })

  test('with a header that HTTP cannot carry fails for good', async () => {
    const server = await serve((_request, response) => void response.end())
    const result = await post(server.port, { input: { headers: { 'x-a': 'b\r\nhost: c' } } })
    expect(result).toMatchObject({ failed: true, retryable: false })
  })
})

describe('the answer', () => {
  test('may be empty, and then says nothing', async () => {
    expect((await answerOf(204)).result).toEqual({ status: 204, stdout: '', value: undefined })
  })

  test('may be text, and is left to the format', async () => {
    expect((await answerOf(200, {}, 'hello ü')).result).toEqual({
      status: 200,
      stdout: 'hello ü',
      value: undefined,
    })
  })

  test.each([301, 302, 303, 307, 308, 304])(
    '%i is a redirect: terminal, and followed nowhere',
    async (status) => {
      const { result, hits } = await answerOf(status, { location: '/elsewhere' })
      expect(result).toMatchObject({ failed: true, retryable: false })
      expect(result).toHaveProperty('message', expect.stringContaining('redirects are not allowed'))
      expect(hits).toBe(1)
    },
  )

  test.each([408, 429, 500, 502, 503, 504])('%i may be tried again', async (status) => {
    expect((await answerOf(status)).result).toMatchObject({ failed: true, kind: 'failed', retryable: true })
  })

  test.each([400, 401, 403, 404, 410, 422])('%i is terminal', async (status) => {
    const { result } = await answerOf(status, { 'retry-after': '1' })
    expect(result).toMatchObject({ failed: true, retryable: false })
    expect(result).not.toHaveProperty('retry_after')
  })

  test.each([
    ['1', 1_000],
    ['0', 0],
    ['3600', 30_000],
    [new Date(Date.now() + 3_600_000).toUTCString(), 30_000],
    [new Date(0).toUTCString(), 0],
  ])('Retry-After: %s', async (header, wait) => {
    expect((await answerOf(429, { 'retry-after': header })).result).toMatchObject({ retry_after: wait })
  })

  test('Retry-After as a near date is the time until then', async () => {
    const { result } = await answerOf(503, { 'retry-after': new Date(Date.now() + 10_000).toUTCString() })
    expect((result as { retry_after: number }).retry_after).toBeGreaterThan(7_000)
    expect((result as { retry_after: number }).retry_after).toBeLessThanOrEqual(10_000)
  })

  test('Retry-After that cannot be read is ignored', async () => {
    expect((await answerOf(503, { 'retry-after': 'soon' })).result).not.toHaveProperty('retry_after')
  })

  test('of exactly 128 KiB is read', async () => {
    const { result } = await answerOf(200, {}, 'x'.repeat(128 * 1024))
    expect((result as { stdout: string }).stdout).toHaveLength(128 * 1024)
  })

  test('that announces more than 128 KiB is not read', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 128 * 1024 + 1 }).write('x')
    })
    const result = await post(server.port)
    expect(result).toMatchObject({ failed: true, kind: 'failed', retryable: true })
    expect(result).toHaveProperty('message', expect.stringContaining('131072 bytes'))
  })

  test('that grows beyond 128 KiB is cut off', async () => {
    let closed = () => {}
    const wasClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    const server = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(40_000)), 1)
      response.on('close', () => {
        clearInterval(timer)
        closed()
      })
    })
    expect(await post(server.port)).toMatchObject({ failed: true, kind: 'failed', retryable: true })
    await wasClosed
  })

  test('in a compression that was not asked for is a failure, not text', async () => {
    expect((await answerOf(200, { 'content-encoding': 'gzip' }, 'x')).result).toMatchObject({
      retryable: false,
    })
  })

  test('that drips ends at the time limit', async () => {
    const server = await serve((_request, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    const started = Date.now()
    expect(await post(server.port, { timeout: 300 })).toMatchObject({ kind: 'timed_out', retryable: true })
    expect(Date.now() - started).toBeLessThan(20_000)
  })

  test('that never comes ends at the time limit', async () => {
    const server = await serve(() => {})
    expect(await post(server.port, { timeout: 200 })).toMatchObject({ kind: 'timed_out' })
  })

  test('of a server that hangs up may be tried again', async () => {
    const server = await serve((request) => void request.socket.destroy())
    expect(await post(server.port)).toMatchObject({ kind: 'failed', retryable: true })
  })
})

describe('failures', () => {
  test('never show path, query or credentials', async () => {
    const server = await serve((_request, response) => void response.writeHead(500).end())
    const slow = await serve(() => {})
    const closed = await serve(() => {})
    await new Promise((resolve) => closed.close(resolve))
    const results = [
      await post(server.port, {}, '/private/path?token=secret'),
      await post(slow.port, { timeout: 100 }, '/private/path?token=secret'),
      await post(closed.port, {}, '/private/path?token=secret'),
      await createHttpExecutor().run(callOf({ type: 'http', url: 'https://a:secret@example.com/private' })),
      await createHttpExecutor().run(callOf({ type: 'http', url: 'no url with secret' })),
    ]
    for (const result of results) {
      expect(isFailure(result)).toBe(true)
      expect((result as { message: string }).message).not.toMatch(/private\/|secret|token/)
    }
    expect((results[2] as { message: string }).message).toBe(
      `http://127.0.0.1:${closed.port}: the request failed (ECONNREFUSED)`,
    )
  })

  test('a name that does not resolve may be tried again; a name without address too', async () => {
    const unknown: Lookup = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))
    const run = { type: 'http' as const, url: 'http://hooks.example.invalid/' }
    expect(await createHttpExecutor({ lookup: unknown }).run(callOf(run))).toMatchObject({ retryable: true })
    expect(await createHttpExecutor({ lookup: async () => [] }).run(callOf(run))).toMatchObject({
      failed: true,
    })
  })

  test('a lookup that hangs ends at the time limit', async () => {
    const run = { type: 'http' as const, url: 'http://hooks.example.invalid/' }
    const executor = createHttpExecutor({ lookup: () => new Promise(() => {}) })
    expect(await executor.run(callOf(run, { timeout: 100 }))).toMatchObject({ kind: 'timed_out' })
  })
})

describe('local servers', () => {
  test('no spelling of a local address connects', async () => {
    let connections = 0
    const listener = createTcpServer((socket) => {
      connections++
      socket.destroy()
    })
    // All addresses of this machine, IPv6 too where there is any.
    await new Promise<void>((resolve) => listener.listen(0, resolve))
    onTestFinished(() => new Promise<void>((resolve) => void listener.close(() => resolve())))
    const { port } = listener.address() as AddressInfo
    const executor = createHttpExecutor({ lookup: toLoopback })
    const urls = [...spellings()].map((host) => `http://${host}:${port}/`)
    expect(urls.length).toBeGreaterThan(200)
    for (const url of urls) {
      expect(await executor.run(callOf({ type: 'http', url })), url).toMatchObject({
        failed: true,
        retryable: false,
      })
    }
    expect(connections).toBe(0)
  })

  test('a name is refused when any of its addresses is not public', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '10.0.0.1'],
      ['2606:4700::1111', '::1'],
      ['fe80::1%eth0'],
    ]) {
      const result = await createHttpExecutor({ lookup: async () => addresses }).run(
        callOf({ type: 'http', url: 'https://hooks.example.invalid/' }),
      )
      expect(result).toMatchObject({ failed: true, retryable: false })
      expect(result).toHaveProperty(
        'message',
        expect.stringContaining('hostnames resolving to private or local addresses'),
      )
    }
  })

  test('a name is resolved once, and a later answer changes nothing', async () => {
    const first = await serve((_request, response) => void response.end('first'))
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const lookup = vi.fn(async () => answers.shift()!)
    const run = { type: 'http' as const, url: `http://hooks.example.invalid:${first.port}/` }
    const result = await createHttpExecutor({ lookup }).run(callOf(run, { host: local(first.port) }))
    expect(result).toMatchObject({ stdout: 'first' })
    expect(lookup).toHaveBeenCalledTimes(1)
  })

  test('a name that was public when it was judged cannot become local afterwards', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']]
    const lookup = vi.fn(async () => answers.shift() ?? ['127.0.0.1'])
    const reached: unknown[] = []
    const connect = vi.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) => {
      options.lookup!(options.host!, {}, (_error, address) => reached.push(options.host, address))
      return new net.Socket().destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    }) as typeof net.connect)
    onTestFinished(() => connect.mockRestore())
    const run = { type: 'http' as const, url: 'http://hooks.example.invalid/' }
    expect(await createHttpExecutor({ lookup }).run(callOf(run))).toMatchObject({
      failed: true,
      retryable: true,
    })
    expect(lookup).toHaveBeenCalledTimes(1)
    expect(reached).toEqual(['hooks.example.invalid', '8.8.8.8'])
  })

  test('the connection asks no name server again: it knows only the addresses that were judged', () => {
    const answer = vi.fn()
    const lookup = pinnedLookup(['8.8.8.8', '2606:4700::1111'])
    lookup('hooks.example.invalid', { all: true }, answer)
    lookup('hooks.example.invalid', {}, answer)
    expect(answer.mock.calls).toEqual([
      [
        null,
        [
          { address: '8.8.8.8', family: 4 },
          { address: '2606:4700::1111', family: 6 },
        ],
      ],
      [null, '8.8.8.8', 4],
    ])
  })

  test('a connection that reached another address than the judged ones is closed unused', async () => {
    let bytes = 0
    const listener = createTcpServer((socket) => {
      socket.on('data', (chunk) => {
        bytes += chunk.length
      })
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => void listener.close(() => resolve())))
    const port = String((listener.address() as AddressInfo).port)
    const connect = pinnedConnector(['8.8.8.8'], 1_000, pinnedLookup(['127.0.0.1']))
    const options = { hostname: 'hooks.example.invalid', protocol: 'http:', port } as buildConnector.Options
    const error = await new Promise((resolve) => connect(options, (...[problem]) => resolve(problem)))
    expect(error).toMatchObject({ code: 'UNCHECKED_ADDRESS' })
    expect(bytes).toBe(0)
  })
})

/** Ways to write an address of this machine that parsers and resolvers have been seen to accept. */
function* spellings(): Generator<string> {
  yield* ['localhost', 'LOCALHOST', 'LocalHost.', 'localhost..', 'a.localhost', 'a.b.LOCALHOST.', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ']
  yield* ['ｌｏｃａｌｈｏｓｔ', 'localhost。', 'a．localhost', 'loc%61lhost', 'local\u00adhost', 'x.invalid']
  for (const quad of [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
  ]) {
    const parts = quad.split('.').map(Number) as [number, number, number, number]
    const [a, b, c, d] = parts
    const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
    const low16 = (c << 8) | d
    const low24 = (b << 16) | low16
    const hex = (value: number) => `0x${value.toString(16)}`
    const octal = (value: number) => `0${value.toString(8)}`
    const groups = `${((a << 8) | b).toString(16)}:${low16.toString(16)}`
    const plain = [
      quad,
      String(whole),
      hex(whole),
      octal(whole),
      `${a}.${low24}`,
      `${a}.${b}.${low16}`,
      `${hex(a)}.${hex(low24)}`,
      `${octal(a)}.${octal(b)}.${octal(low16)}`,
      parts.map(hex).join('.'),
      parts.map(octal).join('.'),
      `${hex(a)}.${octal(b)}.${c}.${d}`,
      `000${octal(a)}.${b}.${c}.${d}`,
    ]
    yield* plain
    yield* plain.map((text) => `${text}.`)
    yield* plain.map((text) => text.toUpperCase())
    yield* plain.map((text) => text.replaceAll('.', '。'))
    yield* plain.map((text) => text.replace('.', '．').replaceAll('.', '｡'))
    yield* plain.map((text) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))))
    yield* plain.map((text) =>
      text.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit))),
    )
    yield* [`${quad}..`, `${quad}%00`, `${quad} `, `${quad}\t`]
    yield* [
      `[::ffff:${quad}]`,
      `[::FFFF:${groups}]`,
      `[0:0:0:0:0:ffff:${groups}]`,
      `[::${quad}]`,
      `[::${groups}]`,
    ]
    yield* [`[64:ff9b::${quad}]`, `[64:ff9b::${groups}]`, `[64:ff9b:1::${quad}]`, `[2002:${groups}::]`]
    yield* [`[2002:${groups}::1]`, `[2001:0:${groups}::1]`, `[2001::${groups}]`, `[::ffff:0:${quad}]`]
    yield* [`[::ffff:${quad}%25lo]`, `[::ffff:${quad}%lo]`]
  }
  yield* [
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::0001]',
    '[::]',
    '[::1%25lo]',
    '[::1%lo]',
    '[fe80::1%25lo]',
    '[FE80::1]',
  ]
}
