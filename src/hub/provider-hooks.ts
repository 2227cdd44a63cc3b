/**
 * Verdicts for a model provider that asks before each prompt and tool call, for machines on which nothing is installed.
 * Its dialect defines the format. The policy's own hooks decide if they need no program: none is run on a hub.
 */

import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { verifySigned } from '../ask/standard-webhooks.ts'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import { unpack } from '../fleet/wire/archive.ts'
import { beginning, encodeBatch } from '../fleet/wire/batch.ts'
import { compileSelector, parseManifest } from '../fleet/wire/policy-manifest.ts'
import { type Assembly, assemble } from '../host/assemble.ts'
import { Refusal } from '../host/problem.ts'
import type { AgentSide, Dialect, ProviderHooks } from '../spec/dialect.ts'
import type { HookEvent } from '../spec/event.ts'
import { type FireResult, failure } from '../spec/outcome.ts'
import { parse } from './http/edge-routes.ts'
import type { Hub } from './hub.ts'
import { append, headOf, recordsOf } from './store/journal.ts'
import { blobOf, revisionsIn } from './store/revisions.ts'
import { tenantSettings } from './store/tenants.ts'

type Asking = Dialect & { agent: AgentSide & { provider: ProviderHooks } }

export interface Providers {
  /** Last parts of the URLs; each is also the machine name in their records. */
  readonly paths: readonly string[]
  /** Returns the exact response. */
  judge(hub: Hub, path: string, tenant: string, request: { headers: Headers; body: Buffer }): Promise<string>
  close(): Promise<void>
}

interface Engine {
  runtime: Assembly
  /** What was decided, by the event's mark. */
  decided: Map<string, { event: HookEvent; result: FireResult }>
}

export async function createProviders(folder: string): Promise<Providers> {
  const dialects = await askingDialects()
  const engines = new Map<string, Promise<Engine>>()

  async function engineOf(
    hub: Hub,
    tenant: string,
    name: string,
  ): Promise<{ engine: Engine; revision: number } | undefined> {
    const target = { id: name, name, labels: { source: name } }
    for (const row of await hub.db.within(tenant, (sql) =>
      revisionsIn(sql, tenant, ['running', 'done', 'superseded']),
    )) {
      const { stages, selector } = parseManifest(row.manifest)
      const { mode, percent } = stages[row.stage]!
      // There is only one of it, so it takes a policy only at 100 %.
      if (mode !== 'enforce' || percent < 100 || !(await compileSelector(selector))(target)) continue
      const key = `${tenant}-${row.digest}`
      let engine = engines.get(key)
      if (!engine) {
        engine = load(hub, tenant, row.digest, join(folder, key))
        engines.set(key, engine)
        engine.catch(() => engines.delete(key))
      }
      return { engine: await engine, revision: row.revision }
    }
    return undefined
  }

  return {
    paths: [...dialects.keys()],
    async judge(hub, path, tenant, { headers, body }) {
      const { inference_secret: secret } = await hub.db.within(tenant, (sql) => tenantSettings(sql, tenant))
      if (secret === undefined) throw refused(404, 'Hooks of a provider are not set up for this fleet.')
      try {
        verifySigned(secret, { headers: Object.fromEntries(headers), body: body.toString('utf8') } as never)
      } catch (error) {
        throw refused(401, (error as Error).message)
      }
      const { id, agent } = dialects.get(path)!
      const native = parse(z.looseObject({}), body)
      const parts = agent.provider.parts(native)
      const found = parts.length === 0 ? undefined : await engineOf(hub, tenant, path)
      let answer = agent.encode({}, agent.decode(native, { env: {}, cwd: '/' })).stdout
      for (const part of found ? parts : []) {
        const { event, result, stdout, duration } = await decide(found!.engine, id, part)
        await record(
          hub,
          tenant,
          { name: path, revision: found!.revision },
          recordOf(event, result, duration),
        )
        answer = stdout
        if (result.decision !== 'allow') break
      }
      return answer
    },
    async close() {
      for (const engine of engines.values()) await (await engine).runtime.close()
    },
  }
}

async function askingDialects(): Promise<Map<string, Asking>> {
  const all = await Promise.all(Object.keys(DIALECTS).map(loadDialect))
  return new Map(
    all
      .filter((each): each is Asking => each.agent?.provider !== undefined)
      .map((each) => [each.agent.provider.path, each]),
  )
}

/** Like any agent's call: nobody can be asked here, so an `ask` is refused. */
async function decide({ runtime, decided }: Engine, agent: string, part: unknown) {
  const mark = randomUUID()
  const began = performance.now()
  const { stdout } = await runtime.handle({
    agent,
    cwd: '/',
    env: {},
    context: { [MARK]: mark },
    read: () => JSON.stringify(part),
  })
  const { event, result } = decided.get(mark)!
  decided.delete(mark)
  return { event, result, stdout, duration: performance.now() - began }
}

const MARK = 'crosshook_request'

function recordOf(
  { event_type, session_id, tool_name, context }: HookEvent,
  result: FireResult,
  duration: number,
): object {
  return {
    id: String(context.request_id ?? '').slice(0, 200),
    event: event_type,
    session_id: session_id.slice(0, 200),
    ...(typeof tool_name === 'string' ? { tool_name } : {}),
    decision: result.decision,
    duration_ms: duration,
    hooks: result.hooks
      .filter(({ status }) => status !== 'skipped')
      .map(({ name, status, duration_ms }) => ({ name, status, duration_ms })),
  }
}

async function load(hub: Hub, tenant: string, digest: string, folder: string): Promise<Engine> {
  if (!existsSync(folder)) {
    const bytes = await hub.db.within(tenant, (sql) => blobOf(sql, tenant, digest))
    const temporary = `${folder}.${process.pid}.tmp`
    rmSync(temporary, { recursive: true, force: true })
    unpack(bytes!, temporary)
    if (!existsSync(folder)) renameSync(temporary, folder)
  }
  const refusing = (kind: string) => ({
    type: kind,
    run: async () => failure('hooks that start programs are not run on a hub', { retryable: false }),
  })
  const decided: Engine['decided'] = new Map()
  const runtime = assemble({
    env: { HOME: folder },
    source: 'daemon',
    silent: true,
    observe: { over: (event, result) => void decided.set(String(event.context[MARK]), { event, result }) },
    sources: [{ path: join(folder, 'hooks') }],
    executors: Object.fromEntries(
      ['command', 'module', 'http', 'prompt', 'agent'].map((kind) => [kind, refusing(kind)]),
    ) as never,
  })
  return { runtime, decided }
}

async function record(
  hub: Hub,
  tenant: string,
  { name, revision }: { name: string; revision: number },
  fields: object,
): Promise<void> {
  await hub.db.within(tenant, async (sql) => {
    // One at a time: record numbers are consecutive.
    await sql.run('UPDATE pulse SET edges = edges WHERE tenant = $1', [tenant])
    const head = (await headOf(sql, tenant, name, 'hub')) ?? {
      seq: 0,
      chain: beginning(name, 'hub'),
    }
    const first = head.seq + 1
    const lines = [
      JSON.stringify({ seq: first, at: new Date().toISOString(), source: 'inference', ...fields }),
    ]
    const batch = { version: 1 as const, epoch: 'hub', first, prev: head.chain, revision, lines }
    await append(sql, tenant, 'inference', [
      { edge: name, batch, bytes: encodeBatch(batch), records: recordsOf(batch) },
    ])
  })
}

function refused(status: number, detail: string): Refusal {
  return new Refusal({ status, code: status === 401 ? 'unauthorized' : 'not_found', detail })
}
