/** A hub in this process, people, and machines with state folders of their own. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openDesk } from '../../src/ask/desk.ts'
import { paths } from '../../src/config/paths.ts'
import { type Admin, createAdmin } from '../../src/fleet/admin.ts'
import { type EdgeOptions, runEdge } from '../../src/fleet/edge.ts'
import { enrolMachine } from '../../src/fleet/enroll.ts'
import { type Enrolment, edgeKey } from '../../src/fleet/enrolment.ts'
import { createClient } from '../../src/fleet/hub-client.ts'
import { type PublishWish, publishArchive } from '../../src/fleet/publish.ts'
import { pack } from '../../src/fleet/wire/archive.ts'
import { fingerprintOf, type Trusted } from '../../src/fleet/wire/policy-manifest.ts'
import { assemble } from '../../src/host/assemble.ts'
import type { Database } from '../../src/hub/database/port.ts'
import { type HubOptions, type RunningHub, startHub } from '../../src/hub/hub.ts'
import { addPerson, ensureTenant, type Role } from '../../src/hub/store/tenants.ts'
import { journalAt } from '../../src/pipeline/journal.ts'
import { newKey, type SigningKey } from '../../src/sign/keys.ts'

export const publisher = newKey()

export async function hubOn(
  db: Database,
  more: Partial<HubOptions> = {},
): Promise<RunningHub & { troubles: string[] }> {
  const troubles: string[] = []
  const hub = await startHub({
    db,
    listen: { host: '127.0.0.1', port: 0 },
    trouble: (said) => troubles.push(said),
    ...more,
  })
  onTestFinished(() => hub.close())
  return { ...hub, troubles }
}

export async function personAt(
  hub: RunningHub,
  tenant: string,
  id = 'ada',
  role: Role = 'admin',
): Promise<Admin> {
  const { db } = hub.hub
  await ensureTenant(db, tenant)
  const token = await db.within(tenant, (sql) => addPerson(sql, 'setup', { tenant, id, role }))
  return createAdmin({ url: hub.address, token })
}

export function policyFolder(files: Record<string, string>): string {
  const folder = temporary()
  mkdirSync(join(folder, 'hooks'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

export function denyHook(word: string, more = ''): string {
  return `---\nname: no-${word}\ndescription: Refuses ${word}.\ntrigger: before_tool\nmatcher:\n  tool: Shell\n  command: ${word}\n${more}outcome:\n  decision: deny\n  reason: No ${word} here.\n---\n`
}

export function wish(more: Partial<PublishWish> = {}): PublishWish {
  return {
    key: publisher,
    author: 'ada',
    selector: '',
    stages: [{ mode: 'enforce', percent: 100, minutes: 0 }],
    stop: { min_events: 0 },
    max_age: { hours: 24, after: 'keep' },
    journal: 'facts',
    ...more,
  }
}

export function publishWord(admin: Admin, word: string, more: Partial<PublishWish> = {}) {
  return publishArchive(
    admin,
    pack(policyFolder({ [`hooks/no-${word}/HOOK.md`]: denyHook(word) })),
    wish(more),
  )
}

export async function tokenFor(admin: Admin, more: object = {}): Promise<string> {
  const { token } = await admin.post<{ token: string }>('/v1/fleet/tokens', more)
  return `${token}~${fingerprintOf(await admin.get<Trusted>('/v1/fleet/keys'))}`
}

export interface Machine {
  env: NodeJS.ProcessEnv
  where: ReturnType<typeof paths>
  journal: ReturnType<typeof journalAt>
  enrolment: Enrolment
  key: SigningKey
  client: ReturnType<typeof createClient>
  troubles: string[]
  /** What its hooks say to a shell command. */
  decides(command: string): Promise<string>
  options(more?: Partial<EdgeOptions>): EdgeOptions
  /** The process that talks to the hub, until the test ends or the function is called. */
  start(more?: Partial<EdgeOptions>): { stop(): Promise<void>; ended: Promise<string> }
}

export async function machineAt(url: string, token: string, name = 'm'): Promise<Machine> {
  const home = temporary()
  const env = {
    HOME: home,
    PATH: process.env.PATH,
    CROSSHOOK_MANAGED_DIR: join(home, 'managed'),
    CROSSHOOK_NO_DAEMON: '1',
  }
  const where = paths(env)
  const journal = journalAt(where.state)
  const enrolment = await enrolMachine({
    url,
    token,
    state: where.state,
    fleet: where.fleet.folder,
    journal,
    version: '1',
    name,
  })
  const key = edgeKey(where.state)
  const troubles: string[] = []
  const trouble = (said: string) => troubles.push(said)
  const options = (more: Partial<EdgeOptions> = {}): EdgeOptions => ({
    state: where.state,
    fleet: where.fleet.folder,
    settings: { own: [where.settings], above: [where.managedSettings, where.fleet.settings] },
    home: where.home,
    enrolment,
    journal,
    desk: openDesk({ where, journal: () => journal, source: 'daemon', trouble }),
    version: '1',
    prove: async () => ({ agents: [], alarms: [] }),
    trouble,
    signal: new AbortController().signal,
    times: { upload: 50, reconnect: 50, lateLook: 200 },
    ...more,
  })
  return {
    env,
    where,
    journal,
    enrolment,
    key,
    client: createClient(key, enrolment),
    troubles,
    async decides(command) {
      const assembly = assemble({ env, source: 'hook' })
      const call = { session_id: 'decides', work_dir: home, tool_name: 'Shell', tool_input: { command } }
      const { decision } = await assembly.fire('before_tool', call, { cwd: home })
      await assembly.close()
      return decision
    },
    options,
    start(more = {}) {
      const ending = new AbortController()
      const ended = runEdge(options({ signal: ending.signal, ...more }))
      const stop = async () => {
        ending.abort()
        await ended
      }
      onTestFinished(stop)
      return { stop, ended }
    },
  }
}

export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crosshook-hub-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export { entry } from './entry.ts'
