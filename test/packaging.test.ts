/** What CI runs, run here: the lines of the GitLab template. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { load } from 'js-yaml'
import { afterEach, beforeEach, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
let place: string

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'ci-'))
  mkdirSync(join(place, 'bin'))
  mkdirSync(join(place, 'project'))
  symlinkSync(join(root, 'bin/crosshook'), join(place, 'bin/crosshook'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(place, 'project', path)), { recursive: true })
  writeFileSync(join(place, 'project', path), text)
}

function guard(expected: string): void {
  put(
    '.agents/hooks/guard/HOOK.md',
    '---\nname: guard\ndescription: No shell.\ntrigger: before_tool\nmatcher: { tool: Shell }\noutcome: { decision: deny }\n---\n',
  )
  put(
    '.agents/hooks/guard/cases.yaml',
    `- name: a\n  event: before_tool\n  tool_name: Shell\n  tool_input: { command: ls }\n  expect: { decision: ${expected} }\n`,
  )
}

function run(command: string, more: NodeJS.ProcessEnv = {}) {
  return spawnSync('bash', ['-c', command], {
    cwd: join(place, 'project'),
    env: { PATH: `${join(place, 'bin')}:${process.env.PATH}`, HOME: place, ...more },
    encoding: 'utf8',
  })
}

it('the GitLab job passes when every case passes, and fails when one fails, one does not load, or nothing was tested', () => {
  const { crosshook: job } = load(
    readFileSync(join(root, 'packaging/gitlab/crosshook.gitlab-ci.yml'), 'utf8'),
  ) as { crosshook: { script: string[]; variables: Record<string, string> } }
  // All but the installation, which needs a registry.
  const script = job.script.filter((line) => !line.startsWith('npm ')).join(' && ')
  expect(run(script, job.variables).status).toBe(1)
  guard('deny')
  expect(run(script, job.variables).status).toBe(0)
  guard('allow')
  expect(run(script, job.variables).status).toBe(1)
  put('.agents/hooks/guard/HOOK.md', '---\nname: guard\n---\n')
  expect(run(script, job.variables).status).toBe(1)
})
