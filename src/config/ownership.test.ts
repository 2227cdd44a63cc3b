import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadHookSet } from './load.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ownership-'))
  for (const folder of [user(), join(home, 'managed/m')]) hook(folder)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const user = () => join(home, '.config/agents/hooks/u')
const settings = () => join(home, '.config/crosshook/config.toml')
const env = () => ({ HOME: home, CROSSHOOK_MANAGED_DIR: join(home, 'managed') })

function hook(folder: string): void {
  put(
    join(folder, 'HOOK.md'),
    `---\nname: ${folder.at(-1)}\ndescription: d\ntrigger: before_tool\non_failure: closed\n---\n`,
  )
  put(join(folder, 'scripts/run.sh'), '#!/bin/sh\n')
  put(join(folder, 'lib/words/list.txt'), 'a\n')
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

async function load() {
  const { hooks, broken, problems } = await loadHookSet({ env: env(), workDir: join(home, 'work') })
  return {
    hooks: hooks.map(({ name }) => name),
    broken: broken.map(({ name }) => name),
    errors: problems
      .filter(({ level }) => level === 'error')
      .map(({ message, fix }) => `${message} | ${fix}`),
  }
}

const ALL = { hooks: ['m', 'u'], broken: [], errors: [] }

describe('hooks that need no trust', () => {
  it.each([
    ['the folder of hooks', () => dirname(user())],
    ['the folder of a hook', user],
    ['its HOOK.md', () => join(user(), 'HOOK.md')],
    ['the folder of its scripts', () => join(user(), 'scripts')],
    ['its script', () => join(user(), 'scripts/run.sh')],
    ['a file deep in its folder', () => join(user(), 'lib/words/list.txt')],
    ['a folder deep in its folder', () => join(user(), 'lib/words')],
    ['the folder around those', () => join(home, '.config/agents')],
    ['the folder around all settings', () => join(home, '.config')],
  ])(
    'do not run when everybody may write to %s, fail by their policy, and run again when that is mended',
    async (_, path) => {
      chmodSync(path(), 0o777)
      expect(await load()).toEqual({
        hooks: ['m'],
        broken: ['u'],
        errors: [
          expect.stringMatching(/every user of this machine may write to .*\| Look at it, then: chmod .*o-w/),
        ],
      })
      chmodSync(path(), 0o755)
      expect(await load()).toEqual(ALL)
    },
  )

  it.skipIf(process.getuid?.() !== 0)('do not run when they belong to another user', async () => {
    chownSync(join(home, 'managed/m/scripts/run.sh'), 4711, 4711)
    expect(await load()).toMatchObject({
      hooks: ['u'],
      broken: ['m'],
      errors: [expect.stringContaining('chown')],
    })
    // Root in the home folder of somebody: what that user owns there is what root was given.
    chownSync(home, 4711, 4711)
    expect(await load()).toMatchObject({ hooks: ['m', 'u'] })
  })

  it('run from a folder with the sticky bit, in which nobody can replace what is not theirs', async () => {
    chmodSync(dirname(user()), 0o1777)
    expect(await load()).toEqual(ALL)
  })
})

describe('settings', () => {
  it('that everybody may write to count as empty, and are named', async () => {
    put(settings(), 'disabled = ["u"]\n')
    chmodSync(settings(), 0o666)
    const { settings: found, problems } = await loadHookSet({ env: env(), workDir: join(home, 'work') })
    expect(found.disabled).toEqual([])
    expect(problems).toMatchObject([{ level: 'error', message: expect.stringContaining('counts as empty') }])
  })

  it('in a folder that everybody may write to count as empty until that is mended', async () => {
    put(settings(), 'disabled = ["u"]\n')
    const disabled = async () =>
      (await loadHookSet({ env: env(), workDir: join(home, 'work') })).settings.disabled
    chmodSync(dirname(settings()), 0o777)
    expect(await disabled()).toEqual([])
    expect((await load()).errors).toEqual([expect.stringContaining(`${settings()} counts as empty`)])
    chmodSync(dirname(settings()), 0o755)
    expect(await disabled()).toEqual(['u'])
  })
})
