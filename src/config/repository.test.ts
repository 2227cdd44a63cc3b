import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { projectFolders } from './repository.ts'

test('a clock that is set back does not keep an old view of the project', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'crosshook-repository-')))
  onTestFinished(() => {
    vi.useRealTimers()
    rmSync(root, { recursive: true })
  })
  const folder = join(root, 'deep')
  mkdirSync(folder)
  vi.useFakeTimers({ toFake: ['Date', 'hrtime'], now: 2_000_000_000_000 })
  expect(projectFolders(folder)).toEqual([folder])
  mkdirSync(join(root, '.git'))
  vi.advanceTimersByTime(60_000)
  vi.setSystemTime(1_000_000_000_000)
  expect(projectFolders(folder)).toEqual([folder, root])
})

test('a user whom the system does not know has projects, too', async () => {
  const os = process.getBuiltinModule('node:os')
  const spy = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  })
  onTestFinished(() => spy.mockRestore())
  vi.resetModules()
  const { projectFolders: fresh } = await import('./repository.ts')
  expect(fresh('/no/repository')).toEqual(['/no/repository'])
  expect(spy).toHaveBeenCalled()
})
