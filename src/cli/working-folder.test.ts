import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PROGRAM } from '../../test/program.ts'

test('a guard judges also what an agent does in a folder that has been removed', () => {
  const root = mkdtempSync(join(tmpdir(), 'crosshook-gone-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const hook = join(root, '.config/agents/hooks/guard')
  mkdirSync(join(hook, 'scripts'), { recursive: true })
  mkdirSync(join(root, 'gone'))
  writeFileSync(join(hook, 'HOOK.md'), '---\nname: guard\ndescription: d\ntrigger: before_tool\n---\n')
  writeFileSync(join(hook, 'scripts/run.sh'), '#!/bin/sh\necho "in $(pwd -P)" >&2\nexit 2\n')
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    CROSSHOOK_NO_DAEMON: '1',
    CROSSHOOK_MANAGED_DIR: join(root, 'm'),
  }
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' } }
  for (const native of [call, { ...call, cwd: join(root, 'gone/deeper') }]) {
    mkdirSync(join(root, 'gone'), { recursive: true })
    const answer = execFileSync(
      '/bin/sh',
      ['-c', 'rmdir "$PWD"; exec "$0" "$@"', process.execPath, PROGRAM, 'hook', 'claude-code', 'PreToolUse'],
      { env, cwd: join(root, 'gone'), input: JSON.stringify(native), encoding: 'utf8' },
    )
    expect(JSON.parse(answer).hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: `in ${root}`,
    })
  }
})
