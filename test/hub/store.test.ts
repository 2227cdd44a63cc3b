/** One contract for both databases. */

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginning, chainOn, decodeBatch, encodeBatch } from '../../src/fleet/wire/batch.ts'
import { digestOf, type Manifest } from '../../src/fleet/wire/policy-manifest.ts'
import type { Database } from '../../src/hub/database/port.ts'
import { openPostgres } from '../../src/hub/database/postgres.ts'
import { openSqlite } from '../../src/hub/database/sqlite.ts'
import { maintain } from '../../src/hub/maintain.ts'
import { answerAsk, answeredSince, openAsk, openAsks } from '../../src/hub/store/asks.ts'
import { brokenAudit, readAudit } from '../../src/hub/store/audit.ts'
import {
  createToken,
  edgeOf,
  edgesOf,
  enrollByToken,
  report,
  revoke,
  revokedSince,
} from '../../src/hub/store/edges.ts'
import { append, headOf, recordsOf } from '../../src/hub/store/journal.ts'
import { fleetSummary, writeProofs } from '../../src/hub/store/proofs.ts'
import {
  addSignature,
  advance,
  blobOf,
  publish,
  revisionOf,
  revisionsIn,
} from '../../src/hub/store/revisions.ts'
import { analytics, findings, recordsOfEdge, searchRows } from '../../src/hub/store/search.ts'
import {
  addPerson,
  ensureTenant,
  type Person,
  personByToken,
  readPulse,
  removePerson,
  trustedKeys,
} from '../../src/hub/store/tenants.ts'
import { newKey, type SigningKey } from '../../src/sign/keys.ts'
import { sign } from '../../src/sign/signature.ts'
import { type Cluster, freshDatabase, startPostgres } from './postgres.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster?.stop())

const trouble = (sentence: string) => console.error(sentence)

const DATABASES: Record<string, () => Promise<Database>> = {
  sqlite: async () => openSqlite(':memory:'),
  postgres: async () => openPostgres(await freshDatabase(cluster, 'contract'), { trouble }),
}

const admin = (tenant: string): Person => ({ tenant, id: 'ada', role: 'admin' })
const other = (tenant: string): Person => ({ tenant, id: 'ben', role: 'admin' })

