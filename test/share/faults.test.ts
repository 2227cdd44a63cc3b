/** Servers that are down, slow, cut off or wrong: an error with a reason, nothing written, and what was known stays. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get } from '../../src/packs/fetch-file.ts'
import { filesBelow, type Machine, makeMachine, writePack } from './place.ts'
import { type Fault, type Static, staticServer } from './servers.ts'

let machine: Machine
let server: Static
let web: string
beforeAll(async () => {
  machine = makeMachine()
  await machine.json('key', 'new')
  web = join(machine.root, 'web')
  mkdirSync(web)
  const source = join(machine.root, 'pack')
  writePack(source)
  await machine.json('publish', source, '--to', web)
  await machine.json('index', 'build', web, '--name', 'acme')
  server = await staticServer(web)
  await machine.json('index', 'add', server.url)
})
afterAll(() => {
  server.close()
  machine.remove()
})

const FAULTS: [Fault, RegExp][] = [
  ['error', /the server answers 500/],
  ['cut', /ended before all was there|aborted|socket hang up/],
  ['short', /ended before all was there|aborted|socket hang up|is larger than \d+ bytes/],
  ['long', /has other bytes than it should/],
  ['redirect', /only HTTPS is used beyond this machine/],
]

describe('the archive of a pack', () => {
  it.each(FAULTS)('with the fault %s is an error, and nothing is written', async (fault, why) => {
    server.fault = fault
    server.where = /\.tar$/
    const { status, stderr } = await machine.run('add', 'acme/guards', '--yes')
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringMatching(why) })
    expect(filesBelow(machine.hooks)).toEqual({})
    server.fault = 'none'
  })
})

describe('an index', () => {
  it.each(FAULTS.filter(([fault]) => fault !== 'long'))(
    'with the fault %s is said, and what it said before is used',
    async (fault, why) => {
      server.fault = fault
      server.where = /index\.json$/
      const list = readFileSync(join(machine.home, '.local/state/crosshook/indexes/list.json'), 'utf8')
      const { status, stderr } = await machine.run('index', 'refresh')
      expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringMatching(why) })
      expect(readFileSync(join(machine.home, '.local/state/crosshook/indexes/list.json'), 'utf8')).toBe(list)
      expect(await machine.json('search', 'acme')).toMatchObject({ found: [{ name: 'acme/guards' }] })
      server.fault = 'none'
    },
  )

  it('that was cut to a shorter but whole file is refused by its signature', async () => {
    server.fault = 'long'
    server.where = /index\.json$/
    expect(await machine.run('index', 'refresh')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/signature does not hold/),
    })
    server.fault = 'none'
  })
})

describe('a request', () => {
  const options = { most: 1000, env: {}, idle: 300, longest: 700 }
  it('that nobody answers ends', async () => {
    server.fault = 'slow'
    server.where = /pack\.json/
    await expect(get(`${server.url}pack.json`, options)).rejects.toThrow(
      /nothing came for 0\.3 s|longer than/,
    )
    server.fault = 'none'
  })
  it('that never comes to its end ends', async () => {
    server.fault = 'endless'
    server.where = /small/
    writeFileSync(join(web, 'small'), 'x')
    await expect(get(`${server.url}small`, options)).rejects.toThrow(/nothing came for|longer than/)
    server.fault = 'none'
  })
  it('for more than is wanted ends', async () => {
    await expect(get(`${server.url}pack.json`, { ...options, most: 10 })).rejects.toThrow(/is larger than/)
  })
  it('to nobody ends', async () => {
    await expect(get('http://127.0.0.1:9/x', options)).rejects.toThrow(/ECONNREFUSED|could not be fetched/)
  })
  it.each([
    'http://example.com/x',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:password@example.com/',
    'x',
  ])('to %s is not made', async (url) => {
    await expect(get(url, options)).rejects.toMatchObject({ code: 'usage' })
  })
})

it('a source that is gone is said by outdated, and what is here stays', async () => {
  await machine.json('add', 'acme/guards', '--yes')
  const before = machine.files()
  writeFileSync(join(web, 'index.json.kept'), readFileSync(join(web, 'index.json')))
  await machine.json('index', 'remove', 'acme')
  const { stdout, status } = await machine.run('outdated')
  expect({ stdout, status }).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/gone upstream .* what is here stays/),
  })
  expect(machine.files()).toEqual(before)
  expect((await machine.run('sync', '--user', '--frozen')).status).toBe(0)
})
