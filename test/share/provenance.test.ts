/** Packages with a provenance, from a registry that serves it as npm's does, made by a Sigstore of the test's own. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Built, type OwnSigstore, ownSigstore } from './own-sigstore.ts'
import { type Machine, makeMachine, put, start, writePack } from './place.ts'
import { npmRegistry } from './servers.ts'

const GITHUB = 'https://token.actions.githubusercontent.com'
const BUILT: Built = {
  issuer: GITHUB,
  repository: 'https://github.com/acme/guards',
  workflow: '.github/workflows/release.yml',
  ref: 'refs/tags/v1.0.0',
  commit: 'f0b49a04e5a62250e0f60fb128004a73110fe311',
}
const WORKFLOW = `sigstore:${GITHUB}#https://github.com/acme/guards#.github/workflows/release.yml`

let machine: Machine
let registry: Awaited<ReturnType<typeof npmRegistry>>
let sigstore: OwnSigstore
beforeEach(async () => {
  machine = makeMachine()
  registry = await npmRegistry()
  sigstore = await ownSigstore()
  const host = registry.url.replace(/^http:/, '')
  writeFileSync(join(machine.root, 'npmrc'), `registry=${registry.url}\n${host}:_authToken=x\n`)
  machine.env.npm_config_registry = registry.url
  put(join(machine.home, '.config/crosshook/sigstore-root.json'), JSON.stringify(sigstore.root))
})
afterEach(() => {
  registry.close()
  machine.remove()
})

/** As a workflow publishes it: with npm, and no key of crosshook. */
async function publish(version: string, built: Partial<Built> | null = {}, by = sigstore): Promise<void> {
  const folder = join(machine.root, 'package')
  writePack(folder, { version })
  put(join(folder, 'package.json'), JSON.stringify({ name: 'acme-guards', version }))
  // The registry is in this process: nothing may block it.
  const { status, stderr } = await start('npm', ['publish', '--silent'], { cwd: folder, env: machine.env })
  if (status !== 0) throw new Error(stderr)
  registry.setTime('acme-guards', version, '2026-01-01T00:00:00.000Z')
  if (built !== null) await attest(version, built, by)
}

async function attest(
  version: string,
  built: Partial<Built> = {},
  by = sigstore,
  archive = registry.archive('acme-guards', version),
): Promise<void> {
  const subject = { name: `pkg:npm/acme-guards@${version}`, archive }
  registry.attest('acme-guards', version, await by.attest(subject, { ...BUILT, ...built }))
}

const add = () => machine.run('add', 'npm:acme-guards', '--yes')
const update = () => machine.run('update', '--yes', '--no-replay')

