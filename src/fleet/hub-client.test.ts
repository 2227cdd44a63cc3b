import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newKey } from '../sign/keys.ts'
import { createClient, HubError } from './hub-client.ts'

/** Something that answers in the place of a hub. */
async function hub(answer: RequestListener) {
  let ended = 0
  const server = createServer((request, response) => {
    response.on('close', () => ended++)
    answer(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, client: createClient(newKey(), { url, tenant: 'a', id: 'e' }), ended: () => ended }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const EVENTS = { 'content-type': 'text/event-stream' }
const BOMB = Buffer.alloc(20 * 1024 * 1024, 0x20)

describe('what a hub answers', () => {
  it('is taken as it is', async () => {
    const { client } = await hub((_, response) => response.writeHead(200, JSON_TYPE).end('{"a":1}'))
    expect((await client.call('GET', '/fleet/x')).toString()).toBe('{"a":1}')
  })

  it.each<[string, RegExp, RequestListener]>([
    [
      'never ends',
      /longer than/,
      (_, response) => {
        response.writeHead(200, JSON_TYPE)
        const more = () => {
          while (!response.destroyed && response.write(BOMB.subarray(0, 65_536)));
        }
        response.on('drain', more)
        more()
      },
    ],
    [
      'is a bomb of gzip',
      /longer than/,
      (_, response) =>
        response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(BOMB)),
    ],
    [
      'is a bomb of zstd',
      /longer than/,
      (_, response) =>
        response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'zstd' }).end(zstdCompressSync(BOMB)),
    ],
    [
      'is a refusal that never ends',
      /longer than/,
      (_, response) => response.writeHead(500, JSON_TYPE).end(BOMB.subarray(0, 100_000)),
    ],
    [
      'is a page of a portal',
      /is no hub: it sends text\/html/,
      (_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'),
    ],
    ['has no type', /no content type/, (_, response) => response.writeHead(200).end('{}')],
    [
      'leads to another address',
      /cannot be reached/,
      (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    [
      'is cut off',
      /cannot be re(?:ad|ached)/,
      (_, response) => {
        response.writeHead(200, { ...JSON_TYPE, 'content-length': '100' })
        response.write('{')
        response.destroy()
      },
    ],
  ])('and %s is refused, and the connection ends', async (_, words, answer) => {
    const { client, ended } = await hub(answer)
    const refused = await client.call('POST', '/fleet/x', '{}').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(HubError)
    expect((refused as HubError).message).toMatch(words)
    await expect.poll(ended).toBe(1)
  })
})

describe('the events of a hub', () => {
  const all = async (answer: RequestListener) => {
    const { client, ended } = await hub(answer)
    const names: string[] = []
    const error = await (async () => {
      for await (const { name } of client.events('0.0', new AbortController().signal)) names.push(name)
      return undefined
    })().catch((thrown: unknown) => thrown as HubError)
    await expect.poll(ended).toBe(1)
    return { names, error }
  }

  it('come one by one, in whatever pieces', async () => {
    const { names, error } = await all((_, response) => {
      response.writeHead(200, EVENTS)
      for (const piece of ['event: pol', 'icy\ndata: 1\n', '\n: beat\n\nevent: revoked\n\n'])
        response.write(piece)
      response.end()
    })
    expect({ names, error }).toEqual({ names: ['policy', 'alive', 'revoked'], error: undefined })
  })

  it.each<[string, RegExp, RequestListener]>([
    [
      'that never end',
      /an event that never ends/,
      (_, response) => {
        response.writeHead(200, EVENTS)
        const more = () => {
          while (!response.destroyed && response.write(`data: ${'x'.repeat(65_536)}\n`));
        }
        response.on('drain', more)
        more()
      },
    ],
    [
      'that flood',
      /more events than/,
      (_, response) => {
        response.writeHead(200, EVENTS)
        const more = () => {
          while (!response.destroyed && response.write(': beat\n\n'.repeat(100)));
        }
        response.on('drain', more)
        more()
      },
    ],
    [
      'in a page of a portal',
      /is no hub/,
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('event: policy\n\n'),
    ],
  ])('%s are refused', async (_, words, answer) => {
    const { error } = await all(answer)
    expect(error).toBeInstanceOf(HubError)
    expect(error!.message).toMatch(words)
  })
})
