import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadHookSet } from './load.ts'

let home: string
let work: string
const env = () => ({ HOME: home, CROSSHOOK_MANAGED_DIR: join(home, 'managed') })
const load = () => loadHookSet({ env: env(), workDir: work })

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'load-'))
  work = join(home, 'work')
  mkdirSync(work)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function write(folder: string, name: string, more = ''): void {
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(
    join(folder, name, 'HOOK.md'),
    `---\nname: ${name}\ndescription: d\ntrigger: before_tool\noutcome: {decision: deny, reason: r}\n${more}---\n`,
  )
}
const user = () => join(home, '.config/agents/hooks')
const names = async () => (await load()).hooks.map((hook) => `${hook.scope}:${hook.name}`)

describe('loading', () => {
  it('finds hooks of the machine, the user and the project, in this order', async () => {
    write(join(home, 'managed'), 'm')
    write(user(), 'u')
    write(join(work, '.agents/hooks'), 'p')
    expect(await names()).toEqual(['managed:m', 'user:u', 'project:p'])
  })

  it('notices an added, changed and removed hook although plans are cached', async () => {
    write(user(), 'a')
    await sleep(80)
    await names()
    expect(readdirSync(join(home, '.cache/crosshook/plans'))).toHaveLength(1)
    write(user(), 'b')
    expect(await names()).toEqual(['user:a', 'user:b'])
    for (let i = 0; i < 30; i++) {
      // The same size, the same instant: only reading again can tell.
      write(user(), 'a', `timeout: ${1000 + i}\n`)
      const before = new Date(0)
      utimesSync(join(user(), 'a/HOOK.md'), before, before)
      expect((await load()).hooks[0]!.timeout).toBe(1000 + i)
    }
    rmSync(join(user(), 'b'), { recursive: true })
    expect(await names()).toEqual(['user:a'])
  })

  it('takes a folder that becomes a hook later', async () => {
    mkdirSync(join(user(), 'later'), { recursive: true })
    await sleep(80)
    expect(await names()).toEqual([])
    write(user(), 'later')
    expect(await names()).toEqual(['user:later'])
  })

  it('reads sources of the settings, and says what is wrong with the settings', async () => {
    mkdirSync(join(home, '.config/crosshook'), { recursive: true })
    write(join(home, 'shared'), 's')
    writeFileSync(
      join(home, '.config/crosshook/config.toml'),
      'sources = ["../../shared"]\nallowed_host = ["x"]\n',
    )
    const { hooks, problems } = await load()
    expect(hooks.map((hook) => hook.name)).toEqual(['s'])
    expect(problems).toMatchObject([
      {
        level: 'error',
        message: 'unknown setting allowed_host',
        fix: expect.stringContaining('Did you mean "allowed_hosts"?'),
      },
    ])
  })

  it('leaves a hook with an impossible pattern out, and no other', async () => {
    write(user(), 'bad', 'matcher: {pattern: "(?=x)"}\n')
    write(user(), 'good')
    const { hooks, problems } = await load()
    expect(hooks.map((hook) => hook.name)).toEqual(['good'])
    expect(problems).toMatchObject([{ level: 'error', hook: 'bad', field: 'matcher.pattern' }])
  })

  it('goes on with a settings file that is not TOML, and when nothing can be cached', async () => {
    mkdirSync(join(home, '.config/crosshook'), { recursive: true })
    writeFileSync(join(home, '.config/crosshook/config.toml'), '= broken')
    writeFileSync(join(home, '.cache'), 'a file where the folder should be')
    write(user(), 'a')
    await sleep(80)
    const { hooks, problems } = await load()
    expect(hooks).toHaveLength(1)
    expect(problems.map((problem) => problem.level)).toEqual(['error', 'warning'])
  })
})
