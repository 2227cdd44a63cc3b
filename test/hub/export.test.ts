/** The hub's journal for other stores, by the command that people run. */

import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createAdmin } from '../../src/fleet/admin.ts'
import { openPostgres } from '../../src/hub/database/postgres.ts'
import { openSqlite } from '../../src/hub/database/sqlite.ts'
import { addPerson, ensureTenant } from '../../src/hub/store/tenants.ts'
import { entry, hubOn, machineAt, publishWord, temporary, tokenFor } from './fixture.ts'
import { type Cluster, freshDatabase, startPostgres } from './postgres.ts'

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.cjs')

let cluster: Cluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster?.stop())

let n = 0
const DATABASES = {
  SQLite: async () => openSqlite(':memory:'),
  PostgreSQL: async () =>
    openPostgres(await freshDatabase(cluster, `export${++n}`), { trouble: () => {}, connections: 4 }),
}

describe.each(Object.entries(DATABASES))('an export from %s', (_, open) => {
  /** A hub with a machine that has sent its records, and the command of a person. */
  const start = async () => {
    const db = await open()
    const hub = await hubOn(db)
    await ensureTenant(db, 'a')
    const token = await db.within('a', (sql) =>
      addPerson(sql, 'setup', { tenant: 'a', id: 'ada', role: 'admin' }),
    )
    const admin = createAdmin({ url: hub.address, token })
    await publishWord(admin, 'terraform', { journal: 'full' })
    const machine = await machineAt(hub.address, await tokenFor(admin), 'laptop')
    const folder = temporary()
    const fleet = async (...args: string[]) => {
      const env = {
        PATH: process.env.PATH,
        HOME: folder,
        CROSSHOOK_HUB: hub.address,
        CROSSHOOK_HUB_TOKEN: token,
      }
      const running = promisify(execFile)(process.execPath, [MAIN, 'fleet', ...args], { env, cwd: folder })
      return running.then(
        ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
        (error: { stdout: string; stderr: string; code: number }) => error,
      )
    }
    const append = (count: number) => {
      for (let i = 0; i < count; i++)
        machine.journal.append({
          ...entry,
          decision: i % 2 === 0 ? 'allow' : 'deny',
          reason: i % 2 === 0 ? null : 'No "ünïcode" here.',
          hooks: [{ name: 'guard', status: i % 2 === 0 ? 'allowed' : 'blocked', duration_ms: 1.5 } as never],
        })
    }
    const sent = async (count: number) => {
      await expect
        .poll(async () => {
          const sums = await admin.get<{ n: number }[]>('/v1/fleet/analytics?by=&of=events&since=0')
          return sums[0]?.n ?? 0
        })
        .toBe(count)
    }
    machine.start()
    // From then on the machine also sends reasons.
    await expect
      .poll(async () => (await admin.get<{ revision: number }[]>('/v1/fleet/edges'))[0]?.revision)
      .toBe(1)
    append(7)
    await sent(7)
    return { folder, fleet, append, sent, machine, db }
  }

  it('is a line of JSON for each record, with the machine that sent it', async () => {
    const { fleet, machine } = await start()
    const { stdout, code } = await fleet('export')
    expect(code).toBe(0)
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(records.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(records[1]).toMatchObject({
      edge: machine.enrolment.id,
      machine: 'laptop',
      revision: 1,
      decision: 'deny',
      reason: 'No "ünïcode" here.',
    })
    expect((await fleet('export', '--since', '2999-01-01')).stdout).toBe('')
    expect((await fleet('export', '--format', 'csv')).stderr).toContain('ndjson, parquet, otlp')
  })

  it('is a file of Parquet that another reader reads, and is not there when it failed', async () => {
    const { folder, fleet } = await start()
    const file = join(folder, 'records.parquet')
    expect((await fleet('export', '--format', 'parquet')).stderr).toContain('--out FILE.parquet')
    expect((await fleet('export', '--format', 'parquet', '--out', file)).code).toBe(0)
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) })
    expect(rows.map(({ seq }) => seq)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n])
    expect(rows[1]).toMatchObject({
      machine: 'laptop',
      at: expect.any(Date),
      tool_name: 'Shell',
      decision: 'deny',
      reason: 'No "ünïcode" here.',
      duration_ms: 1,
      hooks: expect.stringContaining('"status":"blocked"'),
    })
    expect(rows[0]).toMatchObject({ reason: null })
    const elsewhere = join(folder, 'no/such/folder.parquet')
    expect((await fleet('export', '--format', 'parquet', '--out', elsewhere)).code).not.toBe(0)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('goes to a collector as logs, again when it fails, and says when they are refused', async () => {
    const { fleet } = await start()
    const got: { path: string; key: string | undefined; body: string }[] = []
    let answer = () => ({ status: 503, body: '' })
    const server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        got.push({ path: request.url!, key: request.headers['content-type'], body })
        const said = answer()
        response.writeHead(said.status, { 'content-type': 'application/json' }).end(said.body)
        answer = () => ({ status: 200, body: '{}' })
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect((await fleet('export', '--format', 'otlp', '--endpoint', endpoint)).stderr).toContain('7 records')
    expect(got).toHaveLength(2)
    expect(got[1]).toMatchObject({ path: '/v1/logs', key: 'application/json' })
    const { resourceLogs } = JSON.parse(got[1]!.body) as {
      resourceLogs: { scopeLogs: { logRecords: Record<string, unknown>[] }[] }[]
    }
    const records = resourceLogs[0]!.scopeLogs[0]!.logRecords
    expect(records).toHaveLength(7)
    expect(records[1]).toMatchObject({
      severityText: 'WARN',
      body: { stringValue: 'deny before_tool Shell' },
    })
    expect(records[1]!.attributes).toContainEqual({
      key: 'crosshook.reason',
      value: { stringValue: 'No "ünïcode" here.' },
    })
    answer = () => ({
      status: 200,
      body: '{"partialSuccess":{"rejectedLogRecords":"3","errorMessage":"too old"}}',
    })
    const refused = await fleet('export', '--format', 'otlp', '--endpoint', endpoint)
    expect(refused).toMatchObject({ code: expect.any(Number) })
    expect(refused.stderr).toContain('refuses 3 records: too old')
  })

  it('with a bookmark goes on where the last one ended, each record once', async () => {
    const { fleet, append, sent, folder, db } = await start()
    const bookmark = join(folder, 'bookmark')
    // What came in the last minute is left for the next time: another hub may be writing something older.
    expect((await fleet('export', '--bookmark', bookmark)).stdout).toBe('')
    const settle = () =>
      db.within('a', (sql) => sql.run('UPDATE journal_batches SET received_at = received_at - 70000'))
    await settle()
    const first = (await fleet('export', '--bookmark', bookmark)).stdout.trim().split('\n')
    expect(first).toHaveLength(7)
    expect(existsSync(bookmark)).toBe(true)
    expect((await fleet('export', '--bookmark', bookmark)).stdout).toBe('')
    append(3)
    await sent(10)
    await db.within('a', (sql) =>
      sql.run('UPDATE journal_batches SET received_at = received_at - 65000 WHERE first_seq > 7'),
    )
    const next = (await fleet('export', '--bookmark', bookmark)).stdout.trim().split('\n')
    expect(next.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([8, 9, 10])
    expect(readFileSync(bookmark, 'utf8')).toMatch(/^\d+\/\w+\/\d+\n$/)
  })
})
