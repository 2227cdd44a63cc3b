/** Packs and hooks from real servers: git by daemon and HTTP, npm, a folder on the web, a private index with its own CA. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { denies, type Machine, makeMachine, put, writePack } from './place.ts'
import {
  gitDaemon,
  gitHttp,
  hasGitServers,
  makeAuthority,
  makeRepository,
  npmRegistry,
  type Serving,
  staticServer,
} from './servers.ts'

let machine: Machine
beforeEach(async () => {
  machine = makeMachine()
  await machine.json('key', 'new')
})
afterEach(() => machine.remove())

const lock = () =>
  JSON.parse(readFileSync(join(machine.hooks, 'hooks.lock.json'), 'utf8')) as Record<
    'hooks' | 'packs',
    Record<string, Record<string, unknown>>
  >

describe.skipIf(!hasGitServers)('git', () => {
  const servers: Serving[] = []
  afterAll(() => {
    for (const server of servers) server.close()
  })

  it.each([
    ['its daemon', gitDaemon],
    ['HTTP', gitHttp],
  ])(
    'by %s: a pack by its tag, published with `publish --git`, and a branch that goes on',
    async (_, serve) => {
      const base = join(machine.root, 'git')
      const bare = makeRepository(join(base, 'pack.git'))
      bare.git('config', 'receive.denyCurrentBranch', 'ignore')
      const work = join(base, 'work')
      writePack(work)
      const repository = makeRepository(work)
      repository.commit('first')
      repository.git('remote', 'add', 'origin', join(base, 'pack.git'))
      const served = await serve(base)
      servers.push(served)
      Object.assign(machine.env, {
        GIT_AUTHOR_NAME: 't',
        GIT_AUTHOR_EMAIL: 't@example.com',
        GIT_COMMITTER_NAME: 't',
        GIT_COMMITTER_EMAIL: 't@example.com',
      })
      await machine.json('publish', work, '--git')
      const url = `${served.url}/pack.git`
      const [added] = await machine.json<Record<string, unknown>[]>('add', `${url}#v1.0.0`, '--yes')
      expect(added).toMatchObject({
        name: 'guard',
        version: '1.0.0',
        pack: 'acme/guards',
        signed: 'first',
        commit: repository.git('rev-parse', 'HEAD'),
      })
      expect(lock().packs['acme/guards']).toMatchObject({
        from: { type: 'git', url, ref: 'v1.0.0' },
        version: '1.0.0',
      })
      machine.lockMatches()
      writePack(work, { version: '1.1.0' })
      repository.commit('second')
      await machine.json('publish', work, '--git')
      const outdated = await machine.run('outdated', '--cooldown', '0', '--json')
      expect(JSON.parse(outdated.stdout)).toMatchObject({
        ok: false,
        packs: [{ name: 'acme/guards', version: '1.0.0', newest: '1.1.0' }],
      })
      expect(await machine.json('update', '--yes', '--no-replay', '--cooldown', '0')).toMatchObject([
        { updated: true, from: '1.0.0', to: '1.1.0' },
      ])
      expect(machine.files()['guard/HOOK.md']).toContain('reason: 1.1.0')
      machine.lockMatches()
      await machine.json('remove', 'acme/guards', '--forget-key')
      expect(machine.files()).toEqual({})
    },
  )
})

describe('npm', () => {
  it('takes what `publish --npm` gives to a registry; no script of the package runs', async () => {
    const registry = await npmRegistry()
    try {
      const host = registry.url.replace(/^http:/, '')
      writeFileSync(join(machine.root, 'npmrc'), `registry=${registry.url}\n${host}:_authToken=x\n`)
      machine.env.npm_config_registry = registry.url
      const folder = join(machine.root, 'npm-pack')
      writePack(folder)
      const ran = join(machine.root, 'ran')
      put(
        join(folder, 'package.json'),
        JSON.stringify({
          name: 'acme-guards',
          scripts: { postinstall: `touch ${ran}`, prepack: `touch ${ran}` },
        }),
      )
      await machine.json('publish', folder, '--npm')
      const [added] = await machine.json<Record<string, unknown>[]>('add', 'npm:acme-guards', '--yes')
      expect(added).toMatchObject({ pack: 'acme/guards', version: '1.0.0', signed: 'first' })
      expect(lock().packs['acme/guards']).toMatchObject({
        from: { type: 'npm', name: 'acme-guards', integrity: expect.stringMatching(/^sha512-/) },
      })
      writePack(folder, { version: '1.2.0' })
      await machine.json('publish', folder, '--npm')
      const held = JSON.parse((await machine.run('outdated', '--json')).stdout) as {
        packs: { note: string }[]
      }
      expect(held.packs[0]!.note).toMatch(/1\.2\.0 is too young/)
      registry.setTime('acme-guards', '1.2.0', '2026-01-01T00:00:00.000Z')
      expect(await machine.json('update', '--yes', '--no-replay')).toMatchObject([
        { updated: true, to: '1.2.0' },
      ])
      machine.lockMatches()
      await machine.json('remove', 'acme/guards', '--forget-key')
    } finally {
      registry.close()
    }
  })
})

describe('a folder on the web', () => {
  it('is what `publish --to` makes; a range chooses a version', async () => {
    const [folder, web] = [join(machine.root, 'web-pack'), join(machine.root, 'web')]
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
      writePack(folder, { version })
      await machine.json('publish', folder, '--to', web)
    }
    const server = await staticServer(web)
    try {
      expect(await machine.json('add', `${server.url}#1`, '--yes')).toMatchObject([
        { version: '1.1.0', signed: 'first' },
      ])
      await machine.json('remove', 'guard', '--forget-key')
      expect(await machine.json('add', server.url, '--yes')).toMatchObject([{ version: '2.0.0' }])
      await machine.json('remove', 'acme/guards', '--forget-key')
      expect(await machine.json('add', `${server.url}acme-guards-1.0.0.tar`, '--yes')).toMatchObject([
        { version: '1.0.0' },
      ])
      await machine.json('remove', 'acme/guards', '--forget-key')
    } finally {
      server.close()
    }
  })
})

describe('an index', () => {
  it('over HTTPS with its own CA and a token: search, info, add with --only and settings, offline, mirror', async () => {
    const authority = makeAuthority(join(machine.root, 'ca'))
    const [folder, site] = [join(machine.root, 'index-pack'), join(machine.root, 'site')]
    const hook = (name: string) => ({
      'HOOK.md': `---\nname: ${name}\n${denies(name)}---\n`,
      'cases.yaml':
        '- name: says no\n  event: before_tool\n  tool_name: Shell\n  tool_input: {command: ls}\n  expect: {decision: deny}\n',
    })
    writePack(folder, {
      more: 'settings:\n  host: {type: string, default: a}\nlevels:\n  strict: [two]\n',
      hooks: { one: hook('one'), two: hook('two') },
    })
    await machine.json('publish', folder, '--to', site)
    await machine.json('index', 'build', site, '--name', 'acme')
    const server = await staticServer(site, authority)
    const mirror = await staticServer(site)
    try {
      server.token = 'secret-token-of-acme'
      const without = await machine.run('index', 'add', server.url, '--ca', authority.ca)
      expect(without).toMatchObject({ status: 1, stderr: expect.stringContaining('401') })
      const stranger = await machine.run('index', 'add', server.url)
      expect(stranger.stderr).toMatch(/self-signed|unable to (?:get|verify)/)
      machine.env.ACME_TOKEN = server.token
      await machine.json(
        'index',
        'add',
        server.url,
        '--ca',
        authority.ca,
        '--token-env',
        'ACME_TOKEN',
        '--mirror',
        mirror.url,
      )
      expect(await machine.json('search', 'guards')).toMatchObject({
        found: expect.arrayContaining([expect.objectContaining({ index: 'acme', name: 'acme/guards' })]),
      })
      expect(await machine.json('info', 'acme/guards')).toMatchObject({ name: 'acme/guards', here: [] })
      expect(await machine.json('add', 'acme/guards@1', '--only', 'one', '--yes')).toMatchObject([
        { name: 'one', signed: 'listed' },
      ])
      expect(lock().packs['acme/guards']).toMatchObject({ only: ['one'] })
      await machine.json('remove', 'acme/guards')
      expect(await machine.json('add', 'acme/guards:strict', '--yes')).toMatchObject([{ name: 'two' }])
      await machine.json('remove', 'acme/guards')
      // The token goes to its own host only.
      server.fault = 'error'
      expect(await machine.json('add', 'acme/guards', '--yes')).toHaveLength(2)
      expect(mirror.requests.length).toBeGreaterThan(0)
      expect(mirror.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([])
      server.close()
      mirror.close()
      const refreshed = await machine.run('index', 'refresh')
      expect(refreshed).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/What it said on .* is used/),
      })
      expect(await machine.json('search', 'guards', '--offline')).toMatchObject({
        found: expect.arrayContaining([expect.objectContaining({ name: 'acme/guards' })]),
      })
      const kept = readFileSync(join(machine.home, '.local/state/crosshook/indexes/list.json'), 'utf8')
      expect(kept).not.toContain(server.token)
    } finally {
      server.close()
      mirror.close()
    }
  })
})
