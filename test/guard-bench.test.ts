import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { makeFolders } from '../bench/guards/cases.ts'
import { galleryJudge } from '../bench/guards/judges.ts'

const gallery = mkdtempSync(join(tmpdir(), 'crosshook-judges-'))
const folders = makeFolders()
afterAll(() => {
  folders.remove()
  rmSync(gallery, { recursive: true, force: true })
})

it('a guard that does not load is an error that names it, not a guard that allows everything', async () => {
  const from = fileURLToPath(new URL('../gallery/block-destruction', import.meta.url))
  cpSync(from, join(gallery, 'block-destruction'), { recursive: true })
  mkdirSync(join(gallery, 'spoiled'))
  writeFileSync(
    join(gallery, 'spoiled/HOOK.md'),
    '---\nname: spoiled\ntrigger: before_tool\nmatcher: [\n---\n',
  )
  const judge = await galleryJudge(gallery, ['block-destruction'], folders)
  const given = { suite: 's', tool: 'Shell', input: { command: 'rm -rf /' }, work_dir: folders.work }
  expect(await judge.judge({ ...given, expected: 'stop' })).toMatchObject({ decision: 'deny' })
  judge.close()
  await expect(galleryJudge(gallery, ['block-destruction', 'spoiled'], folders)).rejects.toThrow(
    /not loaded.*spoiled[\s\S]*spoiled\/HOOK\.md/,
  )
})
