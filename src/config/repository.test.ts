import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { projectFolders, repositoryIdentity } from './repository.ts'

test('the folder and the root of its repository are the project', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'crosshook-repository-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'deep')
  mkdirSync(folder)
  expect(projectFolders(folder)).toEqual([folder])
  mkdirSync(join(root, '.git'))
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

test("named pipes in place of git's files do not block", () => {
  const root = mkdtempSync(join(tmpdir(), 'crosshook-repository-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const git = join(root, '.git')
  execFileSync('mkfifo', [git])
  expect(repositoryIdentity(root)).toBeUndefined()
  rmSync(git)
  mkdirSync(git)
  execFileSync('mkfifo', [join(git, 'config')])
  expect(repositoryIdentity(root)).toBeUndefined()
  rmSync(join(git, 'config'))
  writeFileSync(join(git, 'config'), '[remote "origin"]\n  url = https://example.com/a.git\n')
  expect(repositoryIdentity(root)).toBe('https://example.com/a')
})
