import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HookSum } from '../../journal/port.ts'
import { openJournal } from '../../journal/sqlite/open.ts'
import { place, runningDaemon, userHook } from '../testing.ts'

const EVENT = { event_type: 'before_tool', tool_input: { command: 'ls' }, session_id: 's1' }

test('runs of hooks are summed up by what the query names, and hooks that never ran are named', async () => {
  const at = place()
  userHook(at, 'guard', 'exit 2', 'matcher:\n  tool: Shell\n')
  userHook(at, 'broken', 'exit 1')
  userHook(at, 'idle', 'exit 0', 'matcher:\n  tool: Nothing\n')
  const { ask } = await runningDaemon({ at })
  await ask('POST', '/v1/events', { ...EVENT, tool_name: 'Shell', work_dir: '/a' })
  await ask('POST', '/v1/events', { ...EVENT, tool_name: 'ReadFile', work_dir: '/b' })
  await ask('POST', '/v1/events', { ...EVENT, tool_name: 'ReadFile', work_dir: '/b' })
  const stats = (await ask('GET', '/v1/stats?since=1h&slices=3')).body as {
    events: number
    hooks: (HookSum & { hook: string; slices: number[] })[]
    never_matched: string[]
    by: Record<string, { name: string; events: number }[]>
  }
  expect(stats.events).toBe(3)
  expect(stats.never_matched).toEqual(['idle'])
  expect(stats.by.decision).toEqual([
    { name: 'allow', events: 2 },
    { name: 'deny', events: 1 },
  ])
  const guard = stats.hooks.find(({ hook }) => hook === 'guard')!
  expect(guard).toMatchObject({ runs: 1, denies: 1, noise: null })
  expect(guard.slices).toHaveLength(3)
  const sums = async (query: string) =>
    ((await ask('GET', `/v1/stats/hooks?${query}`)).body as { rows: HookSum[] }).rows.map((row) => [
      ...Object.values(row.by),
      row.runs,
      row.failures,
    ])
  expect(await sums('by=tool&since=1h&hook=broken')).toEqual([
    ['ReadFile', 2, 2],
    ...(stats.hooks.find(({ hook }) => hook === 'broken')!.runs === 3 ? [['Shell', 1, 1]] : []),
  ])
  expect(await sums('by=hook,project&since=1h&tool=ReadFile')).toEqual([['broken', '/b', 2, 2]])
  expect((await ask('GET', '/v1/stats/hooks?by=colour')).status).toBe(400)
  expect((await ask('GET', '/v1/stats?since=never')).status).toBe(400)
})

test('Prometheus finds series of each hook, and a name cannot add others', async () => {
  const at = place()
  userHook(at, 'guard', 'exit 2')
  const { ask } = await runningDaemon({ at })
  await ask('POST', '/v1/events', { ...EVENT, tool_name: 'Shell' })
  openJournal(join(at.env.XDG_STATE_HOME!, 'crosshook')).append({
    event: 'before_tool',
    session_id: 's1',
    work_dir: '/a',
    decision: 'allow',
    reason: null,
    stop: null,
    duration_ms: 1,
    source: 'library',
    hooks: [
      {
        name: 'x"} 9\nevil_total{a="\\',
        format: '',
        scope: 'user',
        status: 'allowed',
        exit_code: null,
        duration_ms: 20,
        attempts: 1,
        reason: null,
        error: null,
        skipped: null,
        cost_usd: 0.25,
      },
    ],
  })
  const { text } = (await ask('GET', '/metrics')).body as { text: string }
  const lines = text.split('\n')
  expect(lines).toContain('crosshook_hook_runs_total{hook="guard"} 1')
  expect(lines).toContain('crosshook_hook_denies_total{hook="guard"} 1')
  expect(lines).toContain('crosshook_hook_duration_seconds_count{hook="guard"} 1')
  const odd = 'hook="x\\"} 9\\nevil_total{a=\\"\\\\"'
  expect(lines).toContain(`crosshook_hook_cost_usd_total{${odd}} 0.25`)
  expect(lines).toContain(`crosshook_hook_duration_seconds_bucket{${odd},le="0.01"} 0`)
  expect(lines).toContain(`crosshook_hook_duration_seconds_bucket{${odd},le="0.025"} 1`)
  expect(lines.filter((line) => line.startsWith('evil'))).toEqual([])
})
