/** The reference is complete: what the sources read is in it, and every page can be shown. */

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { helpPages, pageWords } from '../src/cli/help-pages.ts'
import { painter } from '../src/cli/paint.ts'
import { ENVIRONMENT } from '../tools/reference-environment.ts'

const root = join(import.meta.dirname, '..')

it('names every variable that crosshook and its relay read, and no other', () => {
  const files = execFileSync('git', ['ls-files', 'src/**/*.ts', 'relay/*.c', 'relay/*.h'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && !/\.test\.ts$|testing\.ts$|fuzz\.c$/.test(file))
  const found = new Set(
    files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8').replaceAll(
        /#(?:define|ifndef|ifdef|endif)[^\n]*/g,
        '',
      )
      return text.match(/\bCROSSHOOK_[A-Z][A-Z_]*[A-Z]\b/g) ?? []
    }),
  )
  // Set by the compiler, not by the environment.
  found.delete('CROSSHOOK_VERSION')
  const listed = Object.keys(ENVIRONMENT).filter((name) => name.startsWith('CROSSHOOK_'))
  expect([...found].sort()).toEqual(listed.sort())
})

it('shows every page on a narrow and on a wide terminal, and no line of a table is longer than it', () => {
  const pages = helpPages()
  expect(pages.map(({ topic }) => topic)).toEqual(
    expect.arrayContaining(['hook-md', 'events', 'tools', 'config', 'cases']),
  )
  for (const { file } of pages)
    for (const width of [60, 140]) {
      const text = pageWords(file, painter(2), width)
      expect(text).not.toContain('<!--')
      expect(text.split('\n').length).toBeGreaterThan(5)
    }
})

it('has schemas with an address, which the reference tells editors', () => {
  for (const name of ['hook', 'settings']) {
    const schema = JSON.parse(readFileSync(join(root, `schemas/${name}.schema.json`), 'utf8'))
    expect(schema.$id).toBe(
      `https://raw.githubusercontent.com/crosshook/crosshook/main/schemas/${name}.schema.json`,
    )
  }
  const { stdout } = spawnSync(join(root, 'bin/crosshook'), ['help', 'HOOK.md'], { encoding: 'utf8' })
  expect(stdout).toContain(
    'yaml-language-server: $schema=https://raw.githubusercontent.com/crosshook/crosshook/main/schemas/hook.schema.json',
  )
})