describe.each(Object.keys(DATABASES))('the store on %s', (kind) => {
  let db: Database
  let tenant: string
  beforeAll(async () => {
    db = await DATABASES[kind]!()
  })
  afterAll(() => db?.close())
  const fresh = async () => {
    tenant = `t-${randomBytes(4).toString('hex')}`
    await ensureTenant(db, tenant)
    return tenant
  }
  const newcomer = () => ({ name: 'm', public: newKey().public, version: '1' })

  describe('people', () => {
    it('have an identity that nobody else has', async () => {
      await fresh()
      const add = (id: string, subject: string | null) =>
        db.within(tenant, (sql) => addPerson(sql, 'ada', { tenant, id, role: 'approver' }, subject))
      await add('carl', 'https://id.example|7')
      await expect(add('carla', 'https://id.example|7')).rejects.toThrow('that of carl already')
      await db.within(tenant, (sql) => removePerson(sql, admin(tenant), 'carl'))
      await add('carla', 'https://id.example|7')
      await add('dora', null)
      await add('emil', null)
    })

    it('are known by their token, and not by one that was altered or is of another tenant', async () => {
      await fresh()
      const token = await db.within(tenant, (sql) => addPerson(sql, 'setup', admin(tenant)))
      expect(await personByToken(db, token)).toEqual(admin(tenant))
      const first = tenant
      await fresh()
      expect(await personByToken(db, token.replace(first, tenant))).toBeUndefined()
      expect(
        await personByToken(db, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
      ).toBeUndefined()
    })
  })

  describe('tokens', () => {
    it('enrol as many machines as they say, and give them their labels', async () => {
      await fresh()
      const wish = { name: 'lab', labels: { team: 'web' }, uses: 2, hours: 1 }
      const token = await db.within(tenant, (sql) => createToken(sql, admin(tenant), wish))
      const enrol = () => db.within(tenant, (sql) => enrollByToken(sql, tenant, token, newcomer()))
      expect((await enrol()).labels).toEqual({ team: 'web' })
      // At the same time: only one use is left.
      const results = await Promise.allSettled([enrol(), enrol(), enrol()])
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    it('do nothing after their time, for another tenant, or once their machine has lost the answer', async () => {
      await fresh()
      const late = await db.within(tenant, (sql) =>
        createToken(sql, admin(tenant), { name: '', labels: {}, uses: 1, hours: -1 }),
      )
      await expect(db.within(tenant, (sql) => enrollByToken(sql, tenant, late, newcomer()))).rejects.toThrow(
        'expired',
      )
      const once = await db.within(tenant, (sql) =>
        createToken(sql, admin(tenant), { name: '', labels: {}, uses: 1, hours: 1 }),
      )
      const machine = newcomer()
      const first = await db.within(tenant, (sql) => enrollByToken(sql, tenant, once, machine))
      const again = await db.within(tenant, (sql) => enrollByToken(sql, tenant, once, machine))
      expect(again.id).toBe(first.id)
      const mine = tenant
      await fresh()
      await expect(
        db.within(tenant, (sql) => enrollByToken(sql, tenant, once.replace(mine, tenant), newcomer())),
      ).rejects.toThrow('never was')
    })
  })

  describe('machines', () => {
    it('are revoked by id or name, and reported revisions never go back', async () => {
      await fresh()
      const edge = await enrolled()
      const said = { edge: edge.id, stage: 0, mode: 'enforce', version: '2', problem: null }
      await db.within(tenant, (sql) => report(sql, tenant, { ...said, revision: 5 }))
      await db.within(tenant, (sql) => report(sql, tenant, { ...said, revision: 3 }))
      expect((await db.within(tenant, (sql) => edgeOf(sql, tenant, edge.id)))?.revision).toBe(5)
      const before = Date.now()
      expect(await db.within(tenant, (sql) => revoke(sql, admin(tenant), 'm'))).toEqual([edge.id])
      expect(await db.within(tenant, (sql) => revokedSince(sql, tenant, before))).toEqual([edge.id])
      expect(await db.within(tenant, (sql) => revoke(sql, admin(tenant), edge.id))).toEqual([])
    })
  })

  async function enrolled(name = 'm') {
    const token = await db.within(tenant, (sql) =>
      createToken(sql, admin(tenant), { name: '', labels: {}, uses: 1, hours: 1 }),
    )
    return db.within(tenant, (sql) => enrollByToken(sql, tenant, token, { ...newcomer(), name }))
  }

  describe('revisions', () => {
    const archive = Buffer.from('an archive')
    const manifest = (revision: number, keys: SigningKey[], more: Partial<Manifest> = {}) =>
      JSON.stringify({
        version: 1,
        tenant,
        revision,
        digest: digestOf(archive),
        issued_at: new Date().toISOString(),
        author: 'ada',
        selector: '',
        stages: [
          { mode: 'shadow', percent: 100, minutes: 0 },
          { mode: 'enforce', percent: 100, minutes: 0 },
        ],
        stop: { min_events: 0 },
        max_age: { hours: 24, after: 'keep' },
        journal: 'facts',
        keys: keys.map((key) => key.public),
        threshold: 1,
        ...more,
      } satisfies Manifest)
    const signed = (text: string, ...keys: SigningKey[]) => ({
      manifest: text,
      signatures: keys.map((key) => ({ key: key.public, signature: sign(key, 'bundle', text) })),
    })

    it('begin at the first stage, go on by one and end; the hubs are told', async () => {
      await fresh()
      const key = newKey()
      const before = (await readPulse(db)).find((row) => row.tenant === tenant)!.policy
      const first = await db.within(tenant, (sql) =>
        publish(sql, admin(tenant), signed(manifest(1, [key]), key), archive),
      )
      expect(first).toMatchObject({ revision: 1, state: 'running', stage: 0 })
      // Two hubs want to move it: one does.
      const moved = await Promise.all(
        [1, 2].map(() => db.within(tenant, (sql) => advance(sql, tenant, 'hub', first))),
      )
      expect(moved.sort()).toEqual([false, true])
      const second = (await db.within(tenant, (sql) => revisionOf(sql, tenant, 1)))!
      expect(second.stage).toBe(1)
      await db.within(tenant, (sql) => advance(sql, tenant, 'hub', second))
      expect((await db.within(tenant, (sql) => revisionOf(sql, tenant, 1)))!.state).toBe('done')
      expect((await readPulse(db)).find((row) => row.tenant === tenant)!.policy).toBe(before + 3)
      expect(Buffer.from((await db.within(tenant, (sql) => blobOf(sql, tenant, first.digest)))!)).toEqual(
        archive,
      )
    })

    it('are refused with a wrong number, archive, tenant or key, and leave nothing behind', async () => {
      await fresh()
      const key = newKey()
      const give = (text: string, by: SigningKey, bytes = archive) =>
        db.within(tenant, (sql) => publish(sql, admin(tenant), signed(text, by), bytes))
      await expect(give(manifest(2, [key]), key)).rejects.toThrow('next revision is 1')
      await expect(give(manifest(1, [key]), key, Buffer.from('x'))).rejects.toThrow('not the one')
      await expect(give(manifest(1, [key], { tenant: 'else' }), key)).rejects.toThrow('for else')
      await give(manifest(1, [key]), key)
      const thief = newKey()
      await expect(give(manifest(2, [thief]), thief)).rejects.toThrow('not by one of the keys')
      expect(await db.within(tenant, (sql) => revisionOf(sql, tenant, 2))).toBeUndefined()
    })

    it('have numbers above those that machines have, unless a machine says nonsense', async () => {
      await fresh()
      const key = newKey()
      const give = (revision: number) =>
        db.within(tenant, (sql) =>
          publish(sql, admin(tenant), signed(manifest(revision, [key]), key), archive),
        )
      await give(1)
      const { id: edge } = await enrolled()
      const told = (revision: number) =>
        db.within(tenant, (sql) =>
          report(sql, tenant, { edge, revision, stage: 0, mode: '', version: '1', problem: null }),
        )
      await told(7)
      await expect(give(2)).rejects.toThrow('next revision is 8')
      await give(8)
      await told(9_000_000_000_000)
      await expect(give(9_000_000_000_001)).rejects.toThrow('next revision is 9')
      await give(9)
    })

    it('with four eyes wait for the signature of another person', async () => {
      await fresh()
      const [one, two] = [newKey(), newKey()] as const
      const both = { threshold: 2 }
      const text = manifest(1, [one, two], both)
      const found = await db.within(tenant, (sql) => publish(sql, admin(tenant), signed(text, one), archive))
      expect(found.state).toBe('pending')
      const second = sign(two, 'bundle', text)
      await expect(
        db.within(tenant, (sql) => addSignature(sql, admin(tenant), 1, two.public, second)),
      ).rejects.toThrow('another person')
      const done = await db.within(tenant, (sql) => addSignature(sql, other(tenant), 1, two.public, second))
      expect(done.state).toBe('running')
    })

    it('pass the right to sign on to the keys that they name', async () => {
      await fresh()
      const [old, young] = [newKey(), newKey()] as const
      const give = (text: string, by: SigningKey) =>
        db.within(tenant, (sql) => publish(sql, admin(tenant), signed(text, by), archive))
      await give(manifest(1, [old]), old)
      await give(manifest(2, [young]), old)
      expect((await db.within(tenant, (sql) => trustedKeys(sql, tenant))).keys).toEqual([young.public])
      await expect(give(manifest(3, [old]), old)).rejects.toThrow('not by one of the keys')
      expect(
        (await db.within(tenant, (sql) => revisionsIn(sql, tenant, ['superseded']))).map(
          ({ revision }) => revision,
        ),
      ).toEqual([1])
    })
  })

  describe('the journal', () => {
    const line = (seq: number, more: object = {}) =>
      JSON.stringify({
        seq,
        id: `r${seq}`,
        at: new Date(1_800_000_000_000 + seq).toISOString(),
        event: 'before_tool',
        agent: 'a',
        session_id: 's',
        decision: 'allow',
        duration_ms: seq,
        source: 'hook',
        hooks: [{ name: 'guard', status: 'allowed', duration_ms: 1 }],
        ...more,
      })
    const send = (edge: string, first: number, lines: string[], prev: string, more: object = {}) => {
      const batch = { version: 1 as const, epoch: 'e', first, prev, revision: 0, lines, ...more }
      const bytes = encodeBatch(batch)
      const item = { edge, batch: decodeBatch(bytes), bytes, records: recordsOf(batch) }
      return db.within(tenant, async (sql) => (await append(sql, tenant, 'h1', [item])).get(item)!)
    }

    it('keeps each record once, however often and with whatever boundaries it is sent', async () => {
      await fresh()
      const { id } = await enrolled()
      const start = beginning(id, 'e')
      const lines = Array.from({ length: 30 }, (_, i) => line(i + 1))
      expect((await send(id, 1, lines.slice(0, 10), start)).seq).toBe(10)
      // Sent again; sent again with more; sent by two hubs at once.
      expect((await send(id, 1, lines.slice(0, 10), start)).seq).toBe(10)
      expect((await send(id, 6, lines.slice(5, 20), chainOn(start, lines.slice(0, 5)))).seq).toBe(20)
      await Promise.all(
        [1, 2, 3].map(() => send(id, 21, lines.slice(20), chainOn(start, lines.slice(0, 20)))),
      )
      expect(await db.within(tenant, (sql) => headOf(sql, tenant, id, 'e'))).toEqual({
        seq: 30,
        chain: chainOn(start, lines),
      })
      expect(await db.within(tenant, (sql) => recordsOfEdge(sql, tenant, id))).toEqual(lines)
      const [sum] = await db.within(tenant, (sql) =>
        analytics(sql, tenant, { by: ['agent'], since: 0, events: true }),
      )
      expect(sum).toMatchObject({ by: { agent: 'a' }, n: 30, failures: 0, ms_max: 30 })
      expect(await db.within(tenant, (sql) => findings(sql, tenant))).toEqual([])
    })

    it('asks for what is missing, and names what a machine has lost', async () => {
      await fresh()
      const { id } = await enrolled()
      const start = beginning(id, 'e')
      await send(id, 1, [line(1)], start)
      const chain = chainOn(start, [line(1)])
      expect(await send(id, 5, [line(5)], chain)).toEqual({ seq: 1, chain, refused: 'missing' })
      const lost = { lost: { from: 2, why: 'retention' } }
      expect((await send(id, 5, [line(5)], chain, lost)).seq).toBe(5)
      expect(await db.within(tenant, (sql) => findings(sql, tenant))).toMatchObject([
        { edge: id, seq: 2, what: 'lost', message: 'records 2 to 4 never came: retention' },
      ])
    })

    it('refuses records that differ from what was sent before, and says so', async () => {
      await fresh()
      const { id } = await enrolled()
      const start = beginning(id, 'e')
      const denied = line(2, { decision: 'deny' })
      await send(id, 1, [line(1), denied], start)
      expect(await send(id, 1, [line(1), line(2), line(3)], start)).toMatchObject({
        seq: 2,
        refused: 'altered',
      })
      expect(await send(id, 3, [line(3)], chainOn(start, [line(1), line(2)]))).toMatchObject({
        refused: 'altered',
      })
      expect(await db.within(tenant, (sql) => findings(sql, tenant))).toMatchObject([
        { seq: 2, what: 'altered' },
      ])
      expect(await db.within(tenant, (sql) => recordsOfEdge(sql, tenant, id))).toEqual([line(1), denied])
    })

    it('finds what was not a plain allow', async () => {
      await fresh()
      const { id } = await enrolled()
      const failed = { hooks: [{ name: 'slow', status: 'timed_out', duration_ms: 5 }] }
      const denied = {
        decision: 'deny',
        agent: 'b',
        hooks: [{ name: 'guard', status: 'blocked', duration_ms: 5 }],
      }
      await send(id, 1, [line(1), line(2, failed), line(3, denied), line(4)], beginning(id, 'e'))
      const seqs = async (filter: object) =>
        (await db.within(tenant, (sql) => searchRows(sql, tenant, filter))).map(({ seq }) => seq)
      expect(await seqs({})).toEqual([3, 2])
      expect(await seqs({ decision: 'deny', agent: 'b' })).toEqual([3])
      expect(await seqs({ hook: 'slow', edge: id })).toEqual([2])
      expect(await seqs({ hook: 'slow', edge: 'another' })).toEqual([])
      expect(await seqs({ since: 1_800_000_000_003 })).toEqual([3])
      expect(
        await db.within(tenant, (sql) =>
          analytics(sql, tenant, { by: ['hook', 'decision'], since: 0, events: false }),
        ),
      ).toMatchObject([
        { by: { hook: 'guard', decision: 'allow' }, n: 2 },
        { by: { hook: 'guard', decision: 'deny' }, n: 1 },
        { by: { hook: 'slow', decision: 'allow' }, n: 1, failures: 1 },
      ])
    })
  })

  describe('questions', () => {
    it('are answered once, by whoever is first', async () => {
      await fresh()
      const ask = {
        ...{ id: 'q1', edge: 'e1', body: '{}', input_digest: 'd', deadline: Date.now() + 60_000 },
        ...{ approvers: '[]', approvals: 1 },
      }
      expect(await db.within(tenant, (sql) => openAsk(sql, tenant, ask))).toBe(true)
      expect(await db.within(tenant, (sql) => openAsk(sql, tenant, ask))).toBe(false)
      expect(await db.within(tenant, (sql) => openAsks(sql, tenant))).toHaveLength(1)
      const answer = (decision: 'allow' | 'deny') =>
        db.within(tenant, (sql) =>
          answerAsk(sql, admin(tenant), 'q1', { decision, scope: 'once', reason: '' }),
        )
      const results = await Promise.allSettled([answer('allow'), answer('deny')])
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await db.within(tenant, (sql) => openAsks(sql, tenant))).toEqual([])
      expect(await db.within(tenant, (sql) => answeredSince(sql, tenant, 0))).toMatchObject([
        { id: 'q1', decided_by: 'ada' },
      ])
    })

    it('for two people wait for the second, who is not the first; a no of one is enough', async () => {
      await fresh()
      const put = (id: string, approvers: string[] = []) =>
        db.within(tenant, (sql) =>
          openAsk(sql, tenant, {
            ...{ id, edge: 'e1', body: '{}', input_digest: 'd', deadline: Date.now() + 60_000 },
            ...{ approvers: JSON.stringify(approvers), approvals: 2 },
          }),
        )
      const say = (by: string, id: string, decision: 'allow' | 'deny', more: object = {}) =>
        db.within(tenant, (sql) =>
          answerAsk(sql, { tenant, id: by }, id, { decision, scope: 'once', reason: '', ...more }),
        )
      for (const id of ['ada', 'ben', 'carol', 'dan'])
        await db.within(tenant, (sql) => addPerson(sql, 'ada', { tenant, id, role: 'approver' }))
      await put('q1')
      expect(await say('ada', 'q1', 'allow')).toMatchObject({ state: 'open', missing: 1 })
      await expect(say('ada', 'q1', 'allow')).rejects.toThrow('ada has said yes already')
      await expect(say('webhook', 'q1', 'allow')).rejects.toThrow('may not answer')
      await expect(say('ben', 'q1', 'allow', { digest: 'other' })).rejects.toThrow('another input')
      expect(await say('ben', 'q1', 'allow')).toMatchObject({
        state: 'allow',
        missing: 0,
        decided_by: 'ada and ben',
      })
      await put('q2')
      await say('ada', 'q2', 'allow')
      expect(await say('ben', 'q2', 'deny')).toMatchObject({ state: 'deny', decided_by: 'ben' })
      await put('q3', ['ada', 'carol'])
      await expect(say('ben', 'q3', 'allow')).rejects.toThrow('ada, carol may')
      // One key under two names is one person, and the narrowest of what they said counts.
      await put('q4')
      const [one, two] = ['k1', 'k2'].map((key) => ({ signed: { key, signature: 's' } }))
      await say('ada', 'q4', 'allow', { ...one, scope: 'session' })
      await expect(say('ben', 'q4', 'allow', one)).rejects.toThrow('with the key of ada')
      expect(await say('ben', 'q4', 'allow', { ...two, scope: 'project' })).toMatchObject({
        state: 'allow',
        scope: 'session',
      })
      // Two who answer at the same moment are both counted, once each.
      const both = await Promise.all([say('ada', 'q3', 'allow'), say('carol', 'q3', 'allow')])
      expect(both.map(({ missing }) => missing).sort()).toEqual([0, 1])
      // The yes of somebody who was removed since is none.
      await put('q5')
      await say('dan', 'q5', 'allow')
      await db.within(tenant, (sql) => removePerson(sql, { tenant, id: 'ada', role: 'admin' }, 'dan'))
      expect(await say('ada', 'q5', 'allow')).toMatchObject({ state: 'open', missing: 1 })
      expect(await say('ben', 'q5', 'allow')).toMatchObject({ state: 'allow', decided_by: 'ada and ben' })
    })
  })

  describe('proofs', () => {
    it('show on how many machines each agent obeys', async () => {
      await fresh()
      const [one, two] = [await enrolled(), await enrolled()]
      const proof = { agent: 'a', agent_version: '1', obeyed: 3, cannot: 0, broken: 0, body: {} }
      await db.within(tenant, (sql) => writeProofs(sql, tenant, one.id, [proof]))
      await db.within(tenant, (sql) => writeProofs(sql, tenant, two.id, [proof, { ...proof, agent: 'b' }]))
      await db.within(tenant, (sql) => writeProofs(sql, tenant, two.id, [{ ...proof, broken: 1 }]))
      const said = { edge: one.id, revision: 0, stage: 0, mode: '', version: '1', problem: null }
      const alarms = [{ kind: 'heartbeat' as const, agent: 'a', n: 1 }]
      await db.within(tenant, (sql) => report(sql, tenant, { ...said, alarms }))
      // A report that says nothing of alarms leaves them as they were.
      await db.within(tenant, (sql) => report(sql, tenant, said))
      expect(await db.within(tenant, (sql) => fleetSummary(sql, tenant))).toEqual({
        policies: [{ revision: 0, mode: '', machines: 2, heard: 2, troubled: 0, alarmed: 1 }],
        agents: [{ agent: 'a', agent_version: '1', machines: 2, obeyed: 1, broken: 1 }],
      })
    })

    it('and alarms find the machines with trouble; names and labels any', async () => {
      await fresh()
      const three = [await enrolled('web-1'), await enrolled('web_2'), await enrolled('db')]
      const [one, two, db1] = three.map(({ id }) => id) as [string, string, string]
      const proof = { agent: 'a', agent_version: '1', obeyed: 3, cannot: 0, broken: 1, body: {} }
      await db.within(tenant, (sql) => writeProofs(sql, tenant, one, [proof]))
      const said = { revision: 0, stage: 0, mode: '', version: '1', problem: null }
      await db.within(tenant, (sql) =>
        report(sql, tenant, { ...said, edge: two, alarms: [{ kind: 'drift', n: 2 }] }),
      )
      const found = async (filter: object, now?: number) =>
        (await db.within(tenant, (sql) => edgesOf(sql, tenant, { limit: 10, ...filter }, now)))
          .map(({ id }) => id)
          .sort()
      expect(await found({ state: 'trouble' })).toEqual([one, two].sort())
      expect(await found({ state: 'silent' })).toEqual([])
      expect(await found({ state: 'silent' }, Date.now() + 3_600_000)).toEqual([one, two, db1].sort())
      expect(await found({ text: 'WEB' })).toEqual([one, two].sort())
      // What is special in a pattern is a letter like others.
      expect(await found({ text: 'web_' })).toEqual([two])
      expect(await found({ text: '%' })).toEqual([])
      await db.within(tenant, (sql) => revoke(sql, admin(tenant), 'db'))
      expect(await found({ state: 'revoked' })).toEqual([db1])
      expect(await found({ state: 'current', text: 'db' })).toEqual([])
    })
  })

  describe('the audit', () => {
    it('is a chain in which each change of many at once has its place, and an altered row is found', async () => {
      await fresh()
      await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          db.within(tenant, (sql) =>
            createToken(sql, admin(tenant), { name: `t${i}`, labels: {}, uses: 1, hours: 1 }),
          ),
        ),
      )
      expect((await db.within(tenant, (sql) => readAudit(sql, tenant))).map(({ seq }) => seq)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8,
      ])
      expect(await db.within(tenant, (sql) => brokenAudit(sql, tenant))).toBeUndefined()
      await db.within(tenant, (sql) =>
        sql.run("UPDATE audit SET who = 'eve' WHERE tenant = $1 AND seq = 3", [tenant]),
      )
      expect(await db.within(tenant, (sql) => brokenAudit(sql, tenant))).toBe(3)
    })
  })

  it('undoes everything of a transaction that fails', async () => {
    await fresh()
    await expect(
      db.within(tenant, async (sql) => {
        await addPerson(sql, 'setup', admin(tenant))
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await db.within(tenant, (sql) => addPerson(sql, 'setup', admin(tenant)))
  })
})

describe('PostgreSQL', () => {
  it('lets hubs that start together make the tables once', async () => {
    const url = await freshDatabase(cluster, 'together')
    const hubs = await Promise.all([1, 2, 3, 4].map(() => openPostgres(url, { trouble, connections: 1 })))
    await Promise.all(hubs.map((db) => ensureTenant(db, 't')))
    expect((await readPulse(hubs[0]!)).map((row) => row.tenant)).toEqual(['t'])
    await Promise.all(hubs.map((db) => db.close()))
  })

  it('shows a tenant no row of another, whatever is asked, and takes none for another', async () => {
    const url = await freshDatabase(cluster, 'tenants')
    const db = await openPostgres(url, { trouble })
    for (const name of ['a', 'b']) {
      await ensureTenant(db, name)
      await db.within(name, (sql) => addPerson(sql, 'setup', admin(name)))
    }
    expect(await db.within('a', (sql) => sql.all('SELECT tenant, id FROM people'))).toEqual([
      { tenant: 'a', id: 'ada' },
    ])
    expect(await db.within('a', (sql) => sql.run("UPDATE people SET role = 'x' WHERE tenant = 'b'"))).toBe(0)
    expect(await db.within('a', (sql) => sql.run("DELETE FROM people WHERE tenant = 'b'"))).toBe(0)
    await expect(
      db.within('a', (sql) =>
        sql.run("INSERT INTO people (tenant, id, role, created_at) VALUES ('b', 'eve', 'admin', 0)"),
      ),
    ).rejects.toThrow('row-level security')
    expect(await db.shared((sql) => sql.all('SELECT tenant FROM people'))).toEqual([])
    // Partitions too, by their own names: days of the past, and of the future that maintenance makes.
    await maintain(db)
    const batch = (name: string) =>
      db.within(name, (sql) =>
        sql.run(
          "INSERT INTO journal_batches (tenant, day, edge, epoch, first_seq, last_seq, chain, revision, received_at, bytes) VALUES ($1, $2, 'e', 'x', 1, 1, '', 0, 0, '')",
          [name, 1],
        ),
      )
    await batch('a')
    await batch('b')
    const parts = await db.shared((sql) =>
      sql.all<{ relname: string }>("SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r'"),
    )
    expect(parts.length).toBeGreaterThan(3)
    for (const { relname } of parts)
      expect(
        await db.within('a', (sql) => sql.all(`SELECT tenant FROM ${relname} WHERE tenant <> 'a'`)),
      ).toEqual([])
    expect(await db.within('a', (sql) => sql.all('SELECT tenant FROM journal_batches_other'))).toEqual([
      { tenant: 'a' },
    ])
    await db.close()
    // Every table with a tenant is under it, also those to come.
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query(
      `SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant'
       WHERE c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
    )
    await client.end()
    expect(rows).toEqual([{ relname: 'pulse' }])
  })

  it('hears hints of another hub', async () => {
    const url = await freshDatabase(cluster, 'hints')
    const [one, two] = await Promise.all([openPostgres(url, { trouble }), openPostgres(url, { trouble })])
    await ensureTenant(one, 't')
    const heard: string[] = []
    await two.listen((tenant) => heard.push(tenant))
    await one.within('t', (sql) =>
      openAsk(sql, 't', {
        ...{ id: 'q', edge: 'e', body: '', input_digest: '', deadline: 0, approvers: '[]', approvals: 1 },
      }),
    )
    await expect.poll(() => heard).toEqual(['t'])
    await Promise.all([one.close(), two.close()])
  })
})
