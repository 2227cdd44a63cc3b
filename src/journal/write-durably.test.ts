import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeDurably } from './write-durably.ts'

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-whole-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a file is replaced as a whole', () => {
  const file = join(scratch(), 'file')
  for (const text of ['one', 'a longer two', '']) {
    writeDurably(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
})

test('a failed write leaves no file behind', () => {
  const folder = scratch()
  mkdirSync(join(folder, 'taken'))
  expect(() => writeDurably(join(folder, 'taken'), 'text')).toThrow()
  expect(readdirSync(folder)).toEqual(['taken'])
})
