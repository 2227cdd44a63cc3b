import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ask, type Home, reasonOf } from '../../src/host/relay/testing.ts'
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

/** An engine in the foreground, and how to ask it. */
async function engine(disk: FaultyDisk) {
  const { env, project } = disk
  const socket = join(env.XDG_RUNTIME_DIR!, 'crosshook/engine.sock')
  const child = disk.start(['engine'])
  onTestFinished(() => void child.kill('SIGKILL'))
  for (let waited = 0; !existsSync(socket); waited += 20) {
    if (waited > 20_000) throw new Error('the engine does not start')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const home = { env, project, socket } as Home
  return {
    child,
    async fire(tool: string) {
      const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: project, tool_name: tool }
      return ask(home, { payload: { ...payload, tool_input: {} } })
    },
  }
}

async function expectDecisions(fire: Awaited<ReturnType<typeof engine>>['fire']): Promise<void> {
  for (const [tool, decision, reason] of DECISIONS) {
    const answer = await fire(tool)
    expect(answer).toMatchObject({ status: 0, exit_code: 0, stderr: '' })
    if (decision === 'deny') expect(reasonOf(answer)).toContain(reason)
    else expect(answer.stdout).not.toContain('deny')
  }
}

test.skipIf(refused !== undefined).for(FAULTS)(
  'a %s disk changes no decision of the warm engine, and it keeps again what it can keep again',
  { timeout: 180_000 },
  async (fault) => {
    const disk = await faultyDisk(fault)
    writeHooks(disk)
    writeHook(disk, 'mine', { tool: 'Mine', script: 'echo "mine says no" >&2; exit 2', scope: 'project' })
    await disk.crosshook(['trust', 'mine', '--yes'])
    const { child, fire } = await engine(disk)
    await expectDecisions(fire)
    await disk.break()
    for (let round = 0; round < ROUNDS[fault]; round++) await expectDecisions(fire)
    expect(reasonOf(await fire('Mine'))).toBe('mine says no')
    writeHook(disk, 'late', { tool: 'Late', script: 'echo "late no" >&2; exit 2' })
    expect(reasonOf(await fire('Late'))).toBe('late no')
    const status = await disk.crosshook(['status'])
    expect(status).toMatchObject({ stderr: expect.stringMatching(REASON[fault]) })
    await disk.mend()
    await expectDecisions(fire)
    expect(child.exitCode).toBeNull()
    const letters = JSON.parse((await disk.crosshook(['dead-letter', 'list', '--json'])).stdout)
    expect(letters.length).toBeGreaterThanOrEqual(4)
    const { code, stdout } = await disk.crosshook(['log', '--json'])
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n').length).toBeGreaterThanOrEqual(2 * DECISIONS.length)
  },
)

test.skipIf(refused !== undefined).for(FAULTS)(
  'an engine that starts on a %s disk decides as ever',
  { timeout: 60_000 },
  async (fault) => {
    const disk = await faultyDisk(fault)
    writeHooks(disk)
    await disk.crosshook(['fire', 'before_tool', '--tool', 'Denied'])
    await disk.break()
    const { fire } = await engine(disk)
    await expectDecisions(fire)
  },
)