describe('a package that a workflow has built', () => {
  it('is shown with its repository and workflow, and pinned to them', async () => {
    await publish('1.0.0')
    const { status, stdout, stderr } = await add()
    expect([status, stderr]).toEqual([0, expect.any(String)])
    expect(stdout).toMatch(/built from +https:\/\/github\.com\/acme\/guards f0b49a04e5a6/)
    expect(stdout).toMatch(/built by +\.github\/workflows\/release\.yml/)
    expect(stdout).toMatch(
      /signature +signed by \.github\/workflows\/release\.yml of github\.com\/acme\/guards .*only this workflow counts/,
    )
    expect(readFileSync(join(machine.hooks, 'hooks.lock.json'), 'utf8')).toContain(WORKFLOW)
    expect(await machine.json('info', 'acme/guards')).toMatchObject({ signer: WORKFLOW, pinned: WORKFLOW })
    expect((await machine.run('info', 'acme/guards')).stdout).toMatch(
      /signed +by \.github\/workflows\/release\.yml of github\.com\/acme\/guards/,
    )
  })

  it('is brought again by sync for a colleague, who has the lock alone', async () => {
    await publish('1.0.0')
    expect((await machine.run('add', 'npm:acme-guards', '--project', '--yes')).status).toBe(0)
    rmSync(join(machine.home, '.local'), { recursive: true })
    rmSync(join(machine.project, '.agents/hooks/guard'), { recursive: true })
    expect(await machine.json('sync')).toMatchObject({ ok: true, synced: ['guard'] })
    registry.attest('acme-guards', '1.0.0', undefined)
    rmSync(join(machine.project, '.agents/hooks/guard'), { recursive: true })
    expect((await machine.run('sync')).stderr).toMatch(/is not signed now/)
  })

  it('is not updated to one that somebody else has built, or that nobody can prove', async () => {
    await publish('1.0.0')
    expect((await add()).status).toBe(0)
    const before = machine.files()
    await publish('1.1.0', null)
    const another = await ownSigstore()
    const archive = registry.archive('acme-guards', '1.1.0')
    const older = { name: 'pkg:npm/acme-guards@1.0.0', archive }
    const cases: [RegExp, () => Promise<void> | void][] = [
      [/it was signed by .* before, and is not signed now/, () => {}],
      [/is not signed now/, () => registry.attest('acme-guards', '1.1.0', null)],
      [
        /signed by .* of github\.com\/mallory\/guards/,
        () => attest('1.1.0', { repository: 'https://github.com/mallory/guards' }),
      ],
      [
        /signed by \.github\/workflows\/ci\.yml of/,
        () => attest('1.1.0', { workflow: '.github/workflows/ci.yml' }),
      ],
      [/\(gitlab\.example\), and was by/, () => attest('1.1.0', { issuer: 'https://gitlab.example' })],
      [/provenance does not hold/, () => attest('1.1.0', {}, another)],
      [/it is about other bytes/, () => attest('1.1.0', {}, sigstore, Buffer.from('another archive'))],
      [
        /it is about pkg:npm\/acme-guards@1\.0\.0/,
        async () => registry.attest('acme-guards', '1.1.0', await sigstore.attest(older, BUILT)),
      ],
    ]
    for (const [words, next] of cases) {
      await next()
      const { status, stdout, stderr } = await update()
      expect(stdout + stderr).toMatch(words)
      expect(status).not.toBe(0)
      expect(machine.files()).toEqual(before)
    }
    // Another tag of the same repository, by the same workflow.
    await attest('1.1.0', { ref: 'refs/tags/v1.1.0', commit: 'a'.repeat(40) })
    expect((await update()).status).toBe(0)
    expect(machine.files()['guard/HOOK.md']).toContain('reason: 1.1.0')
    machine.lockMatches()
  })

  it('moves to another workflow when the person says so', async () => {
    await publish('1.0.0')
    expect((await add()).status).toBe(0)
    await publish('1.1.0', { repository: 'https://github.com/acme-next/guards' })
    expect((await update()).status).not.toBe(0)
    const next = WORKFLOW.replace('acme/guards', 'acme-next/guards')
    await machine.json('key', 'trust', next, '--pack', 'acme/guards')
    expect((await update()).status).toBe(0)
    await machine.json('key', 'revoke', next)
    await publish('1.2.0', { repository: 'https://github.com/acme-next/guards' })
    const { status, stdout, stderr } = await update()
    expect(status).not.toBe(0)
    expect(stdout + stderr).toMatch(/the workflow .* was revoked/)
  })
})

describe('the first time', () => {
  it('a proof that does not hold is refused, and nothing is written', async () => {
    await publish('1.0.0', {}, await ownSigstore())
    const { status, stderr } = await add()
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/npm:acme-guards@1\.0\.0: its provenance does not/),
    ])
    expect(machine.files()).toEqual({})
  })

  it('a missing provenance is reported, and the package counts as unsigned', async () => {
    await publish('1.0.0', null)
    registry.attest('acme-guards', '1.0.0', null)
    const { status, stdout, stderr } = await add()
    expect(status).toBe(0)
    expect(stderr).toContain('names a provenance of acme-guards 1.0.0, and does not have it')
    expect(stdout).toContain('UNSIGNED')
  })

  it('a root of the person that cannot be read is said', async () => {
    await publish('1.0.0')
    put(join(machine.home, '.config/crosshook/sigstore-root.json'), 'not JSON')
    expect((await add()).stderr).toMatch(/sigstore-root\.json cannot be read/)
    expect(machine.files()).toEqual({})
  })
})
