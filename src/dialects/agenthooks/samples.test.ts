import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { read } from './config.ts'
import { encode } from './events.ts'
import { decode } from './replies.ts'
import { anEvent } from './testing.ts'

/** The specification's own examples, as people copy them. */
const fixtures = fileURLToPath(new URL('fixtures', import.meta.url))

function fixture(folder: string) {
  return read({ path: join(fixtures, folder), scope: 'user' }).hooks[0]!
}

/** What a sample script makes of a shell command that reaches it as we write it. */
function run(folder: string, script: string, command: string, options: { compact?: boolean } = {}) {
  const event = anEvent({ tool_name: 'Shell', tool_input: { command } })
  const hook = fixture(folder)
  const input = options.compact ? JSON.stringify(event) : encode(event, hook).text
  const { status, stdout, stderr } = spawnSync(join(fixtures, folder, 'scripts', script), {
    input,
    encoding: 'utf8',
  })
  return decode({ exit_code: status, stdout, stderr }, event, hook).outcome
}

describe('the samples of the specification', () => {
  it('all load, with warnings only for the escape that YAML does not know and for scripts that are not given', () => {
    const { hooks, problems } = read({ path: fixtures, scope: 'user' })
    expect(hooks.map(({ name }) => name)).toEqual([
      'audit-log',
      'auto-format-python',
      'block-dangerous-commands',
      'block-prod-deploy',
      'enforce-test-coverage',
      'enforce-tests',
      'python-guard',
      'block-dangerous-commands',
    ])
    expect(problems.map(({ level, file }) => [level, file.slice(fixtures.length + 1)])).toEqual([
      ['warning', 'audit-log/HOOK.md'],
      ['warning', 'auto-format-python/HOOK.md'],
      ['warning', 'quick-start/HOOK.md'],
    ])
    expect(fixture('auto-format-python').matcher.pattern).toBe('\\.py$')
  })

  it.each([
    ['ls -la', undefined],
    ['rm -rf /', undefined], // its `\b` after the slash needs a letter there
    ['rm -rf /tmp/x', 'rm -rf /'],
    ['mkfs.ext4 /dev/sda', 'mkfs'],
    ['dd if=/dev/zero of=/dev/sda', 'dd if=/dev/zero'],
  ])('the complete example answers to %j', (command, found) => {
    const reason = found && `Dangerous command blocked: ${found} would destroy the system`
    expect(run('block-dangerous-commands', 'run.sh', command)).toEqual(
      reason ? { decision: 'deny', reason, user_message: reason } : {},
    )
  })

  it('the quick start blocks what it names', () => {
    expect(run('quick-start', 'run.sh', 'rm -rf /')).toMatchObject({
      decision: 'deny',
      reason: '危险命令被阻止: rm -rf /',
    })
    expect(run('quick-start', 'run.sh', 'ls')).toEqual({})
  })

  it('the shell samples are blind to compact JSON, which is why ours has spaces', () => {
    expect(run('quick-start', 'run.sh', 'rm -rf /', { compact: true })).toEqual({})
    expect(run('block-dangerous-commands', 'run.sh', 'mkfs.ext4 /dev/sda', { compact: true })).toEqual({})
  })

  it('the Python sample blocks and allows', () => {
    expect(run('python-guard', 'run.py', 'rm -rf /')).toMatchObject({
      decision: 'deny',
      reason: 'Dangerous command detected: rm -rf /',
    })
    expect(run('python-guard', 'run.py', 'ls')).toEqual({ decision: 'allow' })
  })
})
