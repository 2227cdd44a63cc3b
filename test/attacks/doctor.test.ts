/** What doctor says of a machine on which somebody has changed the guards. */

import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { planMac } from '../../src/config/plan-cache.ts'
import { readStateKey } from '../../src/config/state-key.ts'
import { calledBefore } from '../compile-cache.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url))
let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'doctor-'))
  mkdirSync(join(home, 'project'))
})
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))

function crosshook(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...args], {
    cwd: join(home, 'project'),
    encoding: 'utf8',
    input: '{}',
    env: calledBefore({
      HOME: home,
      PATH: '/usr/bin:/bin',
      CROSSHOOK_MANAGED_DIR: join(home, 'managed'),
      CROSSHOOK_NO_DAEMON: '1',
    }),
  })
  return { stdout, stderr, status }
}

const added = () => join(home, '.config/agents/hooks/block-destruction')
const problems = () => {
  const { stdout } = crosshook('doctor', '--json')
  return (JSON.parse(stdout) as { problems: { level: string; message: string }[] }).problems
}

describe('doctor', () => {
  beforeEach(() => void expect(crosshook('add', 'block-destruction').status).toBe(0))

  it('names a hook that was edited since it was added, and one that is gone', () => {
    const drifted = () =>
      problems()
        .map(({ message }) => message)
        .filter((text) => text.includes('was added') || text.includes('edited'))
    expect(drifted()).toEqual([])
    appendFileSync(join(added(), 'HOOK.md'), '\nMore.\n')
    expect(drifted()).toEqual([
      expect.stringMatching(/block-destruction is not what was added .*edited since/),
    ])
    rmSync(added(), { recursive: true })
    expect(drifted()).toEqual([expect.stringMatching(/block-destruction was added from .* and is gone/)])
  })

  it('names hooks that everybody may write to', () => {
    chmodSync(added(), 0o777)
    expect(problems()).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: expect.stringContaining('every user of this machine may write'),
      }),
    )
  })

  it('names a trust file that somebody has written', () => {
    const state = join(home, '.local/state/crosshook')
    mkdirSync(state, { recursive: true })
    const record = { name: 'x', digest: 'x', at: 'x', mac: 'x' }
    writeFileSync(join(state, 'trust.json'), JSON.stringify({ version: 2, hooks: { '/x': record } }))
    expect(problems()).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringMatching(/trust\.json/) }),
    )
  })

  it('derives the plan again: also one that is signed is compared with the files', async () => {
    const file = join(added(), 'HOOK.md')
    await expect.poll(() => Date.now() - statSync(file).ctimeMs).toBeGreaterThan(100)
    crosshook('list')
    const folder = join(home, '.cache/crosshook/plans')
    const key = readStateKey(join(home, '.local/state/crosshook'))!
    const isDifferent = () => problems().some(({ message }) => message.includes('a cached plan differs'))
    expect(isDifferent()).toBe(false)
    for (const name of readdirSync(folder)) {
      const plan = JSON.parse(readFileSync(join(folder, name), 'utf8').slice(65)) as object
      const body = JSON.stringify({ ...plan, hooks: [] })
      writeFileSync(join(folder, name), `${planMac(key, Buffer.from(body))}\n${body}`)
    }
    expect(isDifferent()).toBe(true)
  })
})
