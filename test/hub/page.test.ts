/** The page of the hub, in a real browser, on PostgreSQL. */

import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Question } from '../../src/ask/question.ts'
import { createAdmin } from '../../src/fleet/admin.ts'
import { publishArchive } from '../../src/fleet/publish.ts'
import { pack } from '../../src/fleet/wire/archive.ts'
import { openPostgres } from '../../src/hub/database/postgres.ts'
import { peopleParts } from '../../src/hub/people.ts'
import { addPerson, type Role } from '../../src/hub/store/tenants.ts'
import { newKey } from '../../src/sign/keys.ts'
import { closeBrowser, type Opened, openPage, ROOT } from '../page/browser.ts'
import { looksRight } from '../page/look.ts'
import {
  denyHook,
  entry,
  hubOn,
  machineAt,
  personAt,
  policyFolder,
  publisher,
  tokenFor,
  wish,
} from './fixture.ts'
import { type Cluster, freshDatabase, startPostgres } from './postgres.ts'
import { provider } from './services.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster?.stop())
afterAll(closeBrowser)

let n = 0

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

async function start({ isProvided = false } = {}) {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const db = await openPostgres(await freshDatabase(cluster, `page${++n}`), { trouble: () => {} })
  const idp = isProvided ? await provider() : undefined
  const parts = await peopleParts(db, {
    publicUrl,
    isSecure: false,
    provider: idp && { issuer: idp.url, clientId: 'client', clientSecret: 'secret', tenant: 'a', publicUrl },
    trouble: () => {},
  })
  const hub = await hubOn(db, { ...parts, listen: { host: '127.0.0.1', port } })
  const admin = await personAt(hub, 'a')
  const person = async (id: string, role: Role, subject?: string) => {
    const token = await db.within('a', (sql) => addPerson(sql, 'setup', { tenant: 'a', id, role }, subject))
    return createAdmin({ url: hub.address, token })
  }
  return { hub, db, admin, person, idp }
}

/** A link of this person's own, opened in a new browser. */
async function enter(admin: Awaited<ReturnType<typeof personAt>>): Promise<Opened> {
  const { path } = await admin.post<{ path: string }>('/v1/fleet/links')
  const opened = await openPage()
  await opened.page.goto(`${admin.url}${path}`)
  await opened.page.locator('.connection[data-state=connected]').waitFor()
  return opened
}

const proof = (agent: string, more: object = {}) => ({
  agent,
  agent_version: '2.1.0',
  obeyed: 2,
  cannot: 1,
  broken: 0,
  body: {
    wired: true,
    events: [
      { event: 'PreToolUse', state: 'obeyed' },
      { event: 'Stop', state: 'cannot' },
    ],
  },
  ...more,
})

const question = (more: Partial<Question>): Question => ({
  ...{ id: `question${++n}`, agent: 'agent-a', agent_title: 'Agent A', session_id: 's1' },
  ...{ at: new Date().toISOString(), deadline: new Date(Date.now() + 300_000).toISOString() },
  ...{ work_dir: '/srv/shop', project: '/srv/shop', event: 'before_tool', tool_name: 'Shell' },
  ...{ summary: 'rm -rf build', input: { command: 'rm -rf build' }, digest: 'd1', scripts: [] },
  acts: [{ does: 'delete', path: '/srv/shop/build', certain: true }],
  ...{ why: 'it deletes', hooks: ['no-deletes'], approvers: [], approvals: 1, run_up: [] },
  ...{ via: ['hub'], waiter: process.pid },
  ...more,
})

