import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readSource } from '../config/load.ts'
import { FOLDER_FORMAT } from '../dialects/list.ts'
import { change, finishChange } from './change.ts'
import { folderDigest, readLock } from './lock-file.ts'

const scratch = mkdtempSync(join(tmpdir(), 'crosshook-change-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
let base: string
let count = 0
beforeEach(() => {
  base = join(scratch, String(count++), 'hooks')
})

const hook = (name: string, reason: string) => [
  {
    path: 'HOOK.md',
    bytes: Buffer.from(
      `---\nname: ${name}\ndescription: d\ntrigger: before_tool\noutcome: {decision: deny, reason: ${reason}}\n---\n`,
    ),
    executable: false,
  },
]
const put = (...rows: [string, string][]) =>
  Object.fromEntries(
    rows.map(([name, reason]) => [name, { files: hook(name, reason), locked: { source: reason } }]),
  )

/** What whoever reads the folder finds: name → reason. */
async function seen(): Promise<Record<string, unknown>> {
  const { hooks, problems } = await readSource({ path: base, format: FOLDER_FORMAT }, 'source')
  expect(problems.filter(({ level }) => level === 'error')).toEqual([])
  return Object.fromEntries(
    hooks.map(({ name, run }) => [name, run.type === 'outcome' ? run.outcome.reason : '']),
  )
}

function expectLockMatches(): void {
  const { hooks } = readLock(base)
  for (const [name, { digest }] of Object.entries(hooks)) expect(folderDigest(join(base, name))).toBe(digest)
  expect(readdirSync(base).filter((name) => name !== 'hooks.lock.json')).toEqual(Object.keys(hooks).sort())
}

describe('a change', () => {
  it('puts, replaces and takes hooks with their lines of the lock', async () => {
    await change(base, { put: put(['a', 'old'], ['b', 'old']) })
    expectLockMatches()
    await change(base, { put: put(['a', 'new'], ['c', 'new']), take: ['b'] })
    expectLockMatches()
    expect(await seen()).toEqual({ a: 'new', c: 'new' })
    await change(base, { take: ['a', 'c'] })
    expect(readdirSync(base)).toEqual([])
  })

  it('that was decided counts at once, however far it has come', async () => {
    await change(base, { put: put(['a', 'old'], ['b', 'old']) })
    // As a process leaves it that was ended right after its decision.
    const changing = join(base, '.changing')
    for (const folder of ['new/a', 'new/c', 'old']) mkdirSync(join(changing, folder), { recursive: true })
    for (const name of ['a', 'c'])
      writeFileSync(join(changing, 'new', name, 'HOOK.md'), hook(name, 'new')[0]!.bytes)
    const digestOf = (name: string) => folderDigest(join(changing, 'new', name))
    const hooks = { a: { source: 'new', digest: digestOf('a') }, c: { source: 'new', digest: digestOf('c') } }
    const record = { put: ['a', 'c'], take: ['b'], hooks, packs: {}, dropPacks: [] }
    writeFileSync(join(changing, 'change.json'), JSON.stringify(record))
    writeFileSync(join(changing, 'owner.json'), JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }))
    expect(await seen()).toEqual({ a: 'new', c: 'new' })
    await finishChange(base)
    expectLockMatches()
    expect(await seen()).toEqual({ a: 'new', c: 'new' })
  })

  it('that was only prepared leaves nothing behind', async () => {
    await change(base, { put: put(['a', 'old']) })
    mkdirSync(join(base, '.preparing-4194305-1-abc', 'new', 'a'), { recursive: true })
    await finishChange(base)
    expectLockMatches()
    expect(await seen()).toEqual({ a: 'old' })
  })

  it('whose record cannot be read changes nothing, and is a problem', async () => {
    await change(base, { put: put(['a', 'old']) })
    mkdirSync(join(base, '.changing'))
    for (const text of ['{', 'null', '{"put":["../../x"],"take":[]}', '{"put":"a","take":[]}']) {
      writeFileSync(join(base, '.changing', 'change.json'), text)
      const { hooks, problems } = await readSource({ path: base, format: FOLDER_FORMAT }, 'source')
      expect(hooks.map(({ name }) => name)).toEqual(['a'])
      expect(problems).toMatchObject([{ level: 'error', unread: true }])
    }
  })

  it('of many at once happens one after another', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, at) => change(base, { put: put([`h${at}`, 'x']) })))
    expect(Object.keys(await seen())).toHaveLength(12)
    expectLockMatches()
  })

  it('with other bytes than expected is not made', async () => {
    const wrong = { a: { files: hook('a', 'x'), locked: { source: 's' }, expected: 'abc' } }
    await expect(change(base, { put: wrong })).rejects.toMatchObject({ code: 'refused' })
    expect(readdirSync(base)).toEqual([])
    expect(existsSync(join(base, 'hooks.lock.json'))).toBe(false)
  })

  it('keeps lines of the lock that it does not know', async () => {
    await change(base, { put: put(['a', 'x']) })
    const file = join(base, 'hooks.lock.json')
    const lock = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, object> }
    lock.hooks.a = { ...lock.hooks.a, note: 'kept' }
    writeFileSync(file, JSON.stringify(lock))
    await change(base, { put: put(['b', 'x']) })
    expect(readLock(base).hooks.a).toMatchObject({ note: 'kept' })
  })
})
