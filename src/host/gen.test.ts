import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const bin = join(root, 'node_modules', '.bin')
const hasBuf = spawnSync(join(bin, 'buf'), ['--version']).status === 0

test.skipIf(!hasBuf)('the generated messages are those of the proto file', () => {
  const out = mkdtempSync(join(tmpdir(), 'crosshook-gen-'))
  onTestFinished(() => rmSync(out, { recursive: true }))
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const { status, stderr } = spawnSync(join(bin, 'buf'), ['generate', 'proto', '-o', out], { cwd: root, env })
  expect(String(stderr)).toBe('')
  expect(status).toBe(0)
  const file = 'src/host/gen/hooks_pb.ts'
  expect(readFileSync(join(out, file), 'utf8')).toBe(readFileSync(join(root, file), 'utf8'))
})
