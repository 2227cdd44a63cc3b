/** A hostile repository meets hooks of the gallery that look at it. */

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const gallery = fileURLToPath(new URL('../../gallery', import.meta.url))
let root: string
let project: string
let ran: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gallery-'))
  project = join(root, 'project')
  ran = join(root, 'ran')
  mkdirSync(project)
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))

function put(path: string, text: string, mode = 0o644): string {
  const file = join(project, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: project, stdio: 'pipe' })

function run(hook: string, event: object, env: NodeJS.ProcessEnv = {}) {
  return spawnSync('python3', [join(gallery, hook, 'scripts/run.py')], {
    cwd: project,
    input: JSON.stringify({ work_dir: project, ...event }),
    encoding: 'utf8',
    env: { HOME: root, PATH: process.env.PATH, ...env },
  })
}

describe('context-from-git', () => {
  it.each([
    ['a filter', ['filter.x.clean', 'touch RAN; cat']],
    ['a filter that stays', ['filter.x.process', 'touch RAN']],
    ['a monitor', ['core.fsmonitor', 'touch RAN; false']],
    ['a program for signatures', ['gpg.program', 'EVIL']],
    ['a pager', ['core.pager', 'touch RAN; cat']],
  ])('runs nothing of a repository that names %s', (_, [key, value]) => {
    git('init', '-q')
    put('.gitattributes', '* filter=x\n')
    put('a.txt', 'one\n')
    git('add', '.')
    git('commit', '-qm', 'first')
    const evil = put('evil.sh', `#!/bin/sh\ntouch ${ran}\ncat\n`, 0o755)
    git('config', key!, value!.replace('RAN', ran).replace('EVIL', evil))
    git('config', 'filter.x.required', 'true')
    git('config', 'log.showSignature', 'true')
    put('a.txt', 'two\n')
    rmSync(ran, { force: true })
    const { stdout, stderr } = run('context-from-git', {})
    expect({ stdout, stderr }).toMatchObject({ stdout: expect.stringContaining('a.txt') })
    expect(existsSync(ran)).toBe(false)
  })
})

describe('auto-format', () => {
  const evil = () => `#!/bin/sh\ntouch ${ran}\n`
  it('runs no formatter of the project, whoever put it on PATH, and none that a variable names', () => {
    const file = put('a.json', '{}')
    const bin = dirname(put('node_modules/.bin/prettier', evil(), 0o755))
    put('tools/biome', evil(), 0o755)
    const path = [bin, join(project, 'tools'), process.env.PATH].join(':')
    run('auto-format', { tool_input: { path: file } }, { PATH: path, AUTO_FORMAT_JSON: `touch ${ran}` })
    expect(existsSync(ran)).toBe(false)
  })
})
