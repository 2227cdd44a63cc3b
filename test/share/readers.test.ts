/** Whoever reads the folder while it changes sees the old hooks or the new ones. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { readSource } from '../../src/config/load.ts'
import { FOLDER_FORMAT } from '../../src/dialects/list.ts'
import { denies } from './place.ts'

const root = mkdtempSync(join(tmpdir(), 'crosshook-readers-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('holds for a hundred changes under a reader that never stops', async () => {
  const base = join(root, 'hooks')
  const program = join(root, 'changes.ts')
  const module = fileURLToPath(new URL('../../src/packs/change.ts', import.meta.url))
  const hook = `(name, version) => ({ files: [{ path: 'HOOK.md', bytes: Buffer.from('---\\nname: ' + name + '\\n' + ${JSON.stringify(denies('VERSION'))}.replace('VERSION', 'v' + version) + '---\\n'), executable: false }], locked: { source: version } })`
  writeFileSync(
    program,
    `import { change } from ${JSON.stringify(module)}
const hook = ${hook}
for (let round = 0; round < 100; round++) {
  const version = String(round % 2)
  await change(process.argv[2], { put: Object.fromEntries(['a', 'b', 'c'].map((name) => [name, hook(name, version)])) })
  if (round === 0) console.log('ready')
}
`,
  )
  const child = spawn(process.execPath, [program, base], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  let reads = 0
  const seen = new Set<string>()
  while (child.exitCode === null) {
    const { hooks, problems } = await readSource({ path: base, format: FOLDER_FORMAT }, 'user')
    const versions = hooks
      .map(({ name, run }) => `${name}${run.type === 'outcome' ? run.outcome.reason : ''}`)
      .join()
    expect(['av0,bv0,cv0', 'av1,bv1,cv1'], `${versions} ${JSON.stringify(problems)}`).toContain(versions)
    seen.add(versions)
    reads++
    await new Promise(setImmediate)
  }
  expect(child.exitCode).toBe(0)
  expect(seen.size).toBe(2)
  console.log('reads', reads)
})
