/** A project's files are exchanged while its trusted hook runs: what runs is what was trusted, or nothing. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadHookSet } from '../../src/config/load.ts'
import { paths } from '../../src/config/paths.ts'
import { openTrust } from '../../src/config/trust.ts'
import { createPipeline } from '../../src/pipeline/pipeline.ts'
import type { FireResult } from '../../src/spec/outcome.ts'

let root: string
let project: string
let env: NodeJS.ProcessEnv

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sealed-')))
  project = join(root, 'project')
  mkdirSync(project)
  env = { HOME: join(root, 'home'), PATH: process.env.PATH, CROSSHOOK_MANAGED_DIR: join(root, 'managed') }
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))

function put(path: string, text: string, mode = 0o755): string {
  const file = join(project, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

const head = (more: string) =>
  `---\nname: guard\ndescription: d\ntrigger: before_tool\nmatcher:\n  tool: Shell\n${more}---\n`
const NO = '#!/bin/sh\necho no >&2\nexit 2\n'

async function trustAll(): Promise<void> {
  const { hooks } = await loadHookSet({ env, workDir: project })
  openTrust(paths(env).state, false).trust(hooks.filter(({ scope }) => scope === 'project'))
}

function fire(workDir = project): Promise<FireResult> {
  const pipeline = createPipeline({ env, source: 'cli', silent: true })
  return pipeline
    .fire('before_tool', { tool_name: 'Shell', tool_input: { command: 'ls' }, work_dir: workDir })
    .finally(() => pipeline.close())
}

/** Puts the one and the other file in the place of the script, again and again. */
const SWAP = `
const { copyFileSync, renameSync, writeFileSync } = require('node:fs')
const [good, bad, script, count] = process.argv.slice(1)
for (let i = 0; ; i++) {
  copyFileSync(i % 2 ? good : bad, script + '.pyc')
  renameSync(script + '.pyc', script)
  if (i % 10 === 0) writeFileSync(count, String(i))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
}`

describe('a trusted guard of a project', () => {
  it('never runs a file that takes the place of its script between the check and the start', async () => {
    put('.agents/hooks/guard/HOOK.md', head('on_failure: closed\n'), 0o644)
    const script = put('.agents/hooks/guard/scripts/run.sh', NO)
    await trustAll()
    const ran = join(root, 'evil-ran')
    const evil = `#!/bin/sh\ntouch ${ran}\nexit 0\n`
    const [good, bad] = [join(root, 'good'), join(root, 'bad')]
    writeFileSync(good, NO, { mode: 0o755 })
    writeFileSync(bad, evil, { mode: 0o755 })
    const count = join(root, 'count')
    const swapper = spawn(process.execPath, ['-e', SWAP, good, bad, script, count])
    const ended = once(swapper, 'close')
    const decisions = new Set<string>()
    const statuses = new Set<string>()
    try {
      await expect.poll(() => existsSync(count) && Number(readFileSync(count, 'utf8'))).toBeGreaterThan(10)
      // On a busy machine it may take more calls until it was met both as it was trusted and otherwise.
      for (let i = 0; i < 150 || (statuses.size < 2 && i < 5000); i++) {
        const { decision, hooks } = await fire()
        decisions.add(decision)
        statuses.add(hooks[0]!.status)
      }
    } finally {
      swapper.kill('SIGKILL')
      await ended
    }
    expect(statuses).toEqual(new Set(['blocked', 'failed']))
    expect(decisions).toEqual(new Set(['deny']))
    expect(() => readFileSync(ran)).toThrow('ENOENT')
  })

  it.each([
    ['closed', 'deny', 'failed'],
    ['open', 'allow', 'failed'],
  ])(
    'whose bytes changed fails by its own policy, %s, and is not left out in silence',
    async (policy, decision, status) => {
      put('.agents/hooks/guard/HOOK.md', head(`on_failure: ${policy}\n`), 0o644)
      put('.agents/hooks/guard/scripts/run.sh', NO)
      await trustAll()
      expect(await fire()).toMatchObject({ decision: 'deny', hooks: [{ status: 'blocked' }] })
      put('.agents/hooks/guard/more.txt', '')
      const result = await fire()
      expect(result).toMatchObject({ decision, hooks: [{ status, skipped: null }] })
      expect(result.hooks[0]!.error).toContain('its files have changed since you trusted it')
    },
  )

  it('that was never trusted is skipped, whatever its policy', async () => {
    put('.agents/hooks/guard/HOOK.md', head('on_failure: closed\n'), 0o644)
    put('.agents/hooks/guard/scripts/run.sh', NO)
    expect(await fire()).toMatchObject({
      decision: 'allow',
      hooks: [{ status: 'skipped', skipped: 'untrusted' }],
    })
  })

  it('fails when the trust file was forged, and an untrusted hook does not run by it', async () => {
    put('.agents/hooks/guard/HOOK.md', head('on_failure: closed\n'), 0o644)
    const ran = join(root, 'ran')
    put('.agents/hooks/guard/scripts/run.sh', `#!/bin/sh\ntouch ${ran}\n`)
    const { hooks } = await loadHookSet({ env, workDir: project })
    const { state } = paths(env)
    const { digest, snapshot } = await import('../../src/config/trust.ts')
    const place = hooks[0]!.origin.dir!
    for (const version of [1, 2]) {
      const record = { name: 'guard', digest: digest(snapshot(hooks[0]!)), at: 'now', mac: '0'.repeat(64) }
      mkdirSync(state, { recursive: true })
      writeFileSync(join(state, 'trust.json'), JSON.stringify({ version, hooks: { [place]: record } }))
      const result = await fire()
      expect(result.hooks[0]!.error).toMatch(/trust\.json/)
      expect(result.decision).toBe('deny')
      expect(() => readFileSync(ran)).toThrow('ENOENT')
    }
  })

  it('does not lose its trust to the caches of its own interpreter', async () => {
    put('.agents/hooks/guard/HOOK.md', head('on_failure: closed\n'), 0o644)
    put('.agents/hooks/guard/scripts/helper.py', 'WORD = "no"\n', 0o644)
    put(
      '.agents/hooks/guard/scripts/run.py',
      '#!/usr/bin/env python3\nimport sys, helper\nprint(helper.WORD, file=sys.stderr)\nsys.exit(2)\n',
    )
    await trustAll()
    for (let i = 0; i < 2; i++)
      expect(await fire()).toMatchObject({ decision: 'deny', reason: 'no', hooks: [{ status: 'blocked' }] })
  })

  it('runs a script outside its folder only with the bytes that were trusted', async () => {
    const ran = join(root, 'ran')
    put(
      '.agents/hooks/guard/HOOK.md',
      head('on_failure: closed\nrun:\n  command: ./scripts/lint.sh\n'),
      0o644,
    )
    put('scripts/lint.sh', '#!/bin/sh\nexit 0\n')
    await trustAll()
    expect(await fire()).toMatchObject({ decision: 'allow', hooks: [{ status: 'allowed' }] })
    put('scripts/lint.sh', `#!/bin/sh\ntouch ${ran}\n`)
    expect((await fire()).hooks[0]).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('lint.sh, which it runs, has changed'),
    })
    expect(() => readFileSync(ran)).toThrow('ENOENT')
  })
})
