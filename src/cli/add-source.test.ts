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
import { fetchSource, hooksFolderIn } from './add-source.ts'

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

describe('a package', () => {
  it('is brought without running its scripts, with its version, and can be removed', async () => {
    const fetched = await fetchSource('npm:some-hooks', env)
    expect(fetched).toMatchObject({ kind: 'npm', version: '1.2.3' })
    expect(readdirSync(hooksFolderIn(fetched.folder))).toEqual(['guard'])
    expect(existsSync(join(folder, 'ran'))).toBe(false)
    fetched.remove()
    expect(existsSync(fetched.folder)).toBe(false)
  })

  it('that is not there is an error that says so', async () => {
    await expect(fetchSource('npm:no-hooks', env)).rejects.toMatchObject({
      code: 'bad_source',
      message: expect.stringContaining('npm could not bring it'),
    })
  })
})

it('names that could be read as something else are refused', async () => {
  for (const source of [
    'npm:../x',
    'npm:file:x',
    'npm:https://example.com/x.tgz',
    '--upload-pack=x',
    'gallery',
    '',
  ])
    await expect(fetchSource(source, env), source).rejects.toMatchObject({ code: 'not_found' })
  await expect(fetchSource('https://example.com/x.git#--upload-pack=x', env)).rejects.toMatchObject({
    code: 'usage',
  })
})
