/** What an operator does with the database of a hub: back it up, restore it, upgrade it while hubs run. */

import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin } from '../../src/fleet/admin.ts'
import { readPolicyState } from '../../src/fleet/policy-state.ts'
import { openPostgres } from '../../src/hub/database/postgres.ts'
import { migrations } from '../../src/hub/database/tables.ts'
import { addPerson, ensureTenant } from '../../src/hub/store/tenants.ts'
import { entry, hubOn, machineAt, publishWord, temporary, tokenFor } from './fixture.ts'
import { type Cluster, freshDatabase, startPostgres } from './postgres.ts'

const PROGRAMS = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? ''
const trouble = () => {}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster?.stop())

describe('a database that was restored from a backup', () => {
  it('has lost nothing: machines send again what it has not, and take only newer policies', async () => {
    const url = await freshDatabase(cluster, 'before')
    const hub = await hubOn(await openPostgres(url, { trouble, connections: 4 }))
    await ensureTenant(hub.hub.db, 'a')
    const token = await hub.hub.db.within('a', (sql) =>
      addPerson(sql, 'setup', { tenant: 'a', id: 'ada', role: 'admin' }),
    )
    const admin = createAdmin({ url: hub.address, token })
    await publishWord(admin, 'terraform')
    const machine = await machineAt(hub.address, await tokenFor(admin), 'laptop')
    const running = machine.start()
    const has = (at: typeof admin, count: number) =>
      expect
        .poll(async () => (await at.get<unknown[]>(`/v1/fleet/edges/${machine.enrolment.id}/journal`)).length)
        .toBe(count)
    const revision = () => readPolicyState(machine.where.fleet.folder, machine.enrolment).enforced?.revision
    for (let i = 0; i < 3; i++) machine.journal.append({ ...entry, decision: 'deny' })
    await has(admin, 3)
    const dump = join(temporary(), 'hub.dump')
    execFileSync(join(PROGRAMS, 'pg_dump'), ['--format=custom', `--file=${dump}`, url])
    // Later than the backup: two records and a policy.
    for (let i = 0; i < 2; i++) machine.journal.append({ ...entry, decision: 'deny' })
    await publishWord(admin, 'kubectl')
    await has(admin, 5)
    await expect.poll(revision).toBe(2)
    await running.stop()

    const restoredUrl = await freshDatabase(cluster, 'after')
    execFileSync(join(PROGRAMS, 'pg_restore'), ['--no-owner', `--dbname=${restoredUrl}`, dump])
    const restored = await hubOn(await openPostgres(restoredUrl, { trouble, connections: 4 }))
    const later = createAdmin({ url: restored.address, token })
    await has(later, 3)
    machine.start({ enrolment: { ...machine.enrolment, url: restored.address } })
    await has(later, 5)
    // It is offered revision 1, which it had before, and stays with what it has.
    expect(revision()).toBe(2)
    expect(await later.get('/v1/fleet/findings')).toEqual([])
    const [sum] = await later.get<{ n: number }[]>('/v1/fleet/analytics?by=&of=events&since=0')
    expect(sum!.n).toBe(5)
    // What is published now has a number that no machine has taken, although this database knows of one revision only.
    await publishWord(later, 'helm')
    await expect.poll(revision).toBe(3)
    // Another tenant's rows are as far away as before.
    await ensureTenant(restored.hub.db, 'b')
    expect(await restored.hub.db.within('b', (sql) => sql.all('SELECT id FROM edges'))).toEqual([])
  })
})

describe('an upgrade', () => {
  it('keeps what an older hub wrote, and that hub goes on beside the new one', async () => {
    const url = await freshDatabase(cluster, 'older')
    const older = new pg.Client(url)
    await older.connect()
    await older.query('CREATE TABLE hub_schema (version BIGINT NOT NULL)')
    for (const step of migrations('postgres').slice(0, 2)) await older.query(step)
    await older.query('INSERT INTO hub_schema VALUES (2)')
    const put = (id: string) =>
      older.query(
        `INSERT INTO asks (tenant, id, edge, body, input_digest, created_at, deadline, state)
         VALUES ('a', $1, 'e', '{"machine":"m"}', 'd', 1, $2, 'open')`,
        [id, Date.now() + 60_000],
      )
    await older.query("INSERT INTO tenants (id, created_at) VALUES ('a', 1)")
    await older.query("INSERT INTO pulse VALUES ('a', 0, 0, 0)")
    await put('asked-before')
    const newer = await openPostgres(url, { trouble, connections: 2 })
    // What the older hub writes now, without knowing of the new columns.
    await put('asked-after')
    const hub = await hubOn(newer)
    const token = await newer.within('a', (sql) =>
      addPerson(sql, 'setup', { tenant: 'a', id: 'ada', role: 'admin' }),
    )
    const admin = createAdmin({ url: hub.address, token })
    expect(
      (await admin.get<{ id: string; approvals: number }[]>('/v1/fleet/asks'))
        .map(({ id, approvals }) => ({ id, approvals }))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    ).toEqual([
      { id: 'asked-after', approvals: 1 },
      { id: 'asked-before', approvals: 1 },
    ])
    await admin.post('/v1/fleet/asks/asked-after', { decision: 'allow' })
    const { rows } = await older.query("SELECT state, decided_by FROM asks WHERE id = 'asked-after'")
    expect(rows).toEqual([{ state: 'allow', decided_by: 'ada' }])
    await older.end()
  })
})
