import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  DECISIONS,
  FAULTS,
  type FaultyDisk,
  faultyDisk,
  REASON,
  ROUNDS,
  refused,
  writeHook,
  writeHooks,
} from './faulty-disk.ts'

async function fire(disk: FaultyDisk, tool: string) {
  const { code, stdout, stderr } = await disk.crosshook(['fire', 'before_tool', '--tool', tool, '--json'])
  return {
    code,
    stderr,
    ...(JSON.parse(stdout) as { decision: string; reason: string | null; hooks: unknown[] }),
  }
}

async function agent(disk: FaultyDisk, tool: string) {
  const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: disk.project, tool_name: tool }
  return disk.crosshook(['hook', 'claude-code', 'PreToolUse'], JSON.stringify({ ...payload, tool_input: {} }))
}

test.skipIf(refused !== undefined).for(FAULTS)(
  'a %s disk changes no decision of the command line, and is told',
  { timeout: 180_000 },
  async (fault) => {
    const disk = await faultyDisk(fault)
    disk.env.CROSSHOOK_NO_DAEMON = '1'
    writeHooks(disk)
    for (const [tool] of DECISIONS) await fire(disk, tool)
    await disk.break()
    const told: string[] = []
    for (let round = 0; round < ROUNDS[fault]; round++)
      for (const [tool, decision, reason] of DECISIONS) {
        const fired = await fire(disk, tool)
        expect(fired).toMatchObject({ decision, code: decision === 'deny' ? 2 : 0 })
        if (reason !== null) expect(fired.reason).toContain(reason)
        told.push(fired.stderr)
      }
    // The last page of a file has room left; no round finds it twice.
    for (const stderr of told.slice(-DECISIONS.length))
      expect(stderr).toMatch(new RegExp(`^warning: .*${REASON[fault]}`, 's'))
    expect(told.join('')).toMatch(/A failure of hook holds could not be kept/)
    for (const [tool, decision, reason] of DECISIONS) {
      const { code, stdout, stderr } = await agent(disk, tool)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      if (decision === 'deny')
        expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
          permissionDecision: 'deny',
          permissionDecisionReason: expect.stringContaining(reason!),
        })
      else expect(stdout).not.toContain('deny')
    }
    // What is new since then counts as well, though its plan cannot be kept.
    writeHook(disk, 'late', { tool: 'Late', script: 'echo "late no" >&2; exit 2' })
    expect(await fire(disk, 'Late')).toMatchObject({ decision: 'deny', reason: 'late no' })
    await disk.mend()
    expect(await fire(disk, 'Held')).toMatchObject({ decision: 'deny', stderr: '' })
    const kept = await disk.crosshook(['log', '--json'])
    // At most a record that was begun when the disk became full, and that is told.
    expect(kept).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(?:warning: 1 record .*)?\n?$/) })
    expect(kept.stdout.trimEnd().split('\n').length).toBeGreaterThan(DECISIONS.length)
    const letters = JSON.parse((await disk.crosshook(['dead-letter', 'list', '--json'])).stdout)
    expect(letters.map(({ hook_name }: { hook_name: string }) => hook_name)).toEqual([
      'holds',
      'lets',
      'holds',
    ])
  },
)

test.skipIf(refused !== undefined).for(FAULTS)(
  'on a %s disk nothing is trusted or untrusted, resolved or started, and each says why',
  { timeout: 180_000 },
  async (fault) => {
    const disk = await faultyDisk(fault)
    writeHooks(disk)
    for (const name of ['Mine', 'Yours'])
      writeHook(disk, name.toLowerCase(), {
        tool: name,
        script: `echo "${name} says no" >&2; exit 2`,
        scope: 'project',
      })
    await disk.crosshook(['trust', 'mine', '--yes'])
    await fire(disk, 'Held')
    const letters = async () => JSON.parse((await disk.crosshook(['dead-letter', 'list', '--json'])).stdout)
    const [{ id }] = await letters()
    await disk.break()
    for (const args of [
      ['trust', 'yours', '--yes'],
      ['untrust', 'mine'],
      ['dead-letter', 'resolve', id, '--reason', 'seen'],
      ['daemon', 'start'],
    ]) {
      const { code, stderr } = await disk.crosshook(args)
      expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(REASON[fault])])
      // The fault, and what to do.
      expect(stderr).toMatch(/^error: .*\n.*(?:room|written|write).*\n$/)
    }
    const expectTrust = async () => {
      expect(await fire(disk, 'Mine')).toMatchObject({ decision: 'deny', reason: 'Mine says no' })
      expect(await fire(disk, 'Yours')).toMatchObject({
        decision: 'allow',
        hooks: [{ skipped: 'untrusted' }],
      })
    }
    await expectTrust()
    const status = await disk.crosshook(['status'])
    expect(status.stdout).toMatch(/^daemon +not running$/m)
    expect(await disk.crosshook(['daemon', 'status'])).toMatchObject({ stdout: 'No daemon is running.\n' })
    expect((await disk.crosshook(['list'])).code).toBe(0)
    expect((await disk.crosshook(['validate'])).code).toBe(0)
    await disk.mend()
    await expectTrust()
    expect(await letters()).toMatchObject([{ id, resolved_at: null }])
    const state = await disk.run('find', [join(disk.env.XDG_STATE_HOME!), '-name', '*tmp*'])
    expect(state.stdout).toBe('')
    for (const args of [
      ['trust', 'yours', '--yes'],
      ['dead-letter', 'resolve', id, '--reason', 'seen'],
    ])
      expect(await disk.crosshook(args)).toMatchObject({ code: 0, stderr: '' })
    expect(await fire(disk, 'Yours')).toMatchObject({ decision: 'deny' })
  },
)
