/** A question of a machine, answered by a person at another hub. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeInSilence } from '../../src/ask/answer.ts'
import type { Question } from '../../src/ask/question.ts'
import { createAdmin } from '../../src/fleet/admin.ts'
import { publishArchive } from '../../src/fleet/publish.ts'
import { answerText } from '../../src/fleet/wire/answer-text.ts'
import { pack } from '../../src/fleet/wire/archive.ts'
import { openPostgres } from '../../src/hub/database/postgres.ts'
import { addPerson } from '../../src/hub/store/tenants.ts'
import { newKey, type SigningKey } from '../../src/sign/keys.ts'
import { sign } from '../../src/sign/signature.ts'
import { denyHook, hubOn, machineAt, personAt, policyFolder, publishWord, tokenFor, wish } from './fixture.ts'
import { type Cluster, freshDatabase, startPostgres } from './postgres.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster?.stop())

let n = 0
const question = (more: Partial<Question> = {}): Question => ({
  id: `question${++n}`,
  at: new Date().toISOString(),
  deadline: new Date(Date.now() + 60_000).toISOString(),
  agent: 'a',
  agent_title: 'A',
  session_id: 's',
  work_dir: '/w',
  project: '/w',
  event: 'before_tool',
  tool_name: 'Shell',
  summary: 'Shell: rm -rf build',
  input: {},
  acts: [],
  digest: 'd1',
  scripts: [],
  why: 'it deletes',
  hooks: ['guard'],
  approvers: [],
  approvals: 1,
  run_up: [],
  via: [],
  waiter: process.pid,
  ...more,
})

type Ask = { id: string; summary: string; machine: string; input_digest: string }

describe('a question', () => {
  const start = async () => {
    const url = await freshDatabase(cluster, `asks${++n}`)
    const open = () => openPostgres(url, { trouble: () => {}, connections: 4 })
    const [one, two] = [await hubOn(await open()), await hubOn(await open())]
    const admin = await personAt(one, 'a')
    const token = await two.hub.db.within('a', (sql) =>
      addPerson(sql, 'setup', { tenant: 'a', id: 'ben', role: 'approver' }),
    )
    return { one, two, admin, ben: createAdmin({ url: two.address, token }) }
  }
  const waiting = async (admin: { get<T>(path: string): Promise<T> }) => {
    await expect.poll(async () => (await admin.get<Ask[]>('/v1/fleet/asks')).length).toBe(1)
    return (await admin.get<Ask[]>('/v1/fleet/asks'))[0]!
  }

  it('at one hub is answered at the other, and the first answer counts', async () => {
    const { one, admin, ben } = await start()
    await publishWord(admin, 'terraform')
    const machine = await machineAt(one.address, await tokenFor(admin), 'laptop')
    const options = machine.options()
    machine.start({ desk: options.desk })
    const asked = question()
    options.desk.questions.put(asked)
    const { id, summary, machine: name } = await waiting(ben)
    expect({ summary, name }).toEqual({ summary: 'Shell: rm -rf build', name: 'laptop' })
    await ben.post(`/v1/fleet/asks/${id}`, { decision: 'allow', reason: 'only build' })
    const answer = await options.desk.questions.wait(asked.id, Date.now() + 20_000)
    expect(answer).toMatchObject({
      decision: 'allow',
      by: 'ben',
      via: 'hub',
      words: 'only build',
      scope: 'once',
    })
    await expect(admin.post(`/v1/fleet/asks/${id}`, { decision: 'deny' })).rejects.toThrow(
      'ben has answered already',
    )
  })

  it('whose agent has given up is answered late by a grant', async () => {
    const { one, admin, ben } = await start()
    await publishWord(admin, 'terraform')
    const machine = await machineAt(one.address, await tokenFor(admin))
    const options = machine.options()
    const asked = question({ deadline: new Date(Date.now() + 1500).toISOString() })
    options.desk.questions.put(asked)
    const running = machine.start({ desk: options.desk })
    const { id } = await waiting(ben)
    await options.desk.questions.wait(asked.id, Date.parse(asked.deadline))
    await ben.post(`/v1/fleet/asks/${id}`, { decision: 'allow' })
    const grant = () =>
      options.desk.grants.use(
        { digest: 'd1', agent: 'a', session_id: 's', project: '/w' },
        { approvers: [], approvals: 1 },
      )
    await expect.poll(() => grant()?.by, { timeout: 60_000 }).toEqual(['ben'])
    expect(grant()).toBeUndefined()
    await running.stop()
  })

  it('is not allowed by a hub in the name of the person here, or of somebody whose key this machine names', async () => {
    const { one, two, admin } = await start()
    await publishWord(admin, 'terraform')
    const machine = await machineAt(one.address, await tokenFor(admin))
    const [carol, dave] = [newKey(), newKey()]
    mkdirSync(dirname(machine.where.settings), { recursive: true })
    writeFileSync(
      machine.where.settings,
      `[[approvals.approvers]]\nname = "carol"\nkey = "${carol.public}"\n[[approvals.approvers]]\nname = "dora"\npasskey = "YQ.YQ"\n`,
    )
    const options = machine.options()
    machine.start({ desk: options.desk })
    const signed = (key: SigningKey, { id, input_digest }: Ask) => ({
      key: key.public,
      signature: sign(
        key,
        'answer',
        answerText({ id, input_digest, decision: 'allow', scope: 'once', reason: '' }),
      ),
    })
    const answers: [string, string, ((ask: Ask) => object) | undefined, string | undefined][] = [
      ['local', 'no right to the name', undefined, undefined],
      ['silence', 'no right to the name', undefined, undefined],
      ['carol', 'not signed', undefined, undefined],
      ['carol', 'not signed', (ask) => signed(dave, ask), undefined],
      ['dora', 'not signed', undefined, undefined],
      ['carol', '', (ask) => signed(carol, ask), 'carol'],
      ['ben', '', undefined, 'ben'],
    ]
    for (const [person, words, proof, by] of answers) {
      const token = await two.hub.db.within('a', async (sql) => {
        await sql.run('DELETE FROM people WHERE tenant = $1 AND id = $2', ['a', person])
        return addPerson(sql, 'setup', { tenant: 'a', id: person, role: 'approver' })
      })
      const asked = question()
      options.desk.questions.put(asked)
      const caller = createAdmin({ url: two.address, token })
      const ask = await waiting(caller)
      await caller.post(`/v1/fleet/asks/${ask.id}`, {
        decision: 'allow',
        ...(proof ? { signed: proof(ask) } : {}),
      })
      if (by === undefined) {
        await expect
          .poll(() => machine.troubles.some((said) => said.includes(asked.id) && said.includes(words)))
          .toBe(true)
        expect(options.desk.questions.answerOf(asked.id)).toBeUndefined()
        closeInSilence(options.desk, asked)
      } else
        expect(await options.desk.questions.wait(asked.id, Date.now() + 20_000)).toMatchObject({
          decision: 'allow',
          by,
        })
    }
    // Nobody knows who may answer where the settings cannot be read.
    writeFileSync(machine.where.settings, 'approvals = 7')
    const last = question()
    options.desk.questions.put(last)
    const ask = await waiting(admin)
    await admin.post(`/v1/fleet/asks/${ask.id}`, { decision: 'allow' })
    await expect.poll(() => machine.troubles.join()).toContain('not known who may answer')
    expect(options.desk.questions.answerOf(last.id)).toBeUndefined()
  })

  it('is not allowed by the word of a hub where the policy names approvers by their keys', async () => {
    const { one, admin, ben } = await start()
    const key = newKey()
    const settings = `[[approvals.approvers]]\nname = "carol"\nkey = "${key.public}"\n`
    const folder = policyFolder({ 'hooks/no-x/HOOK.md': denyHook('x'), 'crosshook.toml': settings })
    await publishArchive(admin, pack(folder), wish())
    const machine = await machineAt(one.address, await tokenFor(admin))
    const options = machine.options()
    machine.start({ desk: options.desk })
    const first = question()
    options.desk.questions.put(first)
    await ben.post(`/v1/fleet/asks/${(await waiting(ben)).id}`, { decision: 'allow' })
    await expect.poll(() => machine.troubles.join()).toContain('not signed by an approver whose key')
    expect(options.desk.questions.answerOf(first.id)).toBeUndefined()
    // Signed for another question: not counted either.
    const signed = (id: string, digest: string) => ({
      key: key.public,
      signature: sign(
        key,
        'answer',
        answerText({ id, input_digest: digest, decision: 'allow', scope: 'once', reason: '' }),
      ),
    })
    const second = question()
    options.desk.questions.put(second)
    const { id } = await waiting(ben)
    await ben.post(`/v1/fleet/asks/${id}`, { decision: 'allow', signed: signed(id, 'another') })
    await expect.poll(() => machine.troubles.filter((said) => said.includes(second.id)).length).toBe(1)
    const third = question()
    options.desk.questions.put(third)
    const last = await waiting(ben)
    await ben.post(`/v1/fleet/asks/${last.id}`, {
      decision: 'allow',
      signed: signed(last.id, last.input_digest),
    })
    expect(await options.desk.questions.wait(third.id, Date.now() + 20_000)).toMatchObject({
      by: 'carol',
      decision: 'allow',
    })
  })
})
