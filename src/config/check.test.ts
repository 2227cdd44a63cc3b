import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSource } from './source.ts'

test('a cycle of `after` is a warning at each of its hooks, with the whole cycle', async () => {
  const root = mkdtempSync(join(tmpdir(), 'check-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const after = { a: 'b', b: 'c', c: 'a', d: 'a', self: 'self', free: 'd' }
  for (const [name, other] of Object.entries(after)) {
    mkdirSync(join(root, name))
    const head = `name: ${name}\ndescription: d\ntrigger: before_tool\noutcome: {}\nafter: ${other}`
    writeFileSync(join(root, name, 'HOOK.md'), `---\n${head}\n---\n`)
  }
  const { hooks, problems } = await readSource({ path: root }, 'user')
  expect(hooks).toHaveLength(6)
  expect(problems.map(({ level, field, hook, line }) => [level, field, hook, line])).toEqual(
    ['a', 'b', 'c', 'self'].map((name) => ['warning', 'after', name, 6]),
  )
  expect(problems[0]!.message).toContain('"a" comes after "b" comes after "c" comes after "a"')
})
