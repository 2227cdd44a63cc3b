/** Updates: what changes is shown, more rights ask again, and the last one can be taken back. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CASES, denies, type Machine, makeMachine, put, writePack } from './place.ts'
import { type Static, staticServer } from './servers.ts'

let machine: Machine
let server: Static
let web: string
beforeAll(async () => {
  machine = makeMachine()
  await machine.json('key', 'new')
  web = join(machine.root, 'web')
  mkdirSync(web)
  server = await staticServer(web)
})
afterAll(() => {
  server.close()
  machine.remove()
})
beforeEach(() => {
  for (const folder of [machine.hooks, web, join(machine.project, '.agents')])
    rmSync(folder, { recursive: true, force: true })
  mkdirSync(web)
})

const when = (reason: string, condition = 'true') => ({
  'HOOK.md': `---\nname: guard\n${denies(reason)}when: '${condition}'\n---\n`,
  'cases.yaml': CASES.replace('command: ls', 'command: rm x'),
})
const script = (sandbox: string) => ({
  'HOOK.md': `---\nname: guard\ndescription: d\ntrigger: before_tool\non_failure: closed\n${sandbox}matcher:\n  tool: Shell\n---\n`,
  'scripts/run.sh': '#!/bin/sh\nexit 2\n',
  'cases.yaml': CASES,
})

async function publish(
  version: string,
  guard: Record<string, string>,
  ago = '2026-01-01T00:00:00.000Z',
): Promise<void> {
  const source = join(machine.root, 'source')
  rmSync(source, { recursive: true, force: true })
  writePack(source, { version, hooks: { guard } })
  await machine.json('publish', source, '--to', web, '--unused')
  const file = join(web, 'pack.json')
  const record = JSON.parse(readFileSync(file, 'utf8')) as { versions: Record<string, { published: string }> }
  record.versions[version]!.published = ago
  writeFileSync(file, JSON.stringify(record))
}

describe('an update', () => {
  it('shows what changes in its text and does nothing without a yes', async () => {
    await publish('1.0.0', when('first'))
    await machine.json('add', server.url, '--yes')
    await publish('1.1.0', when('second'))
    const before = machine.files()
    const shown = await machine.run('update', '--no-replay')
    expect(shown.stdout).toMatch(/acme\/guards 1\.0\.0 → 1\.1\.0, published 2026-01-01/)
    expect(shown.stdout).toMatch(/^ {2}-.*reason: first$/m)
    expect(shown.stdout).toMatch(/^ {2}\+.*reason: second$/m)
    expect(shown).toMatchObject({ status: 1, stderr: expect.stringMatching(/no terminal to ask on/) })
    expect(machine.files()).toEqual(before)
    expect((await machine.run('update', '--check')).status).toBe(1)
    expect(await machine.json('update', '--yes', '--no-replay')).toMatchObject([
      { updated: true, more_rights: false },
    ])
    expect((await machine.run('update', '--check')).status).toBe(0)
    machine.lockMatches()
  })

  it('is taken back as a whole, once', async () => {
    await publish('1.0.0', when('first'))
    await machine.json('add', server.url, '--yes')
    const before = machine.files()
    await publish('1.1.0', { ...when('second'), 'more.md': 'new file' })
    await machine.json('update', '--yes', '--no-replay')
    expect(machine.files()['guard/more.md']).toBe('new file')
    await machine.json('update', '--undo', '--yes')
    expect(machine.files()).toEqual(before)
    expect(await machine.run('update', '--undo', '--yes')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no update here that could be taken back/),
    })
  })

  it('with more rights needs a word of its own; with fewer it does not', async () => {
    await publish('1.0.0', script('sandbox: true\n'))
    await machine.json('add', server.url, '--yes')
    await publish('1.1.0', script('sandbox:\n  connect: ["*"]\n  read: [project]\n'))
    const before = machine.files()
    const refused = await machine.run('update', '--yes', '--no-replay')
    expect(refused.stdout).toMatch(/guard MORE: reaches the network/)
    expect(refused.stdout).toMatch(/guard MORE: reads project/)
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/more rights than it has/) })
    expect(machine.files()).toEqual(before)
    expect(await machine.json('update', '--yes', '--more-rights', '--no-replay')).toMatchObject([
      { updated: true, more_rights: true },
    ])
    await publish('1.2.0', script('sandbox: true\n'))
    expect(await machine.json('update', '--yes', '--no-replay')).toMatchObject([
      { updated: true, more_rights: false },
    ])
  })

  it('to a version that is too young is held back, and an older one is taken', async () => {
    await publish('1.0.0', when('first'))
    await machine.json('add', server.url, '--yes')
    await publish('1.1.0', when('second'))
    await publish('1.2.0', when('third'), new Date(Date.now() - 2 * 86_400_000).toISOString())
    const updated = await machine.run('update', '--yes', '--no-replay')
    expect(updated.stderr).toMatch(/1\.2\.0 is too young/)
    expect(machine.files()['guard/HOOK.md']).toContain('second')
    put(join(machine.home, '.config/crosshook/config.toml'), '[updates]\ncooldown_days = 1\n')
    await machine.json('update', '--yes', '--no-replay')
    expect(machine.files()['guard/HOOK.md']).toContain('third')
    rmSync(join(machine.home, '.config/crosshook/config.toml'))
  })

  it('leaves what is frozen, and what a person has edited', async () => {
    await publish('1.0.0', when('first'))
    await machine.json('add', server.url, '--yes')
    await publish('1.1.0', when('second'))
    await machine.json('update', '--freeze')
    expect((await machine.run('update', '--yes', '--no-replay')).stderr).toMatch(/frozen/)
    expect((await machine.run('update', '--check')).status).toBe(0)
    expect(machine.files()['guard/HOOK.md']).toContain('first')
    await machine.json('update', '--unfreeze')
    put(join(machine.hooks, 'guard/notes.md'), 'mine')
    expect(await machine.run('update', '--yes', '--no-replay')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/was changed since it was added/),
    })
    expect(machine.files()['guard/notes.md']).toBe('mine')
  })

  it('says what it would newly deny of the last weeks', async () => {
    await publish('1.0.0', when('first', 'tool_input.command.contains("rm")'))
    await machine.json('add', server.url, '--yes')
    for (const command of ['ls', 'git push', 'rm x'])
      await machine.run('fire', 'before_tool', '--tool', 'Shell', '--input', JSON.stringify({ command }))
    await publish(
      '1.1.0',
      when('second', 'tool_input.command.contains("rm") || tool_input.command.contains("git")'),
    )
    const { stdout } = await machine.run('update')
    expect(stdout).toMatch(/replayed on your last 30 days: \d+ of \d+ calls/)
    expect(stdout).toMatch(/would newly deny 1 \(allow → deny\)/)
    expect(stdout).toMatch(/git push/)
  })
})

describe('a folder on this machine', () => {
  it('without a PACK.md is up to date until its hooks change', async () => {
    const folder = join(machine.root, 'plain')
    put(join(folder, 'guard/HOOK.md'), when('first')['HOOK.md'])
    await machine.json('add', folder, '--yes')
    expect((await machine.run('outdated')).status).toBe(0)
    put(join(folder, 'guard/HOOK.md'), when('second')['HOOK.md'])
    expect((await machine.run('outdated')).status).toBe(1)
    await machine.json('update', '--yes', '--no-replay')
    expect(machine.files()['guard/HOOK.md']).toContain('second')
    expect((await machine.run('outdated')).status).toBe(0)
    machine.lockMatches()
  })
})

describe('in a project', () => {
  it('trust follows an update with the same rights, and not one with more', async () => {
    const trusted = async () =>
      JSON.parse((await machine.run('list', '--json')).stdout) as {
        name: string
        trust?: string
        state?: string
      }[]
    await publish('1.0.0', script('sandbox: true\n'))
    await machine.json('add', server.url, '--yes', '--project')
    await machine.json('trust', 'guard', '--yes')
    await publish('1.1.0', { ...script('sandbox: true\n'), 'notes.md': 'x' })
    await machine.json('update', '--yes', '--no-replay', '--project')
    expect((await machine.run('trust')).stdout).toMatch(/Nothing to trust/)
    await publish('1.2.0', script('sandbox:\n  read: [project]\n'))
    await machine.json('update', '--yes', '--no-replay', '--project', '--more-rights')
    expect((await machine.run('trust')).stdout).toMatch(/has changed since you trusted it/)
    expect(await trusted()).toBeTruthy()
  })

  it('the lock file alone is enough for a colleague, and --frozen fails on any difference', async () => {
    await publish('1.0.0', when('first'))
    await machine.json('add', server.url, '--yes', '--project')
    await machine.json('add', 'git-guard', '--project')
    const folder = join(machine.project, '.agents/hooks')
    const colleague = makeMachine()
    try {
      mkdirSync(join(colleague.project, '.agents/hooks'), { recursive: true })
      cpSync(join(folder, 'hooks.lock.json'), join(colleague.project, '.agents/hooks/hooks.lock.json'))
      expect(await colleague.run('sync', '--frozen')).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(/missing {2}guard/),
      })
      expect(await colleague.json('sync')).toMatchObject({
        ok: true,
        synced: expect.arrayContaining(['guard', 'git-guard']),
      })
      expect(await colleague.json('sync', '--frozen')).toMatchObject({ ok: true })
      const { filesBelow } = await import('./place.ts')
      expect(filesBelow(join(colleague.project, '.agents/hooks'))).toEqual(filesBelow(folder))
      put(join(colleague.project, '.agents/hooks/guard/HOOK.md'), 'edited')
      expect((await colleague.run('sync', '--frozen')).status).toBe(1)
      expect((await colleague.run('sync')).stderr).toMatch(/changes would be lost/)
      await colleague.json('sync', '--yes')
      rmSync(join(colleague.project, '.agents/hooks/guard'), { recursive: true })
      rmSync(join(web, 'acme-guards-1.0.0.tar'))
      await publish('1.0.0', when('evil')).catch(() => undefined)
      const gone = await colleague.run('sync')
      expect(gone.status).toBe(1)
    } finally {
      colleague.remove()
    }
  })
})
