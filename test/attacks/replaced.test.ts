/** Something else in place of a file that crosshook relies on: no call waits for it, swallows it or lets the tool pass. */

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calledBefore } from '../compile-cache.ts'

const main = resolve(import.meta.dirname, '../../dist/cli/main.cjs')
const relay = resolve(import.meta.dirname, '../../dist/relay/crosshook-relay')

let home: string
let env: NodeJS.ProcessEnv
let entry: string

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'replaced-')))
  const guard = join(home, '.config/agents/hooks/guard')
  mkdirSync(join(guard, 'scripts'), { recursive: true })
  writeFileSync(
    join(guard, 'HOOK.md'),
    '---\nname: guard\ndescription: d\ntrigger: before_tool\non_failure: closed\n---\n',
  )
  writeFileSync(join(guard, 'scripts/run.sh'), '#!/bin/sh\necho guarded >&2\nexit 2\n', { mode: 0o755 })
  mkdirSync(join(home, '.config/crosshook'), { recursive: true })
  writeFileSync(join(home, '.config/crosshook/config.toml'), 'disabled = []\n')
  env = calledBefore({
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    CROSSHOOK_NO_DAEMON: '1',
    CROSSHOOK_MANAGED_DIR: join(home, 'none'),
  })
  const installed = spawnSync(process.execPath, [main, 'install', 'claude-code', '--yes'], {
    env,
    encoding: 'utf8',
  })
  expect(installed.status).toBe(0)
  entry = join(home, '.local/state/crosshook/install/entries/claude-code.entry')
  // A plan is kept once its files are old enough, and what could not be read is known by it.
  expect(call()).toContain('guarded')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  expect(call()).toContain('guarded')
})
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))

function call(): string {
  const { stdout, stderr, error } = spawnSync(
    relay,
    ['hook', 'claude-code', 'PreToolUse', `--entry=${entry}`],
    {
      env,
      cwd: home,
      input: JSON.stringify({
        hook_event_name: 'PreToolUse',
        session_id: 's',
        cwd: home,
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
      }),
      encoding: 'utf8',
      timeout: 60_000,
    },
  )
  expect(error).toBeUndefined()
  return stdout + stderr
}

const plan = () => {
  const folder = join(home, '.cache/crosshook/plans')
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.json'))!)
}
const FILES: Record<string, () => string> = {
  'the compiled plan': plan,
  'the key of the state folder': () => join(home, '.local/state/crosshook/state.key'),
  'trust records': () => join(home, '.local/state/crosshook/trust.json'),
  'the settings': () => join(home, '.config/crosshook/config.toml'),
  'the definition of the guard': () => join(home, '.config/agents/hooks/guard/HOOK.md'),
  'the script of the guard': () => join(home, '.config/agents/hooks/guard/scripts/run.sh'),
  'the lock file of packs': () => join(home, '.config/agents/hooks/hooks.lock.json'),
  'the records that wait': () => join(home, '.local/state/crosshook/journal.intake'),
  'the tip of the journal': () => join(home, '.local/state/crosshook/journal.tip'),
  'the anchors of the journal': () => join(home, '.local/state/crosshook/journal.anchors'),
  'the log': () => join(home, '.local/state/crosshook/hook.log'),
  'what was installed': () => join(home, '.local/state/crosshook/install/manifest.json'),
  'the file of the entry': () => entry,
}

const THINGS: Record<string, (file: string) => void> = {
  'a pipe': (file) => void spawnSync('mkfifo', [file]),
  'a device without end': (file) => symlinkSync('/dev/zero', file),
  'a folder': (file) => mkdirSync(file),
  'a file without measure': (file) => {
    writeFileSync(file, '', { mode: 0o600 })
    truncateSync(file, 2 ** 40)
  },
}

describe.each(Object.keys(THINGS))('%s in place of', (thing) => {
  it.each(Object.keys(FILES))('%s: the call is refused, and soon', (name) => {
    const file = FILES[name]!()
    const kept = `${file}.kept`
    const wasThere = existsSync(file)
    if (wasThere) renameSync(file, kept)
    mkdirSync(dirname(file), { recursive: true })
    THINGS[thing]!(file)
    try {
      expect(call()).toMatch(/"permissionDecision":"deny"|crosshook cannot check this/)
    } finally {
      rmSync(file, { recursive: true, force: true })
      if (wasThere) renameSync(kept, file)
    }
    expect(call()).toContain('guarded')
  })
})
