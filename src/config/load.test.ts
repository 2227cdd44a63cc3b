import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadHookSet, readSource } from './load.ts'

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
/** Plans of files that have just been written are not cached. */
const untilCached = (read: () => Promise<unknown>, plans = 1) =>
  expect
    .poll(async () => {
      await read()
      return readdirSync(join(home, '.cache/crosshook'), { recursive: true }).filter((name) =>
        /plans.+/.test(String(name)),
      ).length
    })
    .toBe(plans)
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
    await untilCached(names)
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
    await untilCached(async () => expect(await names()).toEqual([]))
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

  it('says that a source of the settings is not there', async () => {
    mkdirSync(join(home, '.config/crosshook'), { recursive: true })
    writeFileSync(join(home, '.config/crosshook/config.toml'), 'sources = ["guards.json"]\n')
    const file = join(home, '.config/crosshook/guards.json')
    expect((await load()).problems).toMatchObject([
      { level: 'error', file, message: expect.stringContaining('no such file') },
    ])
    const hooks = [{ id: 'a', event: 'PreToolUse', response: { action: 'block' } }]
    writeFileSync(file, JSON.stringify({ hooks }))
    expect(await load()).toMatchObject({ hooks: [{ name: 'a' }], problems: [] })
  })

  it('never loses other hooks over a source that is wrong', async () => {
    mkdirSync(join(home, '.config/crosshook'), { recursive: true })
    write(user(), 'a')
    const settings = (text: string) => writeFileSync(join(home, '.config/crosshook/config.toml'), text)
    const told = async () => {
      const { hooks, problems } = await load()
      expect(hooks.map((hook) => hook.name)).toContain('a')
      return problems.filter(({ level }) => level === 'error').map(({ message }) => message)
    }
    settings('sources = [{ format = "amazonq" }]\n')
    expect(await told()).toEqual([expect.stringContaining('Did you mean "amazon-q"?')])
    settings('sources = [{}]\n')
    expect(await told()).toEqual([expect.stringContaining('a source needs a path or a format')])
    write(join(home, 'shared'), 's')
    settings(`sources = [{ pth = "x" }, "${home}/shared"]\n`)
    expect(await told()).toContain('unknown setting pth')
    expect((await load()).hooks.map((hook) => hook.name)).toEqual(['a', 's'])
  })

  it('reads a source once, however often it is named', async () => {
    mkdirSync(join(home, '.config/crosshook'), { recursive: true })
    mkdirSync(join(home, '.kiro/agents'), { recursive: true })
    const agent = join(home, '.kiro/agents/a.json')
    writeFileSync(agent, '\ufeff{"hooks": {"preToolUse": [{"command": "true"}]}}')
    const sources = `["${agent}", "${agent}", { format = "amazon-q" }]`
    writeFileSync(join(home, '.config/crosshook/config.toml'), `sources = ${sources}\n`)
    expect(await load()).toMatchObject({ hooks: [{ format: 'amazon-q' }], problems: [] })
  })

  it('reads a folder of settings files, each in its own format, and notices when one changes', async () => {
    const folder = join(home, 'guards')
    mkdirSync(folder)
    const put = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value))
    put('a.json', { hooks: { preToolUse: [{ command: 'true' }] } })
    put('b.json', { hooks: [{ id: 'b', event: 'PreToolUse', response: { action: 'block' } }] })
    put('package.json', { name: 'unrelated' })
    const formats = async (format?: string) => {
      const { hooks, problems } = await readSource({ path: folder, ...(format && { format }) }, 'source')
      return [hooks.map((hook) => hook.format), problems.length]
    }
    expect(await formats()).toEqual([['amazon-q', 'a3s'], 0])
    expect(await formats('agenthooks')).toEqual([[], 0])
    rmSync(join(folder, 'b.json'))
    expect(await formats('amazon-q')).toEqual([['amazon-q'], 0])
    const listed = async () =>
      (await loadHookSet({ env: env(), workDir: work, sources: [{ path: folder }] })).hooks.length
    await untilCached(async () => expect(await listed()).toBe(1))
    put('a.json', { hooks: { preToolUse: [{ command: 'true' }, { command: 'true' }] } })
    expect(await listed()).toBe(2)
  })

  it('reads what `{ format = … }` means below another home anew', async () => {
    const settings = join(home, 'config')
    mkdirSync(join(settings, 'crosshook'), { recursive: true })
    writeFileSync(join(settings, 'crosshook/config.toml'), 'sources = [{ format = "amazon-q" }]\n')
    const agent = join(home, 'other/.kiro/agents/a.json')
    mkdirSync(join(agent, '..'), { recursive: true })
    writeFileSync(agent, '{"hooks": {"preToolUse": [{"command": "true"}]}}')
    const below = async (name: string) => {
      const places = { XDG_CONFIG_HOME: settings, XDG_CACHE_HOME: join(home, '.cache') }
      const set = await loadHookSet({ env: { ...env(), ...places, HOME: join(home, name) }, workDir: work })
      return set.hooks.length
    }
    await untilCached(() => below('one'))
    await untilCached(() => below('other'), 2)
    expect([await below('one'), await below('other'), await below('one')]).toEqual([0, 1, 0])
  })

  it('names every problem of a file that is refused as a whole, also addresses that may not be called', async () => {
    const file = join(home, 'kheish.json')
    const http = (name: string, url: string) => ({ name, executor: { type: 'http', url } })
    const pre_tool_use = [
      http('a', 'http://10.0.0.1/'),
      http('b', 'ftp://example.com/'),
      http('c', 'http://0x7f.1/'),
    ]
    writeFileSync(file, JSON.stringify({ schema_version: 1, hooks: { pre_tool_use } }))
    const read = async (...allowed: string[]) => {
      const { hooks, problems } = await readSource({ path: file }, 'source', allowed)
      expect(hooks).toEqual([])
      return problems.map((problem) => problem.hook).sort()
    }
    expect(await read()).toEqual(['a', 'b', 'c'])
    expect(await read('10.0.0.1', '127.0.0.1')).toEqual(['b'])
  })

  it('opens localhost like any other host, to those who list it', async () => {
    const file = join(home, 'kheish.json')
    const executor = { type: 'http', url: 'http://localhost:8080/hook' }
    writeFileSync(file, JSON.stringify({ schema_version: 1, hooks: { stop: [{ name: 'a', executor }] } }))
    expect((await readSource({ path: file }, 'source')).problems).toMatchObject([
      { level: 'error', hook: 'a', line: 1, message: 'HTTP hooks may not call localhost' },
    ])
    expect(await readSource({ path: file }, 'source', ['localhost:8080'])).toMatchObject({
      hooks: [{ name: 'a' }],
      problems: [],
    })
  })

  const problemOf = async (...fields: string[]) => {
    const file = join(home, 'HOOK.md')
    const text = ['---', 'name: a', 'description: d', 'trigger: before_tool', ...fields, '---', ''].join('\n')
    writeFileSync(file, text)
    return (await readSource({ path: file }, 'source')).problems
  }

  it('shows a problem at the line of its field', async () => {
    expect(
      await problemOf('outcome: {decision: deny}', 'matcher:', '  tool: a', '  pattern: "["'),
    ).toMatchObject([{ field: 'matcher.pattern', line: 8 }])
    expect(await problemOf('outcome: {decision: deny}', 'when: tool_name ==')).toMatchObject([
      { field: 'when', line: 6, message: 'the expression ends too early' },
    ])
    expect(await problemOf('run:', '  http:', '    url: http://10.0.0.1/')).toMatchObject([
      { field: 'url', line: 7 },
    ])
  })

  it('warns of hosts in `connect`, which nothing can hold, of the hook itself and of the commands that it confines', async () => {
    const warning = { level: 'warning', message: expect.stringContaining('no system confines') }
    expect(
      await problemOf('run:', '  command: ls', 'sandbox:', '  connect: [example.com, "unix:/s"]'),
    ).toMatchObject([{ ...warning, field: 'sandbox', line: 7 }])
    expect(await problemOf('outcome:', '  confine:', '    connect: [example.com]')).toMatchObject([warning])
    expect(await problemOf('run:', '  command: ls', 'sandbox:', '  connect: ["*", "unix:/s"]')).toEqual([])
    expect(await problemOf('outcome:', '  confine: {connect: []}')).toEqual([])
  })

  it('warns of a tool that agent hooks do not have', async () => {
    const file = join(home, 'kheish.json')
    const executor = { type: 'agent', template: 't', tool_surface: { allowlist: ['read_file', 'bash'] } }
    writeFileSync(file, JSON.stringify({ schema_version: 1, hooks: { stop: [{ name: 'a', executor }] } }))
    expect(await readSource({ path: file }, 'source')).toMatchObject({
      hooks: [{ name: 'a' }],
      problems: [{ level: 'warning', message: 'agent hooks have no tool "Shell": the hook will fail' }],
    })
  })

  it('leaves a hook with an impossible pattern out, and no other', async () => {
    write(user(), 'bad', 'matcher: {pattern: "(?=x)"}\n')
    write(user(), 'good')
    const { hooks, problems } = await load()
    expect(hooks.map((hook) => hook.name)).toEqual(['good'])
    expect(problems).toMatchObject([{ level: 'error', hook: 'bad', field: 'matcher.pattern' }])
  })

  it('goes on beside links in a circle', async () => {
    write(user(), 'good')
    mkdirSync(join(user(), 'circle'))
    symlinkSync('HOOK.md', join(user(), 'circle/HOOK.md'))
    symlinkSync('other', join(user(), 'other'))
    const { hooks, problems } = await load()
    expect(hooks.map((hook) => hook.name)).toEqual(['good'])
    expect(problems).toMatchObject([
      { level: 'error', file: join(user(), 'circle/HOOK.md') },
      { level: 'error', file: join(user(), 'other') },
    ])
    expect((await load()).hooks).toHaveLength(1)
  })

  it('goes on with a settings file that is not TOML, and when nothing can be cached', async () => {
    mkdirSync(join(home, '.config/crosshook'), { recursive: true })
    writeFileSync(join(home, '.config/crosshook/config.toml'), '= broken')
    writeFileSync(join(home, '.cache'), 'a file where the folder should be')
    write(user(), 'a')
    // Files that have just been written are not cached yet, so nothing is said about it at first.
    await expect
      .poll(async () => (await load()).problems.map((problem) => problem.level))
      .toEqual(['error', 'warning'])
    expect((await load()).hooks).toHaveLength(1)
  })
})
