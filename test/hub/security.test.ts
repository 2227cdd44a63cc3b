/** What attackers would try: each is refused, and nothing changes. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createAdmin } from '../../src/fleet/admin.ts'
import { createClient } from '../../src/fleet/hub-client.ts'
import { readPolicyState } from '../../src/fleet/policy-state.ts'
import { takePolicy } from '../../src/fleet/take-policy.ts'
import { createUploader } from '../../src/fleet/upload.ts'
import { pack } from '../../src/fleet/wire/archive.ts'
import { beginning, encodeBatch } from '../../src/fleet/wire/batch.ts'
import { digestOf, type Manifest } from '../../src/fleet/wire/policy-manifest.ts'
import { authorize } from '../../src/fleet/wire/signed-request.ts'
import type { Database } from '../../src/hub/database/port.ts'
import { openPostgres } from '../../src/hub/database/postgres.ts'
import { openSqlite } from '../../src/hub/database/sqlite.ts'
import { newKey, type SigningKey } from '../../src/sign/keys.ts'
import { sign } from '../../src/sign/signature.ts'
import {
  denyHook,
  entry,
  hubOn,
  type Machine,
  machineAt,
  personAt,
  policyFolder,
  publisher,
  publishWord,
  tokenFor,
} from './fixture.ts'
import { type Cluster, freshDatabase, startPostgres } from './postgres.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster?.stop())
let n = 0
const DATABASES: Record<string, () => Promise<Database>> = {
  sqlite: async () => openSqlite(':memory:'),
  postgres: async () =>
    openPostgres(await freshDatabase(cluster, `security${++n}`), { trouble: () => {}, connections: 3 }),
}

describe.each(Object.keys(DATABASES))('on %s', (kind) => {
  const start = async () => {
    const hub = await hubOn(await DATABASES[kind]!())
    const admin = await personAt(hub, 'a')
    await publishWord(admin, 'terraform')
    const machine = async (name = 'm') => machineAt(hub.address, await tokenFor(admin), name)
    return { hub, admin, machine }
  }
  const status = async (work: Promise<unknown>) =>
    (await work.then(
      () => 200,
      (error: { status?: number }) => error.status,
    )) as number

  it("shows and changes nothing of another tenant, by a person's token or a machine's key", async () => {
    const { hub, machine } = await start()
    const one = await machine()
    const eve = await personAt(hub, 'b', 'eve')
    expect(await eve.get('/v1/fleet/edges')).toEqual([])
    expect(await eve.get('/v1/fleet/revisions')).toEqual([])
    await expect(eve.get(`/v1/fleet/edges/${one.enrolment.id}`)).rejects.toThrow('404')
    await expect(eve.post(`/v1/fleet/edges/${one.enrolment.id}/revoke`)).rejects.toThrow('404')
    await publishWord(eve, 'kubectl', { key: newKey() })
    // A machine that says it is of another tenant is nobody there.
    const stranger = createClient(one.key, { ...one.enrolment, tenant: 'b' })
    expect(await status(stranger.call('GET', '/fleet/manifests?after=0'))).toBe(401)
    const { digest } = (await eve.get<{ digest: string }[]>('/v1/fleet/revisions'))[0]!
    expect(await status(one.client.call('GET', `/fleet/bundles?digest=${digest}`))).toBe(404)
  })

  it('lets people do only what their role may', async () => {
    const { hub } = await start()
    const viewer = await personAt(hub, 'a', 'vic', 'viewer')
    await expect(viewer.post('/v1/fleet/tokens')).rejects.toThrow('403')
    await expect(viewer.post('/v1/fleet/asks/x', { decision: 'allow' })).rejects.toThrow('403')
    await expect(
      createAdmin({ url: hub.address, token: 'chp.a.00000000000000000000000000000000' }).get(
        '/v1/fleet/status',
      ),
    ).rejects.toThrow('401')
  })

  it('refuses requests that are unsigned, altered, old, or signed by another key', async () => {
    const { hub, machine } = await start()
    const { key, enrolment, client } = await machine()
    const name = { tenant: 'a', edge: enrolment.id }
    const path = '/fleet/manifests?after=0'
    const ask = async (authorization: string | undefined, asked = path) =>
      (await fetch(hub.address + asked, { headers: authorization === undefined ? {} : { authorization } }))
        .status
    const request = { method: 'GET', path, body: Buffer.alloc(0) }
    expect(await ask(authorize(key, name, request))).toBe(200)
    expect(await ask(undefined)).toBe(401)
    expect(await ask(authorize(key, name, request), '/fleet/manifests?after=1')).toBe(401)
    expect(await ask(authorize(key, name, { ...request, body: Buffer.from('x') }))).toBe(401)
    expect(await ask(authorize(key, name, request, Date.now() - 3_600_000))).toBe(401)
    expect(await ask(authorize(newKey(), name, request))).toBe(401)
    expect(await status(client.call('GET', path))).toBe(200)
  })

  it('enrols nobody with a token that was used, and ends a revoked machine at once', async () => {
    const { hub, admin } = await start()
    const token = await tokenFor(admin)
    const one = await machineAt(hub.address, token, 'one')
    await expect(machineAt(hub.address, token, 'thief')).rejects.toThrow('used up')
    const { ended } = one.start()
    await expect.poll(() => hub.hub.streams.count).toBe(1)
    await admin.post('/v1/fleet/edges/one/revoke')
    expect(await ended).toBe('revoked')
    expect(await status(one.client.call('GET', '/fleet/manifests?after=0'))).toBe(401)
    // Its last policy stays in force.
    expect(await one.decides('terraform apply')).toBe('deny')
  })

  it('keeps a batch that is sent again once, and names one that was altered', async () => {
    const { admin, machine } = await start()
    const { client, enrolment } = await machine()
    const line = (seq: number, decision: string) =>
      JSON.stringify({
        ...{ seq, id: `r${seq}`, at: new Date().toISOString(), event: 'before_tool', session_id: 's' },
        decision,
        duration_ms: 1,
        source: 'hook',
        hooks: [],
      })
    const batch = {
      version: 1 as const,
      epoch: 'e',
      first: 1,
      prev: beginning(enrolment.id, 'e'),
      revision: 1,
    }
    const denied = encodeBatch({ ...batch, lines: [line(1, 'allow'), line(2, 'deny')] })
    await client.call('POST', '/fleet/journal', denied)
    await client.call('POST', '/fleet/journal', denied)
    expect(
      await status(
        client.call(
          'POST',
          '/fleet/journal',
          encodeBatch({ ...batch, lines: [line(1, 'allow'), line(2, 'allow')] }),
        ),
      ),
    ).toBe(409)
    expect(await admin.get('/v1/fleet/journal')).toMatchObject([{ seq: 2, decision: 'deny' }])
    expect(await admin.get('/v1/fleet/findings')).toMatchObject([
      { edge: enrolment.id, seq: 2, what: 'altered' },
    ])
    for (const bad of [
      'x',
      encodeBatch({ ...batch, lines: ['{}'] }),
      encodeBatch({ ...batch, lines: [line(2, 'allow')] }),
    ])
      expect(await status(client.call('POST', '/fleet/journal', bad))).toBe(400)
  })
})

describe('a machine', () => {
  const at = async () => {
    const hub = await hubOn(openSqlite(':memory:'))
    const admin = await personAt(hub, 'a')
    await publishWord(admin, 'terraform')
    const machine = await machineAt(hub.address, await tokenFor(admin, { labels: { team: 'web' } }))
    return { hub, admin, machine }
  }

  /** What a hub could say, with an archive of its own at hand. */
  function lyingHub(machine: Machine) {
    const archive = pack(policyFolder({ 'hooks/no-ls/HOOK.md': denyHook('ls') }))
    const manifest = (more: Partial<Manifest> = {}): Manifest => ({
      version: 1,
      tenant: 'a',
      revision: 2,
      digest: digestOf(archive),
      issued_at: new Date().toISOString(),
      author: 'eve',
      selector: '',
      stages: [{ mode: 'enforce', percent: 100, minutes: 0 }],
      stop: { min_events: 0 },
      max_age: { hours: 1, after: 'keep' },
      journal: 'facts',
      keys: [publisher.public],
      threshold: 1,
      ...more,
    })
    const take = (
      given: Manifest,
      key: SigningKey,
      { bytes = archive, text = JSON.stringify(given), stage = 0 } = {},
    ) =>
      takePolicy(
        {
          fleet: machine.where.fleet.folder,
          enrolment: machine.enrolment,
          client: {
            events: machine.client.events,
            call: async (_, path) =>
              path.startsWith('/fleet/bundles') ? bytes : Buffer.from('{"manifests":[]}'),
          },
        },
        JSON.stringify({
          stage,
          manifest: text,
          signatures: [{ key: key.public, signature: sign(key, 'bundle', JSON.stringify(given)) }],
        }),
      )
    return { manifest, take, archive }
  }

  it('takes the policy of its hub', async () => {
    const { machine } = await at()
    const { manifest, take } = lyingHub(machine)
    expect(await take(manifest(), publisher)).toBe(true)
    expect(readFileSync(join(machine.where.fleet.hooks, 'no-ls', 'HOOK.md'), 'utf8')).toBe(denyHook('ls'))
    expect(readPolicyState(machine.where.fleet.folder, machine.enrolment)).toMatchObject({
      revision: 2,
      enforced: { revision: 2 },
    })
  })

  it.each<[string, (hub: ReturnType<typeof lyingHub>) => Promise<unknown>]>([
    ['signed by another key', ({ take, manifest }) => take(manifest(), newKey())],
    [
      'whose manifest was altered',
      ({ take, manifest }) =>
        take(manifest(), publisher, { text: JSON.stringify(manifest({ revision: 3 })) }),
    ],
    [
      'whose archive was altered',
      ({ take, manifest }) => take(manifest(), publisher, { bytes: pack(policyFolder({})) }),
    ],
    ['of another tenant', ({ take, manifest }) => take(manifest({ tenant: 'b' }), publisher)],
    [
      'for other machines',
      ({ take, manifest }) => take(manifest({ selector: 'labels.team == "ops"' }), publisher),
    ],
    [
      'for no machine yet',
      ({ take, manifest }) =>
        take(manifest({ stages: [{ mode: 'enforce', percent: 0, minutes: 0 }] }), publisher),
    ],
    ['in a stage that it does not have', ({ take, manifest }) => take(manifest(), publisher, { stage: 1 })],
    [
      'that is too old',
      async ({ take, manifest }) => {
        await take(manifest({ revision: 5 }), publisher)
        return take(manifest({ revision: 4 }), publisher)
      },
    ],
    [
      'that was rolled out further before',
      async ({ take, manifest }) => {
        const stages: Manifest['stages'] = [
          { mode: 'shadow', percent: 100, minutes: 0 },
          { mode: 'enforce', percent: 100, minutes: 0 },
        ]
        await take(manifest({ revision: 5, stages }), publisher, { stage: 1 })
        return take(manifest({ revision: 5, stages }), publisher, { stage: 0 })
      },
    ],
  ])('does not take a policy %s', async (_, attack) => {
    const { machine } = await at()
    await expect(attack(lyingHub(machine))).rejects.toThrow()
    const state = readPolicyState(machine.where.fleet.folder, machine.enrolment)
    expect([0, 5]).toContain(state.revision)
    if (state.revision === 0) expect(existsSync(machine.where.fleet.hooks)).toBe(false)
  })

  it('follows the right to sign through revisions that were not for it, and not from those who never had it', async () => {
    const { admin, machine } = await at()
    const [young, thief] = [newKey(), newKey()]
    machine.start()
    await expect.poll(() => machine.decides('terraform apply')).toBe('deny')
    await publishWord(admin, 'kubectl', { selector: 'labels.team == "ops"', keys: [young.public] })
    await publishWord(admin, 'helm', { key: young })
    await expect.poll(() => readPolicyState(machine.where.fleet.folder, machine.enrolment).revision).toBe(3)
    const { manifest, take } = lyingHub(machine)
    await expect(take(manifest({ revision: 4 }), thief)).rejects.toThrow('signatures')
    await expect(take(manifest({ revision: 4 }), publisher)).rejects.toThrow('signatures')
  })

  it('is not enrolled by a hub that names other keys than its token', async () => {
    const thief = newKey()
    const server = createServer((_, response) =>
      response.end(
        JSON.stringify({ tenant: 'a', id: 'x', name: 'm', labels: {}, keys: [thief.public], threshold: 1 }),
      ),
    )
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const { admin } = await at()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await expect(machineAt(url, await tokenFor(admin))).rejects.toThrow('other keys')
  })

  it('keeps its policy and its records while the hub is away, and sends them when it is back', async () => {
    const { hub, admin, machine } = await at()
    const { stop } = machine.start()
    await expect.poll(() => machine.decides('terraform apply')).toBe('deny')
    await stop()
    for (let i = 0; i < 3; i++) machine.journal.append(entry)
    // Bound to an address where every call is cut off.
    let calls = 0
    const broken = createServer().on('connection', (socket) => {
      calls++
      socket.destroy()
    })
    await new Promise<void>((done) => broken.listen(0, '127.0.0.1', done))
    onTestFinished(() => void broken.close())
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`
    const away = { ...machine.enrolment, url }
    const lost = machine.start({ enrolment: away })
    await expect.poll(() => calls).toBeGreaterThan(1)
    expect(await machine.decides('terraform apply')).toBe('deny')
    await lost.stop()
    machine.start()
    const sent = async () => {
      const path = `/v1/fleet/edges/${machine.enrolment.id}/journal`
      const records = await admin.get<{ session_id: string }[]>(path)
      return records.filter(({ session_id }) => session_id === entry.session_id).length
    }
    await expect.poll(sent).toBe(3)
    expect(hub.troubles).toEqual([])
  })

  it('takes a policy that it could not keep as soon as it can, and says so until then', async () => {
    const { admin, machine } = await at()
    const bundles = join(machine.where.fleet.folder, 'bundles')
    // Whatever keeps files from being written: here something else is in their place.
    writeFileSync(bundles, '')
    machine.start()
    const problem = async () => (await admin.get<{ problem: string | null }[]>('/v1/fleet/edges'))[0]!.problem
    await expect.poll(problem).toMatch(/EEXIST|ENOTDIR/)
    const state = () => readPolicyState(machine.where.fleet.folder, machine.enrolment)
    expect(state()).toMatchObject({ revision: 0, enforced: null })
    expect(await machine.decides('terraform apply')).toBe('allow')
    rmSync(bundles)
    await expect.poll(() => machine.decides('terraform apply')).toBe('deny')
    await expect.poll(problem).toBeNull()
    // It is told once, not at each attempt.
    expect(machine.troubles).toHaveLength(1)
  })

  it('is not sent around by a hub that takes nothing and says yes', async () => {
    const { machine } = await at()
    let calls = 0
    const server = createServer((request, response) => {
      if (request.method === 'POST' && request.url === '/fleet/journal') calls++
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"head":null,"seq":0,"chain":""}')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const liar = createUploader(
      createClient(machine.key, { ...machine.enrolment, url }),
      machine.journal,
      machine.enrolment,
    )
    machine.journal.append(entry)
    await liar.drain(
      readPolicyState(machine.where.fleet.folder, machine.enrolment),
      new AbortController().signal,
    )
    expect(calls).toBe(1)
  })

  it('mends a link to its policy that somebody changed', async () => {
    const { machine } = await at()
    const { stop } = machine.start()
    await expect.poll(() => machine.decides('terraform apply')).toBe('deny')
    await stop()
    rmSync(join(machine.where.fleet.folder, 'current'))
    writeFileSync(join(machine.where.fleet.folder, 'current'), 'nothing')
    machine.start()
    await expect.poll(() => machine.decides('terraform apply')).toBe('deny')
  })
})