/** Two machines, one with trouble, a policy in its first stage, records and a question for two people. */
async function filled() {
  const fleet = await start()
  const { hub, admin } = fleet
  const policy = (word: string) => pack(policyFolder({ [`hooks/no-${word}/HOOK.md`]: denyHook(word) }))
  const second = newKey()
  await publishArchive(admin, policy('terraform'), wish({ journal: 'full', note: 'No terraform on laptops' }))
  const machines = await Promise.all(
    ['web-1', 'build-7'].map(async (name) =>
      machineAt(hub.address, await tokenFor(admin, { labels: { team: name.split('-')[0] } }), name),
    ),
  )
  const [one, two] = machines as [(typeof machines)[0], (typeof machines)[0]]
  const { desk } = one.options()
  one.start({
    desk,
    prove: async () => ({ agents: [proof('agent-a'), proof('agent-b')], alarms: [] }),
  })
  two.start({
    prove: async () => ({
      agents: [proof('agent-a', { broken: 1 })],
      alarms: [
        { kind: 'heartbeat', agent: 'agent-a', n: 1 },
        { kind: 'drift', n: 2 },
      ],
    }),
  })
  await expect
    .poll(async () =>
      (await admin.get<{ revision: number }[]>('/v1/fleet/edges')).map((each) => each.revision),
    )
    .toEqual([1, 1])
  for (let i = 0; i < 12; i++)
    one.journal.append({
      ...entry,
      agent: 'agent-a',
      subject: i % 3 === 0 ? 'terraform destroy \u202e-auto' : 'ls',
      decision: i % 3 === 0 ? 'deny' : 'allow',
      reason: i % 3 === 0 ? 'No terraform here.' : null,
      hooks: [{ name: 'no-terraform', status: i % 3 === 0 ? 'blocked' : 'allowed', duration_ms: 1 } as never],
    })
  // The next one needs two signatures, and goes to some machines first.
  await publishArchive(
    admin,
    policy('kubectl'),
    wish({
      keys: [publisher.public, second.public],
      threshold: 2,
      stages: [
        { mode: 'shadow', percent: 100, minutes: 60 },
        { mode: 'enforce', percent: 10, minutes: 60 },
        { mode: 'enforce', percent: 100, minutes: 0 },
      ],
      stop: { min_events: 20, max_failure_rate: 0.05 },
    }),
  )
  return { ...fleet, one, two, desk }
}

