import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workFolder } from './work-folder.ts'

test('a program runs in the folder asked for, else in the nearest one above it', () => {
  const root = mkdtempSync(join(tmpdir(), 'work-folder-'))
  mkdirSync(join(root, 'a'))
  writeFileSync(join(root, 'file'), '')
  expect(workFolder(join(root, 'a'))).toEqual({ path: join(root, 'a') })
  for (const [wanted, path] of [
    [join(root, 'a/b/c'), join(root, 'a')],
    [join(root, 'file/x'), root],
    [join(root, 'file'), root],
    ['relative', '/'],
    [`${root}/a\0b`, root],
  ] as const)
    expect(workFolder(wanted)).toEqual({ path, note: expect.stringContaining(`the hook ran in ${path}`) })
  rmSync(root, { recursive: true })
})
