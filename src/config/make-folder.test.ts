import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

test('makes a folder and all that lead to it, for their owner alone, and says what is in the way', () => {
  const root = mkdtempSync(join(tmpdir(), 'crosshook-folder-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const path = join(root, 'a/b/c')
  makeFolder(path)
  makeFolder(path)
  expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700)
  writeFileSync(join(root, 'file'), '')
  expect(() => makeFolder(join(root, 'file/below'))).toThrow('ENOTDIR')
})
