/** What a machine shows its hub: doctor's canary for each agent, agents that ask no hook, hooks and policy that were changed. */

import { execFile, spawn } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { paths } from '../../src/config/paths.ts'
import { openSqlite } from '../../src/hub/database/sqlite.ts'
import { hubOn, personAt, publishWord, temporary, tokenFor } from './fixture.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MAIN = join(ROOT, 'dist/cli/main.cjs')
const TRANSCRIPTS = join(ROOT, 'src/dialects/claude-code/fixtures/transcripts')

interface Machine {
  agents: { agent: string; agent_version: string; obeyed: number; broken: number }[]
  alarms: { kind: string; agent?: string; n: number }[]
  version: string
}

async function start() {
  const hub = await hubOn(openSqlite(':memory:'))
  const admin = await personAt(hub, 'a')
  await publishWord(admin, 'terraform')
  const home = temporary()
  const work = join(home, 'work')
  mkdirSync(work)
  mkdirSync(join(home, '.claude'))
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    CROSSHOOK_NO_DAEMON: '1',
    CROSSHOOK_MANAGED_DIR: join(home, 'managed'),
  }
  const crosshook = (...args: string[]) =>
    promisify(execFile)(process.execPath, [MAIN, ...args], { env, cwd: work })
  await crosshook('install', 'claude-code', '--yes')
  await crosshook('enroll', hub.address, '--token', await tokenFor(admin), '--name', 'laptop')
  /** The process that looks and tells. It looks when it starts, so it is started anew for another look. */
  const look = async (isRight: (machine: Machine) => boolean): Promise<Machine> => {
    const child = spawn(process.execPath, [MAIN, 'edge', '--upload-every', '100'], { env, cwd: work })
    const end = () => child.kill('SIGKILL')
    onTestFinished(() => void end())
    const found = async () => (await admin.get<Machine[]>('/v1/fleet/edges'))[0]!
    await expect.poll(async () => isRight(await found()), { timeout: 60_000 }).toBe(true)
    const gone = new Promise((done) => child.once('exit', done))
    end()
    await gone
    return found()
  }
  return { home, env, crosshook, look, admin, where: paths(env) }
}

describe('a machine', () => {
  it('shows that its agent obeys, and that it does not when it asks no hook', async () => {
    const { home, look } = await start()
    const obeying = await look(({ agents }) => agents.length > 0)
    expect(obeying.agents).toMatchObject([{ agent: 'claude-code', broken: 0 }])
    expect(obeying.agents[0]!.obeyed).toBeGreaterThan(0)
    expect(obeying.alarms).toEqual([])
    // A session that called tools and of which the journal knows nothing, some time after the agent was wired.
    const then = new Date(Date.now() + 20 * 60_000)
    const folder = join(home, '.claude/projects')
    cpSync(TRANSCRIPTS, folder, { recursive: true })
    for (const name of globSync('**/*.jsonl', { cwd: folder })) {
      const file = join(folder, name)
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replaceAll(/"20\d\d-\d\d-\d\dT[\d:.]+Z"/g, `"${then.toISOString()}"`),
      )
      utimesSync(file, then, then)
    }
    const silent = await look(({ alarms }) => alarms.length > 0)
    expect(silent.alarms).toEqual([{ kind: 'heartbeat', agent: 'claude-code', n: 1 }])
    expect(silent.agents[0]!.broken).toBe(1)
  })

  it('shows that its agent was unwired', async () => {
    const { home, look } = await start()
    await look(({ agents }) => agents[0]?.obeyed !== undefined && agents[0].obeyed > 0)
    writeFileSync(join(home, '.claude/settings.json'), '{}')
    const unwired = await look(({ agents }) => (agents[0]?.obeyed ?? 1) === 0)
    expect(unwired.agents[0]!.obeyed).toBe(0)
  })

  it('puts a policy back that somebody changed on its disk, and says so', async () => {
    const { look, where } = await start()
    await look(({ agents }) => agents.length > 0)
    const hook = join(where.fleet.hooks, 'no-terraform', 'HOOK.md')
    const text = readFileSync(hook, 'utf8')
    writeFileSync(hook, text.replace('decision: deny', 'decision: allow'))
    writeFileSync(join(where.fleet.hooks, 'no-terraform', 'more.sh'), 'echo')
    expect((await look(({ alarms }) => alarms.length > 0)).alarms).toEqual([{ kind: 'drift', n: 2 }])
    expect(readFileSync(hook, 'utf8')).toBe(text)
    // Also where the copy to compare with was changed too: then the hub has it.
    await look(({ alarms }) => alarms.length === 0)
    for (const file of globSync(join(where.fleet.folder, 'bundles/*.archive'))) writeFileSync(file, 'other')
    rmSync(hook)
    expect((await look(({ alarms }) => alarms.length > 0)).alarms).toEqual([{ kind: 'drift', n: 1 }])
    expect(readFileSync(hook, 'utf8')).toBe(text)
  })
})
