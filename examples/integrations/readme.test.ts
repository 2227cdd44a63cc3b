import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

test('README: its code compiles', () => {
  const folder = join(import.meta.dirname, '.readme')
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  const snippets = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((found) => found[1] ?? '')
  assert.equal(snippets.length, 5)
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../tsconfig.json',
        include: ['*.ts'],
        compilerOptions: { noUnusedLocals: false },
      }),
    )
    snippets.forEach((snippet, index) => {
      writeFileSync(join(folder, `${index + 1}.ts`), snippet.replaceAll("from './", "from '../"))
    })
    const { status, stdout } = spawnSync('tsc', ['-p', folder], { encoding: 'utf8' })
    assert.equal(stdout, '')
    assert.equal(status, 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
