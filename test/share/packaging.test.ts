/** What packaging/ gives to others, as they use it. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Machine, makeMachine, program, put, start } from './place.ts'

const folder = join(import.meta.dirname, '../../packaging')
let machine: Machine
beforeAll(async () => {
  machine = makeMachine()
  mkdirSync(join(machine.root, 'bin'))
  symlinkSync(program, join(machine.root, 'bin/crosshook'))
  machine.env.PATH = `${join(machine.root, 'bin')}:${machine.env.PATH}`
  execFileSync('git', ['-C', machine.project, 'init', '-q'])
  await machine.json('add', 'git-guard', '--project')
})
afterAll(() => machine.remove())

const shell = (script: string, env: NodeJS.ProcessEnv = {}) =>
  start('bash', ['-e', '-c', script], { cwd: machine.project, env: { ...machine.env, ...env } })

it('the check before a commit passes, and fails on an edited hook', async () => {
  const script = join(folder, 'pre-commit/crosshook-check.sh')
  expect(await shell(script)).toMatchObject({ status: 0 })
  const hook = join(machine.project, '.agents/hooks/git-guard/HOOK.md')
  const before = readFileSync(hook, 'utf8')
  put(hook, `${before}\nedited\n`)
  expect(await shell(script)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('changed  git-guard'),
  })
  put(hook, before)
})

it('the steps of the GitHub Action pass, and fail where the lock file does not hold', async () => {
  const action = load(readFileSync(join(folder, 'github-action/action.yml'), 'utf8')) as {
    runs: { steps: { name: string; run: string; env?: Record<string, string> }[] }
  }
  const steps = action.runs.steps.slice(1)
  expect(steps.map(({ run }) => /crosshook (\w+)/.exec(run)?.[1])).toEqual(['sync', 'validate', 'test'])
  for (const { run } of steps)
    expect(await shell(run, { SYNC: 'frozen', CROSSHOOK_TRUST: 'all' })).toMatchObject({ status: 0 })
  const hook = join(machine.project, '.agents/hooks/git-guard/HOOK.md')
  const before = readFileSync(hook, 'utf8')
  put(hook, `${before}\nedited\n`)
  expect((await shell(steps[0]!.run, { SYNC: 'frozen' })).status).toBe(1)
})
