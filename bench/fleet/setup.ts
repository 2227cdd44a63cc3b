/** PostgreSQL, hubs as processes of the built program, and machines that are enrolled by rows. */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { type Admin, createAdmin } from '../../src/fleet/admin.ts'
import { publishArchive, type RevisionRow } from '../../src/fleet/publish.ts'
import { pack } from '../../src/fleet/wire/archive.ts'
import { openPostgres } from '../../src/hub/database/postgres.ts'
import { newKey, type SigningKey } from '../../src/sign/keys.ts'
import { type Cluster, freshDatabase, startPostgres } from '../../test/hub/postgres.ts'

const program = resolve(import.meta.dirname, '../../dist/cli/main.cjs')
export const TENANT = 'default'

export interface RunningHub {
  url: string
  child: ChildProcess
  rss(): number
}

export interface Fleet {
  root: string
  cluster: Cluster
  url: string
  hubs: RunningHub[]
  admin: Admin
  admins: Admin[]
  key: SigningKey
  startHub(port?: number): Promise<RunningHub>
  publish(stages?: string): Promise<RevisionRow>
  stop(): Promise<void>
}

export async function startFleet(hubs: number): Promise<Fleet> {
  const root = mkdtempSync(join(tmpdir(), 'crosshook-fleet-'))
  const cluster = await startPostgres({ durable: true })
  const url = await freshDatabase(cluster, 'fleet')
  const home = join(root, 'hub')
  const env = { PATH: process.env.PATH, HOME: home, NODE_OPTIONS: process.env.FLEET_NODE_OPTIONS }
  mkdirSync(home)
  const all: RunningHub[] = []
  const startHub = async (port = 0): Promise<RunningHub> => {
    const child = spawn(
      process.execPath,
      [program, 'hub', '--listen', `127.0.0.1:${port}`, '--database', url, '--json'],
      { env, cwd: home, stdio: ['ignore', 'pipe', process.env.FLEET_LOG ? 'inherit' : 'ignore'] },
    )
    const line = await limited(
      'the hub starts',
      60,
      new Promise<string>((done, failed) => {
        child.stdout!.once('data', (bytes: Buffer) => done(bytes.toString()))
        child.once('exit', (code) => failed(new Error(`the hub ended with ${code}`)))
      }),
    )
    const hub = { url: (JSON.parse(line) as { url: string }).url, child, rss: () => rssOf(child.pid!) }
    all.push(hub)
    return hub
  }
  const first = await startHub()
  for (let i = 1; i < hubs; i++) await startHub()
  const token = readFileSync(join(home, '.local/state/crosshook/hub/default.token'), 'utf8').trim()
  const admins = all.map((hub) => createAdmin({ url: hub.url, token }))
  const key = newKey()
  let n = 0
  const fleet: Fleet = {
    root,
    cluster,
    url,
    hubs: all,
    admin: createAdmin({ url: first.url, token }),
    admins,
    key,
    startHub,
    async publish() {
      const folder = join(root, 'policy')
      mkdirSync(join(folder, 'hooks', 'no-danger'), { recursive: true })
      writeFileSync(
        join(folder, 'hooks', 'no-danger', 'HOOK.md'),
        `---\nname: no-danger\ndescription: Number ${++n}.\ntrigger: before_tool\nmatcher:\n  tool: Shell\n  command: terraform\noutcome:\n  decision: deny\n  reason: Not allowed (${n}).\n---\n`,
      )
      return publishArchive(fleet.admin, pack(folder), {
        key,
        author: 'bench',
        selector: '',
        stages: [{ mode: 'enforce', percent: 100, minutes: 0 }],
        stop: { min_events: 0 },
        max_age: { hours: 24, after: 'keep' },
        journal: 'facts',
      })
    },
    async stop() {
      for (const { child } of all)
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await cluster.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
  return fleet
}

export interface SimulatedEdge {
  id: string
  key: SigningKey
}

/** As the hub would enrol them, but all at once. */
export async function enrolByRows(url: string, count: number): Promise<SimulatedEdge[]> {
  const edges = Array.from({ length: count }, (_, i) => ({
    id: `sim${String(i).padStart(8, '0')}`,
    key: newKey(),
  }))
  const db = await openPostgres(url, { trouble: console.error, connections: 1 })
  await db.within(TENANT, (sql) =>
    sql.insertMany(
      'edges',
      {
        tenant: 'text',
        id: 'text',
        name: 'text',
        public: 'text',
        labels: 'text',
        enrolled_at: 'bigint',
        enrolled_by: 'text',
        last_seen: 'bigint',
      },
      edges.map(({ id, key }) => [
        TENANT,
        id,
        id,
        key.public,
        '{"team":"sim"}',
        Date.now(),
        'bench',
        Date.now(),
      ]),
    ),
  )
  await db.close()
  return edges
}

/** In seconds. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** In bytes. */
export function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

/** Bytes on the disk of a table, its indexes and its partitions. */
export async function bytesOf(url: string, table: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(relid)) AS bytes FROM pg_partition_tree('${table}')`,
  )
  await client.end()
  return Number(rows[0]!.bytes)
}

/** Fails when it takes longer, in seconds; `state` says how far it came. */
export async function limited<T>(
  what: string,
  seconds: number,
  waiting: Promise<T>,
  state: () => string = () => '',
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(
      () => failed(new Error(`${what}: not within ${seconds} s. ${state()}`)),
      seconds * 1000,
    )
  })
  try {
    return await Promise.race([waiting, late])
  } finally {
    clearTimeout(timer)
  }
}

export const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))