describe('the page of the hub', () => {
  it('shows machines by agents, which obey and which have trouble, on every screen', async () => {
    const { admin } = await filled()
    const { page, complaints } = await enter(admin)
    await page.getByRole('heading', { name: 'a: 2 machines' }).waitFor()
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name }) })
    await row('web-1').getByText('agent-b').waitFor()
    await row('build-7').getByText('2 hooks were changed').waitFor()
    expect(await row('build-7').textContent()).toMatch(
      /agent-a ✗[\s\S]*agent-a asks no hook[\s\S]*2 hooks were changed/,
    )
    await looksRight(page, 'hub-fleet')
    await page.getByLabel('State').selectOption('trouble')
    await row('web-1').waitFor({ state: 'detached' })
    await row('build-7').getByRole('link').click()
    await page.getByText('PreToolUse obeyed').waitFor()
    await looksRight(page, 'hub-machine')
    expect(complaints).toEqual([])
  })

  it('moves roll-outs, shows records, and adds people', async () => {
    const { admin, person, hub } = await filled()
    const { page, complaints } = await enter(admin)
    await page.getByRole('link', { name: 'Roll-outs' }).click()
    await page.getByText('No terraform on laptops').waitFor()
    const card = page.getByRole('region', { name: 'Revision 2' })
    await card.getByRole('button', { name: 'Go on to 10 %' }).click()
    await card.locator('[aria-current=step]', { hasText: '10 %' }).waitFor()
    await card.getByRole('button', { name: 'Stop' }).click()
    await card.getByText('by hand').waitFor()
    await page.getByText('the chain holds').waitFor()
    await looksRight(page, 'hub-rollouts')

    await page.getByRole('link', { name: 'Journal' }).click()
    await page.getByText('terraform destroy \\u{202e}-auto').first().waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(5)
    await looksRight(page, 'hub-journal')
    await page.getByRole('link', { name: 'Findings' }).click()
    await page.getByText('Every journal is complete').waitFor()

    await page.getByRole('link', { name: 'People' }).click()
    await page.getByLabel('Name').fill('ben')
    await page.getByLabel('Role').selectOption('approver')
    await page.getByRole('button', { name: 'Add' }).click()
    const token = (await page.locator('.secret code').textContent())!
    expect(await createAdmin({ url: hub.address, token }).get('/v1/fleet/me')).toMatchObject({
      id: 'ben',
      role: 'approver',
    })
    await looksRight(page, 'hub-people')

    // Who may only look has no buttons that change something.
    const eve = await enter(await person('eve', 'viewer'))
    await eve.page.getByRole('link', { name: 'Roll-outs' }).click()
    await eve.page.getByRole('region', { name: 'Revision 2' }).waitFor()
    expect(await eve.page.getByRole('button', { name: /Stop|Go on/ }).count()).toBe(0)
    expect([...complaints, ...eve.complaints]).toEqual([])
  })

  it('lets two people answer a question of a machine', async () => {
    const { admin, person, desk, one } = await filled()
    const ben = await person('ben', 'approver')
    const { page, complaints } = await enter(admin)
    desk.questions.put(question({ approvals: 2 }))
    await page.getByRole('link', { name: 'Approvals 1' }).click()
    const asked = page.locator('[data-ask]')
    await asked.getByText('rm -rf build').first().waitFor()
    await looksRight(page, 'hub-approvals')
    await asked.getByRole('button', { name: 'Allow' }).click()
    await asked.getByText('You have said yes. Another person must, too.').waitFor()
    const other = await enter(ben)
    await other.page.getByRole('link', { name: 'Approvals 1' }).click()
    await other.page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('ada and ben').waitFor()
    const [open] = desk.questions.list()
    expect(await desk.questions.wait(open!.id, Date.now() + 20_000)).toMatchObject({
      decision: 'allow',
      via: 'hub',
    })
    expect(one.troubles).toEqual([])
    expect([...complaints, ...other.complaints]).toEqual([])
  })

  it('lets in with a link once, with the identity provider, and nobody else', async () => {
    const { admin, person, hub, idp, db } = await start({ isProvided: true })
    await person('carol', 'viewer', 'carol@example.com')
    const { path } = await admin.post<{ path: string }>('/v1/fleet/links', { person: 'carol' })
    const { page } = await openPage()
    await page.goto(hub.address)
    await page.getByRole('heading', { name: 'Sign in to the fleet' }).waitFor()
    await page.goto(`${hub.address}${path}`)
    await page.locator('.who', { hasText: 'carol' }).waitFor()
    expect(page.url()).not.toContain('code')
    const stolen = await openPage()
    await stolen.page.goto(`${hub.address}${path}`)
    await stolen.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    // Signing out ends it in every browser.
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to the fleet' }).waitFor()
    idp!.be('carol@example.com')
    await page.getByRole('button', { name: 'Sign in with your organisation' }).click()
    await page.locator('.who', { hasText: 'carol' }).waitFor()
    idp!.be('mallory@example.com')
    const stranger = await openPage()
    await stranger.page.goto(`${hub.address}/sign-in`)
    expect(await stranger.page.textContent('body')).toContain(
      'Nobody of a has the identity mallory@example.com',
    )
    // An old link is none, and a viewer makes none for an admin.
    const late = await admin.post<{ path: string }>('/v1/fleet/links', { person: 'carol' })
    await db.within('a', (sql) => sql.run('UPDATE links SET expires_at = 0'))
    expect((await fetch(`${hub.address}${late.path}`, { redirect: 'manual' })).status).toBe(403)
    const eve = await person('eve', 'viewer')
    await expect(eve.post('/v1/fleet/links', { person: 'ada' })).rejects.toThrow('Only an admin')
  })

  it('says that the hub is gone, and goes on when it is back', async () => {
    const { admin, hub } = await start()
    const { page } = await enter(admin)
    await page.getByRole('heading', { name: 'a: 0 machines' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('alert').filter({ hasText: 'The hub does not answer.' }).waitFor()
    await page.context().setOffline(false)
    await page.locator('.connection[data-state=connected]').waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect((await fetch(`${hub.address}/assets/none.js`)).status).toBe(404)
    expect((await fetch(`${hub.address}/v1/none`)).headers.get('content-type')).toContain('problem+json')
  })

  it('is 40 KB, compressed', () => {
    const folder = join(ROOT, 'dist/hub-page')
    const size = readdirSync(folder).reduce(
      (sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length,
      0,
    )
    expect(size).toBeLessThan(40 * 1024)
  })
})
