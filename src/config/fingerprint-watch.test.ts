import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Fingerprints, fingerprint, rememberWhileUnchanged, watchInputs } from './fingerprint.ts'

function hooksFolder() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'crosshook-watch-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const hooks = join(home, 'agents/hooks')
  const file = join(hooks, 'guard/HOOK.md')
  mkdirSync(join(hooks, 'guard'), { recursive: true })
  writeFileSync(file, 'one')
  const inputs = (): Fingerprints => ({ [hooks]: fingerprint(hooks), [file]: fingerprint(file) })
  return { home, hooks, file, inputs }
}

/** As after a turn of the event loop, in which the kernel's news are read: timers come before that, this comes after. */
const turn = async () => {
  await setTimeout(1)
  await setImmediate()
}

const CHANGES: Record<string, (folder: ReturnType<typeof hooksFolder>) => void> = {
  'is written over': ({ file }) => writeFileSync(file, 'two'),
  'is written over by a link of another name': ({ file, home }) => {
    linkSync(file, join(home, 'other'))
    writeFileSync(join(home, 'other'), 'two')
  },
  'is replaced': ({ file }) => {
    writeFileSync(`${file}.new`, 'two')
    renameSync(`${file}.new`, file)
  },
  'is removed': ({ file }) => rmSync(file),
  'is removed and made anew': ({ file }) => {
    rmSync(file)
    writeFileSync(file, 'two')
  },
  'gets other rights': ({ file }) => chmodSync(file, 0o600),
  'stands in a folder that is exchanged': ({ hooks }) => {
    renameSync(join(hooks, 'guard'), join(hooks, 'old'))
    mkdirSync(join(hooks, 'guard'))
    writeFileSync(join(hooks, 'guard/HOOK.md'), 'one')
  },
  'stands below a folder that is exchanged': ({ home, hooks }) => {
    renameSync(join(home, 'agents'), join(home, 'old'))
    mkdirSync(join(hooks, 'guard'), { recursive: true })
    writeFileSync(join(hooks, 'guard/HOOK.md'), 'one')
  },
}

test.each(Object.keys(CHANGES))('a file that %s is seen at once', async (what) => {
  const folder = hooksFolder()
  const { isCurrent } = watchInputs(folder.inputs())
  expect([isCurrent(), isCurrent()]).toEqual([true, true])
  CHANGES[what]!(folder)
  await turn()
  expect(isCurrent()).toBe(false)
})

test('a file that was replaced many times is still watched', async () => {
  const folder = hooksFolder()
  for (let i = 0; i < 50; i++) {
    const { isCurrent } = watchInputs(folder.inputs())
    expect([isCurrent(), isCurrent()]).toEqual([true, true])
    const kinds = ['is written over', 'is replaced', 'is removed and made anew']
    CHANGES[kinds[i % 3]!]!(folder)
    await turn()
    expect(isCurrent()).toBe(false)
  }
})

test('a change of one file does not make the others look changed', async () => {
  const [one, other] = [hooksFolder(), hooksFolder()]
  const { isCurrent } = watchInputs(other.inputs())
  expect(isCurrent()).toBe(true)
  writeFileSync(one.file, 'two')
  await turn()
  expect([isCurrent(), isCurrent()]).toEqual([true, true])
})

test('a link to a file is checked with stat each time, because inotify does not report a new target', async () => {
  const { home, hooks } = hooksFolder()
  const link = join(hooks, 'linked')
  for (const name of ['a', 'b']) {
    mkdirSync(join(home, name))
    writeFileSync(join(home, name, 'HOOK.md'), name)
  }
  symlinkSync(join(home, 'a'), link)
  const file = join(link, 'HOOK.md')
  const { isCurrent } = watchInputs({ [hooks]: fingerprint(hooks), [file]: fingerprint(file) })
  expect([isCurrent(), isCurrent()]).toEqual([true, true])
  renameSync(join(home, 'a'), join(home, 'old'))
  renameSync(join(home, 'b'), join(home, 'a'))
  expect(isCurrent()).toBe(false)
})

test
  .runIf(process.platform === 'linux')
  .each<[string, (place: { folder: string; file: string }) => string, (file: string) => void]>([
    ['a file that is written over', ({ file }) => file, (file) => writeFileSync(file, 'two')],
    [
      'a file that is replaced',
      ({ file }) => file,
      (file) => {
        writeFileSync(`${file}.new`, 'two')
        renameSync(`${file}.new`, file)
      },
    ],
    ['a file that is removed', ({ file }) => file, (file) => rmSync(file)],
    ['a folder that a file comes into', ({ folder }) => folder, (file) => writeFileSync(`${file}.json`, '')],
    ['a folder whose file is written over', ({ folder }) => folder, (file) => writeFileSync(file, 'two')],
  ])('what is known of %s is looked for again, and else not', async (_, watched, change) => {
  const { hooks, file } = hooksFolder()
  const place = { folder: join(hooks, 'guard'), file }
  let looks = 0
  const known = rememberWhileUnchanged(watched(place), () => ++looks)
  expect([known(), known()]).toEqual([1, 1])
  await turn()
  expect(known()).toBe(1)
  change(file)
  await turn()
  expect(known()).toBe(2)
})

test('a file that cannot be watched, or was missing, is checked with stat each time', () => {
  const { home } = hooksFolder()
  let looks = 0
  const missing = rememberWhileUnchanged(join(home, 'missing'), () => ++looks)
  expect([missing(), missing()]).toEqual([1, 2])
  let isBroken = true
  const broken = rememberWhileUnchanged(home, () => {
    if (isBroken) throw new Error('not readable')
    return 'found'
  })
  expect(broken).toThrow('not readable')
  isBroken = false
  expect(broken()).toBe('found')
})
