import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { loadHookSet } from './load.ts'

const disk = vi.hoisted(() => ({ fails: '' }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const guarded = <F extends (path: string, ...rest: never[]) => unknown>(call: F) =>
    ((path: string, ...rest: never[]) => {
      if (disk.fails !== '' && path === disk.fails)
        throw Object.assign(new Error(`EIO: i/o error, '${path}'`), { code: 'EIO', syscall: 'read' })
      return call(path, ...rest)
    }) as unknown as F
  return {
    ...fs,
    openSync: guarded(fs.openSync as never),
    readdirSync: guarded(fs.readdirSync as never),
  }
})

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recall-'))
  disk.fails = ''
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

const hookFile = (name: string) => join(root, 'hooks', name, 'HOOK.md')

function write(name: string, fields: string): void {
  mkdirSync(join(hookFile(name), '..'), { recursive: true })
  writeFileSync(hookFile(name), `---\nname: ${name}\ndescription: d\ntrigger: before_tool\n${fields}\n`)
}

async function broken(before?: Awaited<ReturnType<typeof loadHookSet>>) {
  const set = await loadHookSet({
    env: { HOME: root, XDG_STATE_HOME: join(root, 's'), CROSSHOOK_MANAGED_DIR: join(root, 'm') },
    workDir: root,
    sources: [{ path: join(root, 'hooks'), format: 'agenthooks' }],
    ...(before ? { before } : {}),
  })
  return { set, broken: set.broken.map(({ name, on_failure, matcher }) => [name, on_failure, matcher.tool]) }
}

const GUARD = 'matcher: {tool: Shell}\noutcome: {decision: deny}'

test('a guard that must not fail open stays closed when its file is cut off, until it is mended', async () => {
  write('guard', `${GUARD}\non_failure: closed\n---`)
  const good = await broken()
  expect(good.broken).toEqual([])
  write('guard', 'matcher: {tool: Sh')
  const cut = await broken(good.set)
  expect(cut.broken).toEqual([['guard', 'closed', 'Shell']])
  write('guard', '')
  const shorter = await broken(cut.set)
  expect(shorter.broken).toEqual([['guard', 'closed', 'Shell']])
  write('guard', `${GUARD}\n---`)
  expect((await broken(shorter.set)).broken).toEqual([])
})

test('a guard that is broken while it is changed also blocks what its new text may be meant for', async () => {
  write('guard', 'matcher: {tool: WriteFile}\noutcome: {decision: deny}\non_failure: closed\n---')
  const good = await broken()
  write('guard', 'matcher: {tool: "Shell|("}\noutcome: {decision: deny}\non_failure: closed\n---')
  const both = [
    ['guard', 'closed', 'WriteFile'],
    ['guard', 'closed', undefined],
  ]
  const once = await broken(good.set)
  expect(once.broken).toEqual(both)
  expect((await broken(once.set)).broken).toEqual(both)
})

test('a file or a folder that cannot be read for a moment keeps its hooks by what was known', async () => {
  write('guard', `${GUARD}\non_failure: closed\n---`)
  write('other', 'outcome: {decision: deny}\n---')
  const good = await broken()
  disk.fails = hookFile('guard')
  expect((await broken(good.set)).broken).toEqual([['guard', 'closed', 'Shell']])
  disk.fails = join(root, 'hooks/guard')
  expect((await broken(good.set)).broken).toEqual([['guard', 'closed', 'Shell']])
  disk.fails = ''
  expect((await broken(good.set)).broken).toEqual([])
})

test('a broken hook that was never readable is reported, and blocks only if it belongs to the machine', async () => {
  write('guard', `${GUARD}\n---`)
  disk.fails = hookFile('guard')
  expect((await broken()).broken).toEqual([['guard', 'open', undefined]])
  const managed = join(root, 'm/hooks')
  mkdirSync(managed, { recursive: true })
  chmodSync(managed, 0o700)
  disk.fails = managed
  const set = await loadHookSet({
    env: { HOME: root, XDG_STATE_HOME: join(root, 's'), CROSSHOOK_MANAGED_DIR: managed },
    workDir: root,
    fresh: true,
  })
  expect(set.broken).toMatchObject([{ scope: 'managed', on_failure: 'closed' }])
})
