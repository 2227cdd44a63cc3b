/**
 * `node bench/fleet/kills.ts [ROUNDS]`: in each round a machine's process, a hub or the database is killed with SIGKILL, at a
 * moment that nobody chose, while records are written and policies published. At the end nothing is lost, nothing doubled,
 * and every machine has every policy that counts.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { paths } from '../../src/config/paths.ts'
import { readEnrolment } from '../../src/fleet/enrolment.ts'
import { readPolicyState } from '../../src/fleet/policy-state.ts'
import { decodeBatch } from '../../src/fleet/wire/batch.ts'
import { openPostgres } from '../../src/hub/database/postgres.ts'
import { journalOf } from '../../src/pipeline/journal.ts'
import { entry } from '../../test/hub/entry.ts'
import { sleep, startFleet, TENANT } from './setup.ts'

const program = resolve(import.meta.dirname, '../../dist/cli/main.cjs')
const rounds = Number(process.argv[2] ?? 200)
const MACHINES = 4
const fleet = await startFleet(2)
const ports = fleet.hubs.map(({ url }) => Number(new URL(url).port))

/** While the database or the hub is away. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      // A publication that got through although its answer did not is not published twice.
      if (/next revision is/.test(String(error))) throw error
      await sleep(200)
    }
  }
}

await fleet.publish()
const { token } = await fleet.admin.post<{ token: string }>('/v1/fleet/tokens', { uses: MACHINES })
const machines = Array.from({ length: MACHINES }, (_, i) => {
  const home = join(fleet.root, `m${i}`)
  mkdirSync(home)
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    CROSSHOOK_NO_DAEMON: '1',
    CROSSHOOK_MANAGED_DIR: join(home, 'managed'),
  }
  const said = spawnSync(
    process.execPath,
    [program, 'enroll', fleet.hubs[i % 2]!.url, '--token', token, '--name', `m${i}`],
    { env, cwd: home },
  )
  if (said.status !== 0) throw new Error(String(said.stderr))
  const where = paths(env)
  return {
    env,
    home,
    where,
    enrolment: readEnrolment(where.fleet.folder)!,
    child: undefined as ChildProcess | undefined,
    ids: [] as string[],
  }
})
const startMachine = (machine: (typeof machines)[0]) => {
  machine.child = spawn(process.execPath, [program, 'edge', '--upload-every', '100'], {
    env: machine.env,
    cwd: machine.home,
    stdio: 'ignore',
  })
}
const journals = await Promise.all(machines.map(({ where }) => journalOf(where)))
for (const machine of machines) startMachine(machine)
const hubs = fleet.hubs.slice(0, 2)

let isOver = false
let published = 1
const writing = (async () => {
  while (!isOver) {
    for (const [i, journal] of journals.entries()) {
      const denied = Math.random() < 0.2
      const { id, error } = journal.append({ ...entry, decision: denied ? 'deny' : 'allow' })
      if (!error) machines[i]!.ids.push(id)
    }
    await sleep(20)
  }
})()
const publishing = (async () => {
  while (!isOver) {
    try {
      published = (await fleet.publish()).revision
    } catch {
      // Tried again in the next round.
    }
    await sleep(1500)
  }
})()

const kills = { machine: 0, hub: 0, database: 0 }
for (let round = 0; round < rounds; round++) {
  if (process.env.FLEET_LOG) console.error(round, JSON.stringify(kills), published)
  await sleep(Math.random() * 400)
  const dice = Math.random()
  if (dice < 0.5) {
    const machine = machines[Math.floor(Math.random() * machines.length)]!
    machine.child!.kill('SIGKILL')
    startMachine(machine)
    kills.machine++
  } else if (dice < 0.85) {
    const i = Math.floor(Math.random() * hubs.length)
    const gone = new Promise((done) => hubs[i]!.child.once('exit', done))
    hubs[i]!.child.kill('SIGKILL')
    await gone
    hubs[i] = await persist(() => fleet.startHub(ports[i]))
    kills.hub++
  } else {
    await fleet.cluster.kill()
    await sleep(Math.random() * 300)
    for (;;) {
      try {
        await fleet.cluster.start()
        break
      } catch {
        await sleep(300)
      }
    }
    kills.database++
  }
}
isOver = true
await Promise.all([writing, publishing])
published = Math.max(
  published,
  (
    await persist(() =>
      fleet
        .publish()
        .catch(() => fleet.admin.get<{ revision: number }[]>('/v1/fleet/revisions').then((all) => all[0]!)),
    )
  ).revision,
)

/** What the hub has of each machine, by the ids of its records. */
const db = await openPostgres(fleet.url, { trouble: () => {} })
const stored = async (edge: string) => {
  const rows = await db.within(TENANT, (sql) =>
    sql.all<{ bytes: Uint8Array }>('SELECT bytes FROM journal_batches WHERE tenant = $1 AND edge = $2', [
      TENANT,
      edge,
    ]),
  )
  return rows.flatMap(({ bytes }) =>
    decodeBatch(bytes).lines.map((line) => (JSON.parse(line) as { id: string }).id),
  )
}
const deadline = Date.now() + 60_000
let result = { lost: -1, doubled: -1, missed: -1 }
while (Date.now() < deadline) {
  result = { lost: 0, doubled: 0, missed: 0 }
  for (const { ids, enrolment, where } of machines) {
    const found = await stored(enrolment.id)
    const set = new Set(found)
    result.doubled += found.length - set.size
    result.lost += ids.filter((id) => !set.has(id)).length
    if ((readPolicyState(where.fleet.folder, enrolment).enforced?.revision ?? 0) < published) result.missed++
  }
  if (result.lost + result.missed === 0) break
  await sleep(500)
}
const records = machines.reduce((sum, { ids }) => sum + ids.length, 0)
const [sum] = await db.within(TENANT, (sql) =>
  sql.all<{ n: number }>("SELECT sum(n) AS n FROM rollups WHERE tenant = $1 AND hook = ''", [TENANT]),
)
const uncounted = records - Number(sum!.n)
const findings = await db.within(TENANT, (sql) =>
  sql.all('SELECT edge, what, message FROM journal_findings WHERE tenant = $1', [TENANT]),
)
await db.close()
console.log(JSON.stringify({ rounds, kills, records, revisions: published, ...result, uncounted, findings }))
for (const { child } of machines) child?.kill('SIGKILL')
await fleet.stop()
process.exit(
  result.lost + result.doubled + result.missed + Math.abs(uncounted) + findings.length === 0 ? 0 : 1,
)
