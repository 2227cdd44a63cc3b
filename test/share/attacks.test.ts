/** What an attacker may send: each is refused with a reason, and nothing is written. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CASES, denies, filesBelow, type Machine, makeMachine, put, writePack } from './place.ts'
import { makeRepository, type Static, staticServer } from './servers.ts'

let machine: Machine
let server: Static
let web: string
beforeAll(async () => {
  machine = makeMachine()
  await machine.json('key', 'new')
  await machine.json('key', 'new', 'other')
  web = join(machine.root, 'web')
  mkdirSync(web)
  server = await staticServer(web)
})
afterAll(() => {
  server.close()
  machine.remove()
})
beforeEach(() => {
  rmSync(machine.hooks, { recursive: true, force: true })
  rmSync(join(machine.home, '.local/state/crosshook/keys/others.json'), { force: true })
  rmSync(join(machine.home, '.local/state/crosshook/indexes'), { recursive: true, force: true })
  rmSync(web, { recursive: true, force: true })
  mkdirSync(web)
})

let count = 0
const scratch = () => join(machine.root, `scratch-${count++}`)

async function refused(args: readonly string[], why: RegExp): Promise<void> {
  const before = filesBelow(machine.home)
  const { status, stdout, stderr } = await machine.run(...args)
  expect(`${stdout}${stderr}`).toMatch(why)
  expect(status).toBe(1)
  const state = /\.local\/state|\.cache/
  const kept = (files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).filter(([path]) => !state.test(path)))
  expect(kept(filesBelow(machine.home))).toEqual(kept(before))
}

async function publishTo(
  folder: string,
  pack: Parameters<typeof writePack>[1] = {},
  ...more: string[]
): Promise<string> {
  const source = scratch()
  writePack(source, pack)
  await machine.json('publish', source, '--to', folder, ...more)
  return source
}

describe('an archive', () => {
  const archive = (make: (folder: string) => void, ...options: string[]) => {
    const folder = scratch()
    writePack(folder)
    make(folder)
    writeFileSync(
      join(web, 'x.tar'),
      execFileSync('tar', ['-C', folder, '-P', ...options, '-cf', '-', 'PACK.md', 'LICENSE', 'hooks']),
    )
    return ['add', `${server.url}x.tar`, '--yes']
  }

  it('with a link is refused', () =>
    refused(
      archive((folder) => symlinkSync('/etc/passwd', join(folder, 'hooks/guard/link'))),
      /is a link or a special file/,
    ))
  it('with a hard link is refused', () =>
    refused(
      archive((folder) => execFileSync('ln', [join(folder, 'LICENSE'), join(folder, 'hooks/guard/hard')])),
      /is a link or a special file/,
    ))
  it('that leads out of its folder is refused', () =>
    refused(
      archive(
        (folder) => put(join(folder, 'hooks/guard/evil'), 'x'),
        '--transform=s,hooks/guard/evil,hooks/guard/../../../evil,',
      ),
      /leads out of it/,
    ))
  it('with an absolute path is refused', () =>
    refused(
      archive(
        (folder) => put(join(folder, 'hooks/guard/evil'), 'x'),
        '--transform=s,hooks/guard/evil,/tmp/crosshook-evil,',
      ),
      /leads out of it/,
    ))
  it('with two names that some systems take for one is refused', () =>
    refused(
      archive((folder) => put(join(folder, 'hooks/guard/hook.MD'), 'x')),
      /same file as/,
    ))
  it('with names in two Unicode forms is refused', () =>
    refused(
      archive((folder) => put(join(folder, 'hooks/guard/cafe\u0301'), 'x')),
      /NFC/,
    ))
  it('that hides its name from a terminal is refused', () =>
    refused(
      archive((folder) => put(join(folder, 'hooks/guard/a\u202eb'), 'x')),
      /characters that hide/,
    ))
  it('that unpacks beyond the size limit is refused', () => {
    writeFileSync(join(web, 'x.tgz'), gzipSync(Buffer.alloc(100 * 1024 * 1024)))
    return refused(['add', `${server.url}x.tgz`, '--yes'], /larger than 64 MiB/)
  })
  it('with too many files is refused', () =>
    refused(
      archive((folder) => {
        for (let at = 0; at < 501; at++) put(join(folder, `hooks/guard/f${at}`), 'x')
      }),
      /more than 500 files/,
    ))
  it('with a file that is a folder as well is refused', () =>
    refused(
      archive((folder) => {
        put(join(folder, 'hooks/guard/a'), 'x')
        put(join(folder, 'hooks/guard/B/c'), 'x')
      }, '--transform=s,hooks/guard/B,hooks/guard/a,'),
      /a file and a folder/,
    ))
})

describe('a signature', () => {
  it('does not hold when a byte was changed after it', async () => {
    const source = await publishTo(web)
    cpSync(source, join(web, 'plain'), { recursive: true })
    const files = join(machine.root, 'resigned')
    mkdirSync(files, { recursive: true })
    execFileSync('tar', ['-C', files, '-xf', join(web, 'acme-guards-1.0.0.tar')])
    put(join(files, 'hooks/guard/HOOK.md'), `---\nname: guard\n${denies('evil')}---\n`)
    await refused(['add', files, '--yes'], /does not hold for its bytes/)
  })

  it('by a key other than the first is refused, and so is none; a key that the old one handed over to is not', async () => {
    await publishTo(web)
    await machine.json('add', server.url, '--yes')
    const before = machine.files()
    await publishTo(join(web, 'foreign'), { version: '1.1.0' }, '--key', 'other')
    await refused(['add', `${server.url}foreign/`, '--yes'], /and was by [0-9a-f]{16} before/)
    await publishTo(join(web, 'unsigned'), { version: '1.2.0' }, '--unsigned')
    await refused(['add', `${server.url}unsigned/`, '--yes'], /is not signed now/)
    expect(machine.files()).toEqual(before)
    await machine.json('key', 'new', 'next', '--replaces', 'default')
    await publishTo(join(web, 'rotated'), { version: '1.3.0' }, '--key', 'next')
    expect(await machine.json('add', `${server.url}rotated/`, '--yes')).toMatchObject([
      { version: '1.3.0', signed: 'rotated' },
    ])
    await publishTo(join(web, 'old'), { version: '1.4.0' })
    await refused(['add', `${server.url}old/`, '--yes'], /and was by/)
  })

  it('by a revoked key is refused', async () => {
    await publishTo(web)
    const { own } = await machine.json<{ own: { name: string; public: string }[] }>('key', 'show')
    await machine.json(
      'key',
      'revoke',
      own.find(({ name }) => name === 'default')!.public,
      '--reason',
      'stolen',
    )
    await refused(['add', server.url, '--yes'], /was revoked: stolen/)
  })

  it('of minisign or ssh-keygen counts like one of crosshook', async () => {
    const source = scratch()
    writePack(source)
    const key = join(machine.root, 'ssh-key')
    rmSync(key, { force: true })
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    const { stdout } = await machine.run('publish', source, '--statement')
    const signature = execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'crosshook-pack', '-f', key], {
      input: stdout,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    put(join(machine.root, 'sig'), signature.toString())
    await machine.json(
      'publish',
      source,
      '--to',
      web,
      '--signature',
      join(machine.root, 'sig'),
      '--signer',
      `${key}.pub`,
    )
    expect(await machine.json('add', server.url, '--yes')).toMatchObject([{ signed: 'first' }])
    put(join(machine.root, 'sig'), signature.toString().replace(/\n.(?=.{20})/, '\nA'))
    const wrong = await machine.run(
      'publish',
      source,
      '--to',
      join(web, 'w'),
      '--signature',
      join(machine.root, 'sig'),
      '--signer',
      `${key}.pub`,
    )
    expect(wrong.stderr).toMatch(/is not a signature by this key/)
  })

  it('that is missing is said wherever the pack is shown', async () => {
    await publishTo(web, {}, '--unsigned')
    await machine.json('index', 'build', web, '--name', 'acme', '--unsigned')
    expect((await machine.run('index', 'add', server.url)).stderr).toMatch(/nobody has signed the index/)
    expect((await machine.run('index', 'add', server.url, '--unsigned')).stdout).toMatch(/UNSIGNED/)
    expect((await machine.run('search', 'acme')).stdout).toMatch(/unsigned/)
    expect((await machine.run('info', 'acme/guards')).stdout).toMatch(/UNSIGNED/)
    const added = await machine.run('add', 'acme/guards', '--yes')
    expect(added.stdout).toMatch(/UNSIGNED/)
    expect(added.stdout).toMatch(/added guard in .* \(unsigned\)/)
    expect(readFileSync(join(web, 'index.html'), 'utf8')).toMatch(/unsigned/)
  })
})

describe('an index', () => {
  const build = (...more: string[]) => machine.json('index', 'build', web, '--name', 'acme', ...more)
  const index = () => join(web, 'index.json')
  const refresh = () => machine.run('index', 'refresh')

  it('that goes back is refused, and what was known stays', async () => {
    await publishTo(web)
    await build()
    const first = readFileSync(index())
    await machine.json('index', 'add', server.url)
    await publishTo(web, { version: '1.1.0' })
    await build()
    expect((await refresh()).status).toBe(0)
    writeFileSync(index(), first)
    expect(await refresh()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/went back from number 2 to 1/),
    })
    expect(await machine.json('add', 'acme/guards', '--yes')).toMatchObject([{ version: '1.1.0' }])
    await refused(['add', 'acme/guards@1.0.0', '--yes'], /1\.1\.0 is here, and this is the older 1\.0\.0/)
    await machine.json('add', 'acme/guards@1.0.0', '--yes', '--downgrade')
  })

  it('with the same number and other bytes, another key, no signature or a broken one is refused', async () => {
    await publishTo(web)
    await build()
    const first = readFileSync(index(), 'utf8')
    await machine.json('index', 'add', server.url)
    const says = async (text: string, why: RegExp) => {
      writeFileSync(index(), text)
      expect(await refresh()).toMatchObject({ status: 1, stderr: expect.stringMatching(why) })
    }
    await says(first.replace('Guards of Acme', 'Guards of Evil'), /signature does not hold/)
    await says(
      first.replace(/"key":"[^"]*","signature":"[^"]*"/, '"key":null,"signature":null'),
      /not signed any more/,
    )
    writeFileSync(index(), first)
    await machine.json('index', 'sign', web, '--with', 'other')
    await says(readFileSync(index(), 'utf8'), /signed by another key/)
    await says('<html>404</html>', /not an index/)
    await says('', /not an index/)
    rmSync(index())
    await publishTo(web, { version: '1.1.0' })
    await build()
    await says(readFileSync(index(), 'utf8'), /two different ones with the number 1/)
    writeFileSync(index(), first)
    expect((await refresh()).status).toBe(0)
  })

  it('that lists other bytes for a version than before is refused', async () => {
    await publishTo(web)
    await build()
    await machine.json('index', 'add', server.url)
    rmSync(web, { recursive: true })
    mkdirSync(web)
    await publishTo(web, {
      hooks: { guard: { 'HOOK.md': `---\nname: guard\n${denies('evil')}---\n`, 'cases.yaml': CASES } },
    })
    await build()
    await build()
    expect(await refresh()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/has other bytes than before/),
    })
  })

  it('whose archive has other bytes than it lists is refused', async () => {
    await publishTo(web)
    await build()
    await machine.json('index', 'add', server.url)
    const file = join(web, 'acme-guards-1.0.0.tar')
    const bytes = readFileSync(file)
    bytes[700]! ^= 1
    writeFileSync(file, bytes)
    await refused(['add', 'acme/guards', '--yes'], /has other bytes than it should/)
  })

  it('that revokes a key, or yanks a version, keeps both from being added', async () => {
    await publishTo(web)
    await publishTo(web, { version: '1.1.0' })
    await build('--yank', 'acme/guards@1.1.0=denies nothing')
    await machine.json('index', 'add', server.url)
    await refused(['add', 'acme/guards@1.1.0', '--yes'], /was yanked: denies nothing/)
    expect(await machine.json('add', 'acme/guards', '--yes')).toMatchObject([{ version: '1.0.0' }])
    const { own } = await machine.json<{ own: { name: string; public: string }[] }>('key', 'show')
    await build('--revoke', `${own.find(({ name }) => name === 'default')!.public}=lost`)
    await machine.run('index', 'refresh')
    expect((await machine.run('outdated')).stdout).toMatch(/the key that signed it was REVOKED: lost/)
    await machine.json('remove', 'acme/guards')
    await refused(['add', 'acme/guards', '--yes'], /was revoked: lost/)
  })

  it('whose key was handed over by the old one goes on', async () => {
    await publishTo(web)
    await build()
    await machine.json('index', 'add', server.url)
    await machine.json('key', 'new', 'heir', '--replaces', 'default')
    await build('--with', 'heir')
    expect(await refresh()).toMatchObject({ status: 0 })
    // The old one cannot come back.
    await build()
    expect(await refresh()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/signed by another key/),
    })
  })

  it('says that a pack has another name now, if the same key signs both', async () => {
    await publishTo(join(web, 'a'))
    await publishTo(join(web, 'b'), { name: 'acme/shields', more: 'renamed_from: [acme/guards]\n' })
    await publishTo(
      join(web, 'c'),
      { name: 'evil/shields', more: 'renamed_from: [acme/guards]\n' },
      '--key',
      'other',
    )
    await build()
    await machine.json('index', 'add', server.url)
    expect(await machine.json('info', 'acme/guards')).toMatchObject({ renamed_to: 'acme/shields' })
    const { status, stderr } = await machine.run('add', 'acme/guards', '--yes')
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/is published as acme\/shields now/),
    })
    expect((await machine.run('outdated')).stdout).toMatch(/it is published as acme\/shields now/)
  })

  it('kept in the state folder counts for nothing once somebody else has written it', async () => {
    await publishTo(web)
    await build()
    await machine.json('index', 'add', server.url)
    const file = join(machine.home, '.local/state/crosshook/indexes/list.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"serial": 1/, '"serial": 0'))
    await refused(['add', 'acme/guards', '--yes'], /somebody else than crosshook has written it/)
  })
})

describe('a repository', () => {
  it('with a commit on no branch, by hash or by tag, is refused', async () => {
    const folder = scratch()
    const { git, commit } = makeRepository(folder)
    writePack(folder)
    commit('first')
    git('checkout', '-q', '--detach')
    writePack(folder, { version: '1.1.0' })
    const impostor = commit('impostor')
    git('tag', 'v1.1.0')
    git('checkout', '-q', 'main')
    git('branch', 'v1.1.0', 'main')
    await refused(['add', `file://${folder}#v1.1.0`, '--yes'], /is on no branch of/)
    git('branch', '-D', 'v1.1.0')
    await refused(['add', `file://${folder}#${impostor}`, '--yes'], /is on no branch of/)
    await refused(['add', `file://${folder}#v1.1.0`, '--yes'], /is on no branch of/)
    expect((await machine.run('add', `file://${folder}#${git('rev-parse', 'main')}`, '--yes')).status).toBe(0)
  })

  it('whose tag was moved is refused by update and add', async () => {
    const folder = scratch()
    const { git, commit } = makeRepository(folder)
    writePack(folder)
    commit('first')
    git('tag', 'v1.0.0')
    const url = `file://${folder}#v1.0.0`
    await machine.json('add', url, '--yes')
    const before = machine.files()
    put(join(folder, 'hooks/guard/HOOK.md'), `---\nname: guard\n${denies('evil')}---\n`)
    commit('second')
    git('tag', '-f', 'v1.0.0')
    await refused(['add', url, '--yes'], /has other bytes than when it was added/)
    await refused(['update', '--yes', '--no-replay'], /stands for another commit now/)
    expect(machine.files()).toEqual(before)
  })

  it('with links or submodules among its hooks is refused', async () => {
    const folder = scratch()
    const { commit } = makeRepository(folder)
    writePack(folder)
    symlinkSync('/etc/passwd', join(folder, 'hooks/guard/link'))
    commit('first')
    await refused(['add', `file://${folder}`, '--yes'], /is a link or a special file/)
  })

  it('whose attributes or filters would act on a checkout does not act', async () => {
    const folder = scratch()
    const { commit } = makeRepository(folder)
    writePack(folder)
    put(join(folder, '.gitattributes'), '*.md filter=evil\n')
    put(
      join(machine.home, '.gitconfig'),
      `[filter "evil"]\n\tsmudge = touch ${join(machine.root, 'smudged')}\n`,
    )
    commit('first')
    await machine.json('add', `file://${folder}`, '--yes')
    expect(filesBelow(machine.root).smudged).toBeUndefined()
    rmSync(join(machine.home, '.gitconfig'))
  })
})

describe('names', () => {
  it('of managed hooks cannot be taken', async () => {
    put(join(machine.root, 'managed/guard/HOOK.md'), `---\nname: guard\n${denies('managed')}---\n`)
    await publishTo(web)
    await refused(['add', server.url, '--yes'], /a managed hook of this machine is called guard/)
    expect(await machine.json('add', server.url, '--yes', '--rename', 'guard=acme-guard')).toMatchObject([
      { name: 'acme-guard' },
    ])
    machine.lockMatches()
    rmSync(join(machine.root, 'managed'), { recursive: true })
  })

  it('that two packs share need another name, and each pack goes by itself', async () => {
    await publishTo(join(web, 'a'))
    await publishTo(join(web, 'b'), { name: 'beta/guards' })
    await machine.json('add', `${server.url}a/`, '--yes')
    await refused(['add', `${server.url}b/`, '--yes'], /guard is there already, from acme\/guards/)
    await machine.json('add', `${server.url}b/`, '--yes', '--rename', 'guard=beta-guard')
    expect(Object.keys(machine.files())).toEqual(
      expect.arrayContaining(['beta-guard/HOOK.md', 'guard/HOOK.md']),
    )
    expect(machine.files()['beta-guard/HOOK.md']).toMatch(/^name: beta-guard$/m)
    await machine.json('remove', 'acme/guards')
    machine.lockMatches()
    expect(await machine.json('sync', '--user', '--frozen')).toMatchObject({ ok: true, hooks: 1 })
  })
})

describe('publish', () => {
  const pack = (files: Record<string, string>, more: Parameters<typeof writePack>[1] = {}) => {
    const folder = scratch()
    writePack(folder, { ...more, hooks: { guard: files } })
    return folder
  }
  const script = (sandbox: string, body: string, cases = CASES) => ({
    'HOOK.md': `---\nname: guard\ndescription: d\ntrigger: before_tool\non_failure: closed\n${sandbox}matcher:\n  tool: Shell\n---\n`,
    'scripts/run.sh': `#!/bin/sh\n${body}\n`,
    'cases.yaml': cases,
  })
  const complains = async (folder: string, why: RegExp) => {
    const { status, stderr } = await machine.run('publish', folder, '--to', join(web, 'out'))
    expect(stderr).toMatch(why)
    expect(status).toBe(1)
    expect(filesBelow(web)).toEqual({})
  }
  const PASSES = CASES.replace('deny', 'allow')

  it('refuses a hook that needs more than it declares: the confined run fails', () =>
    complains(
      pack(script('sandbox: true\n', `cat ${machine.home}/.secret > /dev/null || exit 1\nexit 0`, PASSES)),
      /fails with the rights that it declares/,
    ))
  it('refuses a hook whose script reaches the network behind a failure that it hides', () =>
    complains(
      pack(script('sandbox: true\n', 'curl -s https://evil.example/ || true\nexit 2')),
      /reaches evil\.example/,
    ))
  it('refuses rights that no case needs', () =>
    complains(
      pack(script('sandbox:\n  env: [TOKEN]\n', 'exit 2')),
      /declares env TOKEN, and every case passes without/,
    ))
  it('refuses a program without a sandbox', () =>
    complains(pack(script('', 'exit 2')), /with all rights of whoever adds it/))
  it('refuses hooks without cases, or with cases that fail', async () => {
    await complains(pack({ 'HOOK.md': `---\nname: guard\n${denies('x')}---\n` }), /has no cases\.yaml/)
    await complains(
      pack({ 'HOOK.md': `---\nname: guard\n${denies('x')}---\n`, 'cases.yaml': PASSES }),
      /decision: expected "allow", got "deny"/,
    )
  })
  it('refuses hooks that do not validate', () =>
    complains(
      pack({
        'HOOK.md': '---\nname: guard\ndescription: d\ntrigger: before_tol\n---\n',
        'cases.yaml': CASES,
      }),
      /Unknown trigger/,
    ))
  it('refuses secrets', () =>
    complains(
      pack({
        'HOOK.md': `---\nname: guard\n${denies('x')}---\n`,
        'cases.yaml': CASES,
        'notes.md': `token: ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}\n`,
      }),
      /holds a secret/,
    ))
  it('refuses a version that was published with other bytes', async () => {
    await publishTo(web)
    const folder = scratch()
    writePack(folder, {
      hooks: { guard: { 'HOOK.md': `---\nname: guard\n${denies('other')}---\n`, 'cases.yaml': CASES } },
    })
    const { status, stderr } = await machine.run('publish', folder, '--to', web)
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/was published before/),
    })
  })
  it('makes the same bytes twice, whatever the times and owners of the files', async () => {
    const folder = scratch()
    writePack(folder)
    const one = await machine.json('publish', folder, '--to', join(web, 'one'))
    execFileSync('find', [folder, '-exec', 'touch', '-d', '2001-01-01', '{}', '+'])
    execFileSync('chmod', ['-R', 'g+w', folder])
    const two = await machine.json('publish', folder, '--to', join(web, 'two'))
    expect(two.sha256).toBe(one.sha256)
    expect(
      readFileSync(join(web, 'one/acme-guards-1.0.0.tar')).equals(
        readFileSync(join(web, 'two/acme-guards-1.0.0.tar')),
      ),
    ).toBe(true)
  })
})
