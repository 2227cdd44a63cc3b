/** `bin/crosshook` of a checkout starts Node with the options for a short life, for the calls that are short. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { COLD_FLAGS } from '../src/host/relay/cold-flags.ts'

const root = join(import.meta.dirname, '..')
const hasRelay = existsSync(join(root, 'dist/relay/crosshook-relay.cold'))

test.skipIf(process.platform !== 'linux' || !hasRelay)(
  'calls that end soon have the options, others have none',
  () => {
    const home = mkdtempSync(join(tmpdir(), 'xh-launcher-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    const hook = join(home, '.config/agents/hooks/shows')
    mkdirSync(join(hook, 'scripts'), { recursive: true })
    writeFileSync(
      join(hook, 'HOOK.md'),
      '---\nname: shows\ndescription: Shows how its parent was started.\ntrigger: before_tool\n---\n',
    )
    writeFileSync(
      join(hook, 'scripts/run.sh'),
      "#!/bin/sh\ntr '\\0' ' ' < /proc/$PPID/cmdline >&2\nexit 2\n",
      {
        mode: 0o755,
      },
    )
    const call = (...args: string[]) =>
      spawnSync(join(root, 'bin/crosshook'), args, {
        env: { PATH: process.env.PATH, HOME: home, CROSSHOOK_NO_DAEMON: '1' },
        cwd: home,
        encoding: 'utf8',
      }).stdout
    const options = COLD_FLAGS.join(' ')
    expect(call('fire', 'before_tool', '--json')).toContain(`node ${options} `)
    const checked = call('check', '--json', 'ls')
    expect(checked).toContain('main.cjs check')
    expect(checked).not.toContain(COLD_FLAGS[0])
  },
)
