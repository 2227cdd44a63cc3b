/** Hooks from a registry: a small one on this machine, asked by the real npm. */

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchWord } from '../fetch.ts'
import type { IndexStore } from '../index-store.ts'
import { openPack } from '../pack.ts'
import { fetchNpm } from './npm.ts'

let folder: string
let server: Server
const env = { ...process.env }

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'crosshook-registry-')))
  const tarball = makePackage(folder)
  server = createServer((request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (request.url === '/some-hooks')
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          name: 'some-hooks',
          'dist-tags': { latest: '1.2.3' },
          versions: {
            '1.2.3': { name: 'some-hooks', version: '1.2.3', dist: { tarball: `${base}/some-hooks.tgz` } },
          },
        }),
      )
    else if (request.url === '/some-hooks.tgz') response.end(readFileSync(tarball))
    else response.writeHead(404).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  Object.assign(env, {
    npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    npm_config_cache: join(folder, 'cache'),
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_update_notifier: 'false',
  })
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

/** A package whose scripts would leave a mark, with one hook. */
function makePackage(root: string): string {
  const files = join(root, 'package')
  mkdirSync(join(files, 'hooks/guard'), { recursive: true })
  const mark = `touch ${join(root, 'ran')}`
  const scripts = { preinstall: mark, install: mark, postinstall: mark, prepare: mark, prepack: mark }
  writeFileSync(
    join(files, 'package.json'),
    JSON.stringify({ name: 'some-hooks', version: '1.2.3', scripts }),
  )
  writeFileSync(
    join(files, 'hooks/guard/HOOK.md'),
    '---\nname: guard\ndescription: d\ntrigger: before_tool\noutcome: {decision: deny}\n---\n',
  )
  execFileSync('tar', ['-czf', join(root, 'some-hooks.tgz'), '-C', root, 'package'])
  return join(root, 'some-hooks.tgz')
}

const indexes = { list: () => [], find: () => [] } as unknown as IndexStore
const around = () => ({ env, stateDir: join(folder, 'state'), cacheDir: join(folder, 'cache') })

describe('a package', () => {
  it('is brought without running its scripts, with its version', async () => {
    const before = readdirSync(tmpdir())
    const fetched = await fetchWord('npm:some-hooks', around(), indexes)
    expect(fetched).toMatchObject({
      version: '1.2.3',
      origin: {
        type: 'npm',
        name: 'some-hooks',
        version: '1.2.3',
        integrity: expect.stringMatching(/^sha512-/),
      },
    })
    expect((await openPack(fetched!.files, 'x')).hooks.map(({ hook }) => hook.name)).toEqual(['guard'])
    expect(existsSync(join(folder, 'ran'))).toBe(false)
    const left = readdirSync(tmpdir()).filter(
      (name) => name.startsWith('crosshook-npm-') && !before.includes(name),
    )
    expect(left).toEqual([])
  })

  it('whose bytes have changed is refused', async () => {
    await expect(
      fetchNpm({ name: 'some-hooks', range: '1.2.3' }, around(), { integrity: 'sha512-AAAA' }),
    ).rejects.toMatchObject({ code: 'refused' })
  })

  it('that is not there is an error that says so', async () => {
    await expect(fetchWord('npm:no-hooks', around(), indexes)).rejects.toMatchObject({
      code: 'bad_source',
      message: expect.stringContaining('npm could not bring it'),
    })
  })
})

it('names that could be read as something else are refused', async () => {
  for (const source of [
    'npm:../x',
    'npm:file:x',
    'npm:-x',
    'npm:https://example.com/x',
    '--upload-pack=x',
    'gallery',
    '',
  ])
    expect(await fetchWord(source, around(), indexes), source).toBeUndefined()
  for (const source of [
    'https://example.com/x.git#--upload-pack=x',
    'https://example.com/x#a..b',
    'https://example.com/x#HEAD@{1}',
    'ext::sh -c touch% made.git',
    'ssh://-oProxyCommand=x/y.git',
    'git@-oProxyCommand:y',
    '-x.git',
    'https://example.com/a b.git',
  ])
    await expect(fetchWord(source, around(), indexes), source).rejects.toMatchObject({ code: 'usage' })
})
