/** Policies reach machines stage by stage, stop when they do harm, and are taken back by a new revision. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Admin } from '../../src/fleet/admin.ts'
import { readPolicyState } from '../../src/fleet/policy-state.ts'
import { type RevisionRow, rollBack } from '../../src/fleet/publish.ts'
import { heardHub, missedHub } from '../../src/fleet/too-old.ts'
import { isWithin, type Stage } from '../../src/fleet/wire/policy-manifest.ts'
import { assemble } from '../../src/host/assemble.ts'
import { openSqlite } from '../../src/hub/database/sqlite.ts'
import { moveRollouts, reasonToStop } from '../../src/hub/rollout.ts'
import {
  entry,
  hubOn,
  type Machine,
  machineAt,
  personAt,
  publishWord,
  temporary,
  tokenFor,
  wish,
} from './fixture.ts'

const ALL: Stage[] = [{ mode: 'enforce', percent: 100, minutes: 0 }]

async function start() {
  const hub = await hubOn(openSqlite(':memory:'))
  const admin = await personAt(hub, 'a')
  await publishWord(admin, 'first')
  const machine = async (labels: object = {}) => machineAt(hub.address, await tokenFor(admin, { labels }))
  return { hub, admin, machine }
}

const has = ({ where, enrolment }: Machine) => readPolicyState(where.fleet.folder, enrolment)
const one = (admin: Admin, n: number) => admin.get<RevisionRow>(`/v1/fleet/revisions/${n}`)

describe('a roll-out', () => {
  it('goes from nobody to some to all, and each machine stays what it was in between', async () => {
    const { hub, admin, machine } = await start()
    const machines = await Promise.all(Array.from({ length: 8 }, () => machine()))
    for (const each of machines) each.start()
    const stages: Stage[] = [
      { mode: 'enforce', percent: 0, minutes: 60 },
      { mode: 'enforce', percent: 50, minutes: 60 },
      { mode: 'enforce', percent: 100, minutes: 60 },
    ]
    for (const each of machines) await expect.poll(() => has(each).revision).toBe(1)
    const { digest } = await publishWord(admin, 'second', { stages })
    const revisions = () => machines.map((each) => has(each).enforced?.revision)
    await admin.post('/v1/fleet/revisions/2/advance')
    const half = machines.map(({ enrolment }) => (isWithin(50, digest, enrolment.id) ? 2 : 1))
    await expect.poll(revisions).toEqual(half)
    // Its time is over: any hub moves it.
    await moveRollouts(hub.hub.db, 'a', Date.now() + 3_600_001)
    await expect.poll(revisions).toEqual(machines.map(() => 2))
    // None was offered what is not for it.
    expect(machines.flatMap(({ troubles }) => troubles)).toEqual([])
    expect(await one(admin, 2)).toMatchObject({ state: 'running', stage: 2 })
    await moveRollouts(hub.hub.db, 'a', Date.now() + 3_600_001)
    expect(await one(admin, 2)).toMatchObject({ state: 'done' })
  })

  it('reaches the machines that its selector names; others keep what they have', async () => {
    const { admin, machine } = await start()
    const [web, ops] = [await machine({ team: 'web' }), await machine({ team: 'ops' })]
    web.start()
    ops.start()
    await publishWord(admin, 'second', { selector: 'labels.team == "web" && name.startsWith("m")' })
    await expect.poll(() => has(web).revision).toBe(2)
    await publishWord(admin, 'third', { selector: 'labels.nothing == "x"' })
    await publishWord(admin, 'fourth')
    await expect.poll(() => [has(web).revision, has(ops).revision]).toEqual([4, 4])
    await expect(publishWord(admin, 'fifth', { selector: 'labels.team ==' })).rejects.toThrow('selector')
  })

  it('stops when hooks fail too often, reaches nobody else, and can be taken back', async () => {
    const { hub, admin, machine } = await start()
    const stages: Stage[] = [
      { mode: 'enforce', percent: 100, minutes: 60 },
      { mode: 'enforce', percent: 100, minutes: 60 },
    ]
    const canary = await machine()
    canary.start()
    await publishWord(admin, 'second', { stages, stop: { min_events: 4, max_failure_rate: 0.3 } })
    await expect.poll(() => has(canary).revision).toBe(2)
    const failed = {
      ...entry,
      hooks: [
        {
          name: 'x',
          format: '',
          scope: '',
          status: 'failed' as const,
          exit_code: 1,
          duration_ms: 1,
          attempts: 1,
          reason: null,
          error: 'e',
          skipped: null,
        },
      ],
    }
    for (const each of [entry, entry, failed]) canary.journal.append(each)
    const sent = async () => (await admin.get<{ result: object }>('/v1/fleet/revisions/2')).result
    await expect.poll(sent).toEqual({ events: 3, denies: 0, failures: 1 })
    await moveRollouts(hub.hub.db, 'a')
    expect((await one(admin, 2)).state).toBe('running')
    canary.journal.append(failed)
    await expect.poll(sent).toEqual({ events: 4, denies: 0, failures: 2 })
    await moveRollouts(hub.hub.db, 'a')
    expect(await one(admin, 2)).toMatchObject({
      state: 'stopped',
      why: expect.stringContaining('50 % of 4 events'),
    })
    const late = await machine()
    late.start()
    await expect.poll(() => has(late).revision).toBe(1)
    await rollBack(admin, 1, wish({ stages: ALL }))
    await expect.poll(() => [has(canary).revision, has(late).revision]).toEqual([3, 3])
    expect([await canary.decides('first'), await canary.decides('second')]).toEqual(['deny', 'allow'])
    const audit = await admin.get<{ broken_at: null; rows: { what: string }[] }>('/v1/fleet/audit')
    expect(audit.broken_at).toBeNull()
    expect(audit.rows.map(({ what }) => what)).toContain('stopped')
  })

  it('in shadow leaves the policy in force as it is', async () => {
    const { admin, machine } = await start()
    const each = await machine()
    each.start()
    await expect.poll(() => has(each).revision).toBe(1)
    await publishWord(admin, 'second', { stages: [{ mode: 'shadow', percent: 100, minutes: 60 }, ...ALL] })
    await expect
      .poll(() => has(each))
      .toMatchObject({ revision: 2, enforced: { revision: 1 }, shadow: { revision: 2 } })
    // What it would refuse goes on, and is counted.
    expect(await each.decides('second')).toBe('allow')
    expect(await each.decides('first')).toBe('deny')
    const result = async () => (await admin.get<{ result: object }>('/v1/fleet/revisions/2')).result
    await expect.poll(result).toEqual({ events: 1, denies: 1, failures: 0 })
    expect(await admin.get('/v1/fleet/journal?hook=no-second (next)')).toMatchObject([
      { decision: 'allow', revision: 2 },
    ])
    await admin.post('/v1/fleet/revisions/2/advance')
    await expect.poll(() => has(each)).toMatchObject({ enforced: { revision: 2 }, shadow: null })
  })
})

describe('a stop rule', () => {
  it.each([
    [{ min_events: 10, max_failure_rate: 0.1 }, { events: 9, denies: 0, failures: 9 }, undefined],
    [{ min_events: 0, max_failure_rate: 0.1 }, { events: 0, denies: 0, failures: 0 }, undefined],
    [{ min_events: 0, max_deny_rate: 0.1 }, { events: 100, denies: 10, failures: 0 }, undefined],
    [
      { min_events: 0, max_deny_rate: 0.1 },
      { events: 100, denies: 11, failures: 0 },
      '11 % of 100 events were denied',
    ],
    [
      { min_events: 0, forecast_deny_rate: 0.02, max_deny_ratio: 2 },
      { events: 100, denies: 4, failures: 0 },
      undefined,
    ],
    [
      { min_events: 0, forecast_deny_rate: 0.02, max_deny_ratio: 2 },
      { events: 100, denies: 5, failures: 0 },
      '2 times the forecast',
    ],
  ])('%j on %j', (rule, result, why) => {
    const found = reasonToStop(rule, result)
    if (why === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(why)
  })
})

describe('a machine without word of its hub', () => {
  const state = (after: 'keep' | 'closed') => ({ max_age: { hours: 1, after } }) as never
  const decide = async (home: string) => {
    const assembly = assemble({
      env: { HOME: home, CROSSHOOK_MANAGED_DIR: join(home, 'managed') },
      source: 'hook',
    })
    const { decision } = await assembly.fire(
      'before_tool',
      { session_id: 's', work_dir: home, tool_name: 'Shell', tool_input: { command: 'ls' } },
      { cwd: home },
    )
    await assembly.close()
    return decision
  }
  const at = (ms: number) => ({ wall: Date.now() + ms, running: 1e9 + ms })

  it('refuses tools once it is older than the policy says, and not before', async () => {
    const home = temporary()
    const fleet = join(home, '.local/state/crosshook/fleet')
    heardHub(fleet, state('closed'), at(-3_590_000))
    expect(await decide(home)).toBe('allow')
    heardHub(fleet, state('closed'), at(-3_610_000))
    expect(await decide(home)).toBe('deny')
    // Heard again.
    heardHub(fleet, state('closed'), at(0))
    expect(await decide(home)).toBe('allow')
    const text = readFileSync(join(fleet, 'guard/fleet-policy-too-old/HOOK.md'), 'utf8')
    // Not written anew at each word of the hub: hooks would be read again each time.
    heardHub(fleet, state('closed'), at(60_000))
    expect(readFileSync(join(fleet, 'guard/fleet-policy-too-old/HOOK.md'), 'utf8')).toBe(text)
    heardHub(fleet, state('keep'), at(-3_610_000))
    expect(await decide(home)).toBe('allow')
  })

  it('is not kept longer by a clock that was ahead at the last contact, or that is set back', async () => {
    const home = temporary()
    const fleet = join(home, '.local/state/crosshook/fleet')
    const hour = 3_600_000
    // Heard when the clock was a year ahead, and nothing of the fleet's has run since.
    heardHub(fleet, state('closed'), { wall: Date.now() + 365 * 24 * hour, running: 0 })
    expect(await decide(home)).toBe('deny')
    // The same, and the process sees the clock set right half an hour later: half an hour is left.
    missedHub(fleet, state('closed'), { wall: Date.now(), running: hour / 2 })
    expect(await decide(home)).toBe('allow')
    missedHub(fleet, state('closed'), { wall: Date.now(), running: hour + 1000 })
    expect(await decide(home)).toBe('deny')
    // Set back again and again, each time to just after the contact.
    heardHub(fleet, state('closed'), { wall: Date.now(), running: 0 })
    for (const running of [0.3, 0.6, 0.9]) {
      missedHub(fleet, state('closed'), { wall: Date.now(), running: running * hour })
      expect(await decide(home)).toBe('allow')
    }
    missedHub(fleet, state('closed'), { wall: Date.now(), running: 1.1 * hour })
    expect(await decide(home)).toBe('deny')
    // Started anew, so that this clock begins again: what had passed has passed.
    missedHub(fleet, state('closed'), { wall: Date.now(), running: 0 })
    expect(await decide(home)).toBe('deny')
    heardHub(fleet, state('closed'), at(0))
    expect(await decide(home)).toBe('allow')
  })
})
