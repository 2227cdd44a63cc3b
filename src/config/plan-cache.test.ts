import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { macWith } from '../fast/nh.ts'
import { loadHookSet } from './load.ts'
import { planMac } from './plan-cache.ts'
import { keyFile, mac, readStateKey } from './state-key.ts'

const faults = vi.hoisted(() => ({ path: '', left: 0, code: '' }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  const failing =
    <T extends (path: never, ...rest: never[]) => unknown>(work: T) =>
    (path: string, ...rest: unknown[]) => {
      if (path !== faults.path || faults.left-- <= 0) return work(path as never, ...(rest as never[]))
      throw Object.assign(new Error(`${faults.code}: it failed`), { code: faults.code, syscall: 'read' })
    }
  return { ...real, openSync: failing(real.openSync), readdirSync: failing(real.readdirSync) }
})

let home: string
let work: string
const env = () => ({ HOME: home, CROSSHOOK_MANAGED_DIR: join(home, 'managed') })
const state = () => join(home, '.local/state/crosshook')
const names = async (workDir = work) =>
  (await loadHookSet({ env: env(), workDir })).hooks.map(({ name }) => name)
const plans = () => {
  const folder = join(home, '.cache/crosshook/plans')
  return readdirSync(folder).map((name) => join(folder, name))
}
const planOf = (workDir: string) =>
  plans().find((file) => planIn(readFileSync(file, 'utf8')).key.includes(`${workDir}"`))!

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'plan-'))
  work = join(home, 'work')
  mkdirSync(work)
  write('guard', 'user')
  // The plan of a file that was changed just now is not kept.
  const file = join(home, '.config/agents/hooks/guard/HOOK.md')
  await expect.poll(() => Date.now() - statSync(file).ctimeMs).toBeGreaterThan(100)
  expect(await names()).toEqual(['guard'])
  expect(plans()).toHaveLength(1)
})
afterEach(() => {
  faults.path = ''
  rmSync(home, { recursive: true, force: true })
})

function write(name: string, where: 'user' | 'project'): void {
  const folder = join(
    where === 'user' ? join(home, '.config/agents/hooks') : join(work, '.agents/hooks'),
    name,
  )
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'HOOK.md'),
    `---\nname: ${name}\ndescription: d\ntrigger: before_tool\non_failure: closed\noutcome: {decision: deny, reason: r}\n---\n`,
  )
}

const planIn = (text: string) => JSON.parse(text.slice(65)) as { key: string }
const withoutHooks = (text: string) => JSON.stringify({ ...planIn(text), hooks: [] })

describe('a plan that crosshook did not write', () => {
  const forgeries: Record<string, (text: string) => string> = {
    'has no MAC': withoutHooks,
    'keeps the MAC of another text': (text) => `${text.slice(0, 65)}${withoutHooks(text)}`,
    'has a MAC made with a key of somebody else': (text) => {
      const body = withoutHooks(text)
      return `${planMac(Buffer.alloc(32), Buffer.from(body))}\n${body}`
    },
    'has a MAC made for another purpose': (text) => {
      const body = withoutHooks(text)
      return `${mac(readStateKey(state())!, 'trust', body)}\n${body}`
    },
    'has a MAC of the same key made for code': (text) => {
      const body = withoutHooks(text)
      return `${macWith(readStateKey(state())!)!('code', Buffer.from(body)).toString('hex')}\n${body}`
    },
    'is empty': () => '',
    'is cut off': (text) => text.slice(0, -1),
    'is cut off in the MAC': (text) => text.slice(0, 40),
    'is one byte longer': (text) => `${text} `,
    'is JSON alone': (text) => text.slice(65),
    'is nothing that can be read': () => '\u0000'.repeat(1000),
  }
  it.each(Object.keys(forgeries))('is rejected and written again when it %s', async (name) => {
    const [file] = plans()
    const good = readFileSync(file!, 'utf8')
    writeFileSync(file!, forgeries[name]!(good))
    expect(await names()).toEqual(['guard'])
    expect(readFileSync(file!, 'utf8')).toBe(good)
  })

  it('is rejected with any one bit flipped', async () => {
    const [file] = plans()
    const good = readFileSync(file!)
    for (let at = 0; at < good.length; at += 7) {
      const bad = Buffer.from(good)
      bad[at]! ^= 1 << (at % 8)
      writeFileSync(file!, bad)
      expect(await names(), `byte ${at}`).toEqual(['guard'])
    }
    expect(readFileSync(file!).equals(good)).toBe(true)
  })

  it('is rejected under the name of another plan', async () => {
    const other = join(home, 'other')
    mkdirSync(other)
    write('extra', 'project')
    expect(await names(other)).toEqual(['guard'])
    copyFileSync(planOf(other), planOf(work))
    expect(await names()).toEqual(['guard', 'extra'])
  })

  it('is made again when the key is missing or invalid', async () => {
    const [file] = plans()
    const good = readFileSync(file!, 'utf8')
    rmSync(keyFile(state()))
    expect(await names()).toEqual(['guard'])
    expect(readFileSync(file!, 'utf8')).not.toBe(good)
    writeFileSync(keyFile(state()), 'short')
    const { hooks, problems } = await loadHookSet({ env: env(), workDir: work })
    expect(hooks.map(({ name }) => name)).toEqual(['guard'])
    expect(problems).toMatchObject([{ level: 'warning', message: expect.stringContaining('state.key') }])
  })
})

describe('an error while hooks are read', () => {
  const guard = () => join(home, '.config/agents/hooks/guard/HOOK.md')
  it.each([
    ['EIO', guard],
    ['EMFILE', guard],
    ['EIO', () => dirname(guard())],
    ['ENOMEM', () => dirname(dirname(guard()))],
  ])('%s is not remembered once it has passed', async (code, path) => {
    for (const file of plans()) rmSync(file)
    Object.assign(faults, { path: path(), left: 1, code })
    const { inputs } = await loadHookSet({ env: env(), workDir: work })
    expect(Object.values(inputs)).toContain('?')
    expect(plans()).toEqual([])
    expect(await names()).toEqual(['guard'])
    expect(plans()).toHaveLength(1)
  })
})
