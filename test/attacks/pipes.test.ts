/** A pipe in place of a file that a command or a hook in the background reads or adds to: nobody waits for it. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../src/executors/command-testing.ts'
import { calledBefore } from '../compile-cache.ts'

const main = resolve(import.meta.dirname, '../../dist/cli/main.cjs')
let home: string
const state = () => join(home, '.local/state/crosshook')

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'pipes-')))
})
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))

function crosshook(...args: string[]) {
  const done = spawnSync(process.execPath, [main, ...args], {
    cwd: home,
    env: calledBefore({
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: home,
      CROSSHOOK_NO_DAEMON: '1',
      CROSSHOOK_MANAGED_DIR: join(home, 'none'),
    }),
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect(done.error).toBeUndefined() // else it waited
  return { ...done, said: done.stdout + done.stderr }
}

function pipe(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { force: true })
  spawnSync('mkfifo', [file])
}

function hook(name: string, front: string, script: string): string {
  const folder = join(home, '.config/agents/hooks', name)
  mkdirSync(join(folder, 'scripts'), { recursive: true })
  writeFileSync(
    join(folder, 'HOOK.md'),
    `---\nname: ${name}\ndescription: d\ntrigger: before_tool\n${front}---\n`,
  )
  writeFileSync(join(folder, 'scripts/run.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return folder
}
const fire = () => crosshook('fire', 'before_tool', '--tool', 'Shell', '--input', '{"command":"ls"}')

describe.skipIf(process.platform === 'win32')('a pipe in place of', () => {
  it('the journal is named, and the guard holds', () => {
    hook('guard', '', 'echo no >&2; exit 2')
    expect(fire().status).toBe(2)
    expect(crosshook('log').said).toContain('guard')
    pipe(join(state(), 'journal.db'))
    expect(crosshook('log')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is not a plain file'),
    })
    expect(fire().status).toBe(2)
  })

  it('the list of dead letters that were dealt with is named', () => {
    hook('fails', 'on_failure: open\n', 'exit 7')
    fire()
    const [, id] = /"id": ?"([^"]+)"/.exec(crosshook('dead-letter', 'list', '--json').stdout)!
    pipe(join(state(), 'dead-letters/resolved-dead-letter.jsonl'))
    const done = crosshook('dead-letter', 'resolve', id!, '--reason', 'x')
    expect(done).toMatchObject({ status: 1, stderr: expect.stringContaining('not a plain file') })
  })

  it('the log of a hook in the background keeps no process waiting', async () => {
    const ended = join(home, 'ended')
    hook('later', 'async: true\n', `echo printed; echo $PPID > ${ended}`)
    fire()
    await until(() => existsSync(ended))
    const folder = join(state(), 'background')
    const log = await until(() => readdirSync(folder).find((name) => name.endsWith('.log')))
    pipe(join(folder, log))
    rmSync(ended)
    fire()
    await until(() => existsSync(ended))
    const filters = () =>
      spawnSync('sh', ['-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null'], { encoding: 'latin1' }).stdout.includes(
        join(folder, log),
      )
    await until(() => !filters())
  })

  it.each(['.codex/config.toml', '.codex/hooks.json'])('%s keeps no installation waiting', (file) => {
    expect(crosshook('install', 'codex', '--yes').status).toBe(0)
    pipe(join(home, file))
    for (const words of [['install', 'codex', '--yes'], ['doctor'], ['status'], ['uninstall', '--yes']])
      expect(crosshook(...words).said).not.toBe('')
  })

  it('a file of a hook keeps neither trust, nor validate, nor the builder waiting', () => {
    const folder = hook('guard', '', 'exit 0')
    pipe(join(folder, 'scripts/run.sh'))
    for (const words of [['validate'], ['list'], ['test', folder], ['show', 'guard'], ['publish', folder]])
      expect(crosshook(...words).said).not.toBe('')
    expect(fire().said).toMatch(/guard/)
  })
})
