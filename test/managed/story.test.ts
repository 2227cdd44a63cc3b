/**
 * The whole story: a hub on PostgreSQL, two machines that are enrolled, a policy, a real agent of an ordinary user on one of
 * them that is blocked by it, and the record on the hub's page. The first machine has the managed installation.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MANAGED } from '../../src/config/managed.ts'
import { agent } from '../agents/agents/claude-code.ts'
import { installed } from '../agents/agents/files.ts'
import { run } from '../agents/process.ts'
import { startStandIn } from '../agents/stand-in/server.ts'
import { type Cluster, freshDatabase, startPostgres } from '../hub/postgres.ts'
import { closeBrowser, openPage } from '../page/browser.ts'
import { as, crosshook, makeUser, put, startGate, stopGate, type User } from './machine.ts'

const MARK = 'MAIN-CONVERSATION'
const REASON = 'The fleet does not allow terraform.'
const HOOK = `---
name: no-terraform
description: Refuses terraform.
trigger: before_tool
matcher:
  program: terraform
outcome:
  decision: deny
  reason: ${REASON}
---
`

describe.skipIf(!existsSync(installed('.')))('a fleet', () => {
  let alice: User
  let bob: User
  let person: User
  let cluster: Cluster
  let gate: ChildProcess
  let hub: ChildProcess
  const root = mkdtempSync(join(tmpdir(), 'crosshook-story-'))

  beforeAll(async () => {
    ;[alice, bob, person] = ['alice', 'bob', 'person'].map(makeUser) as [User, User, User]
    cluster = await startPostgres()
    expect(crosshook('install', '--managed', '--yes').code).toBe(0)
    gate = await startGate()
  })
  afterAll(async () => {
    await closeBrowser()
    hub?.kill('SIGTERM')
    await stopGate(gate)
    crosshook('uninstall', '--managed', '--yes', '--purge')
    await cluster?.stop()
    rmSync(root, { recursive: true, force: true })
  })

  /** A command of a user with a crosshook of their own. */
  const by = <T>(user: User, ...args: string[]): T => {
    const { code, stdout, stderr } = as(user, [MANAGED.node, MANAGED.main, ...args, '--json'], {
      cwd: user.home,
    })
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}${stdout}`)
    return JSON.parse(stdout) as T
  }

  it('blocks a real agent on one of its machines, and shows that on its page', async () => {
    const server = join(root, 'hub')
    mkdirSync(server)
    hub = spawn(
      MANAGED.node,
      [
        MANAGED.main,
        'hub',
        '--listen',
        '127.0.0.1:0',
        '--json',
        '--database',
        await freshDatabase(cluster, 'managed'),
      ],
      { env: { PATH: process.env.PATH, HOME: server }, cwd: server, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const line = await new Promise<string>((done) => hub.stdout!.once('data', (bytes) => done(String(bytes))))
    const { url, token_file } = JSON.parse(line) as { url: string; token_file: string }
    const token = readFileSync(token_file, 'utf8').trim()
    by(person, 'fleet', 'login', url, '--token', token)
    put(join(person.home, 'policy/hooks/no-terraform/HOOK.md'), HOOK, person)
    by(person, 'fleet', 'publish', join(person.home, 'policy'), '--stages', '100%')
    const enrolment = by<{ token: string }>(person, 'fleet', 'token', '--uses', '2').token
    expect(crosshook('managed', 'enroll', url, '--token', enrolment, '--name', 'workstation').code).toBe(0)
    by(bob, 'enroll', url, '--token', enrolment, '--name', 'laptop')
    const scopeOn = (text: string) =>
      (JSON.parse(text) as { name: string; scope: string }[]).find(({ name }) => name === 'no-terraform')
        ?.scope
    await expect.poll(() => scopeOn(crosshook('managed', 'list', '--json').stdout)).toBe('managed')
    await expect.poll(() => scopeOn(JSON.stringify(by(bob, 'list')))).toBe('managed')

    const standIn = await startStandIn(agent.api)
    const folder = mkdtempSync(join(alice.home, 'story-'))
    const place = {
      home: join(folder, 'home'),
      project: join(folder, 'project'),
      temporary: join(folder, 'tmp'),
      program: MANAGED.program,
      url: standIn.url,
    }
    for (const path of [place.home, place.project, place.temporary]) mkdirSync(path)
    agent.configure(place)
    execFileSync('chown', ['-R', `${alice.uid}:${alice.gid}`, folder])
    standIn.play({
      main: [
        { id: 'no', turn: { call: agent.tools.shell('touch tried.txt && terraform destroy') } },
        { id: 'yes', turn: { call: agent.tools.shell('touch allowed.txt') } },
        { id: 'end', turn: { text: 'I am done.' } },
      ],
      sub: [],
      mainMarker: MARK,
      subMarker: 'none',
    })
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: place.home,
      TMPDIR: place.temporary,
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      TERM: 'dumb',
      ...agent.environment(place),
    }
    const drop = [
      'setpriv',
      `--reuid=${alice.uid}`,
      `--regid=${alice.gid}`,
      '--clear-groups',
      '--no-new-privs',
    ]
    await run([...drop, ...agent.start(place, `${MARK}: please do the work.`)], place.project, env, {
      time: 150_000,
    })
    await standIn.close()
    expect(standIn.asked.map(({ told }) => told).join('\n')).toContain(REASON)
    expect(readdirSync(place.project)).toContain('allowed.txt')
    expect(readdirSync(place.project)).not.toContain('tried.txt')

    type Row = { decision: string; hook: string; agent: string; machine?: string }
    await expect
      .poll(() => by<Row[]>(person, 'fleet', 'journal', '--hook', 'no-terraform'))
      .toMatchObject([{ decision: 'deny', hook: 'no-terraform', agent: 'claude-code' }])
    const { page, complaints } = await openPage()
    await page.goto(by<{ url: string }>(person, 'fleet', 'ui').url)
    await page.locator('.connection[data-state=connected]').waitFor()
    for (const name of ['workstation', 'laptop'])
      await page.getByText(name, { exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'Journal' }).click()
    const row = page.getByRole('row').filter({ hasText: 'no-terraform' })
    await row.first().waitFor()
    expect(await row.first().textContent()).toMatch(/workstation/)
    expect(complaints).toEqual([])
  }, 300_000)
})
