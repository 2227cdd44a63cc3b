import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Fingerprints, fingerprint, isCurrent } from './fingerprint.ts'
import { untilOldEnough } from './fingerprint-testing.ts'

function place() {
  const home = mkdtempSync(join(tmpdir(), 'crosshook-fingerprint-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const note = (...names: string[]): Fingerprints =>
    Object.fromEntries(names.map((name) => [join(home, name), fingerprint(join(home, name))]))
  return { home, note }
}

/** After it, everything that `isCurrent` may keep in memory is there. */
async function settled(known: Fingerprints, ...folders: string[]): Promise<void> {
  await untilOldEnough(...folders)
  for (let i = 0; i < 4; i++) expect(isCurrent(known)).toBe(true)
}

test.each([
  ['in a folder', 'a/b/file', 'a/b'],
  ['in folders that come with it', 'a/b/c/d/file', 'a/b/c/d'],
  ['below a link that led nowhere', 'link/file', 'target'],
])('something that comes to stand where nothing was is seen at once: %s', async (_, name, folder) => {
  const { home, note } = place()
  mkdirSync(join(home, 'a/b'), { recursive: true })
  symlinkSync(join(home, 'target'), join(home, 'link'))
  const known = note(name, 'a/b')
  await settled(known, home, join(home, 'a'), join(home, 'a/b'))
  mkdirSync(join(home, folder), { recursive: true })
  writeFileSync(join(home, name), '')
  expect(isCurrent(known)).toBe(false)
})

test('a folder that is replaced by one with the file is seen at once', async () => {
  const { home, note } = place()
  mkdirSync(join(home, 'a'))
  mkdirSync(join(home, 'other'))
  writeFileSync(join(home, 'other/file'), '')
  const known = note('a/file')
  await settled(known, home, join(home, 'a'))
  renameSync(join(home, 'a'), join(home, 'old'))
  renameSync(join(home, 'other'), join(home, 'a'))
  expect(isCurrent(known)).toBe(false)
})

test('new files in the same folder do not change the fingerprint', async () => {
  const { home, note } = place()
  mkdirSync(join(home, 'a'))
  const known = note('a/file', 'a/b/file')
  await settled(known, home, join(home, 'a'))
  for (let i = 0; i < 5; i++) {
    writeFileSync(join(home, `a/other-${i}`), '')
    expect(isCurrent(known)).toBe(true)
  }
  writeFileSync(join(home, 'a/file'), '')
  utimesSync(join(home, 'a'), 1, 1)
  expect(isCurrent(known)).toBe(false)
})
