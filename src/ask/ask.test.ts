import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stateKey } from '../config/state-key.ts'
import { closeOverdue, giveAhead, giveAnswer } from './answer.ts'
import { proposals } from './proposals.ts'
import { replaceSealed } from './sealed-file.ts'
import { type Room, room, TERMINAL } from './testing.ts'

const YES = { decision: 'allow', by: 'local', via: 'terminal' } as const
const NO = { decision: 'deny', by: 'local', via: 'terminal' } as const

describe('a question', () => {
  it('answered with yes lets the call go on, and the model reads the words', async () => {
    const { call, waiting, desk } = room()
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    giveAnswer(desk, question!.id, { ...YES, words: 'staging only' })
    expect(await asked).toMatchObject({ decision: 'allow', context: expect.stringContaining('staging only') })
  })

  it('answered with no refuses it in the words of the person', async () => {
    const { call, waiting, desk } = room()
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    giveAnswer(desk, question!.id, { ...NO, words: 'not on friday' })
    expect(await asked).toMatchObject({ decision: 'deny', reason: expect.stringContaining('not on friday') })
  })

  it('shows what would run, what it does, why, and what happened before', async () => {
    const { call, waiting, put, project } = room()
    const script = put(`${project}/deploy.sh`, 'echo 1')
    await call('ls')
    void call('./deploy.sh --token=ghp_abcdefghijklmnopqrstuvwxyz0123456789')
    const [question] = await waiting()
    expect(question).toMatchObject({
      agent: 'codex',
      session_id: 's1',
      work_dir: project,
      tool_name: 'Shell',
      why: 'deploying needs a yes',
      hooks: ['asks'],
      acts: [{ does: 'run', path: script }],
      scripts: [{ path: script, digest: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      run_up: [{ tool_name: 'Shell', detail: 'ls', decision: 'allow' }],
    })
    expect(JSON.stringify(question)).not.toContain('ghp_abc')
  })

  it('shows and approves the rewritten input, not the one that was sent', async () => {
    const hooks = {
      rewrites: { priority: 900, outcome: { updated_input: { command: './deploy.sh --dry-run' } } },
    }
    const { call, waiting, desk } = room({ hooks })
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    expect(question!.input).toEqual({ command: './deploy.sh --dry-run' })
    giveAnswer(desk, question!.id, YES)
    expect((await asked).decision).toBe('allow')
  })

  it('that nobody answers is refused within the time of the setting, and says what the model can do', async () => {
    const { call, desk } = room({ approvals: 'via = ["terminal"]\nwait = 0.3' })
    const began = Date.now()
    const { decision, reason } = await call('./deploy.sh')
    expect(decision).toBe('deny')
    expect(reason).toContain('has not answered')
    // Far below the ten minutes of a question without a setting.
    expect(Date.now() - began).toBeLessThan(60_000)
    expect(desk.questions.open()).toEqual([])
  })

  it('is refused at once where nobody can be reached, and can be answered late', async () => {
    const { call, desk } = room({ approvals: 'wait = 20' })
    const { decision, reason } = await call('./deploy.sh')
    expect([decision, reason]).toEqual(['deny', expect.stringContaining('crosshook approvals allow')])
    const [question] = desk.questions.list()
    expect(giveAnswer(desk, question!.id, YES).status).toBe('granted')
    expect((await call('./deploy.sh')).decision).toBe('allow')
    expect((await call('./deploy.sh')).decision).toBe('deny')
  })

  it('is refused when the process is told to end', async () => {
    const { call, waiting, assembly } = room()
    const asked = call('./deploy.sh')
    await waiting()
    await assembly.stopAsking()
    expect((await asked).decision).toBe('deny')
  })

  it('never beats the deny of another hook', async () => {
    const hooks = { denies: { priority: 1, outcome: { decision: 'deny', reason: 'never' } } }
    const { call, desk } = room({ hooks })
    expect(await call('./deploy.sh')).toMatchObject({ decision: 'deny', reason: 'never' })
    expect(desk.questions.list()).toEqual([])
  })
})

describe('a question whose agent has gone', () => {
  it('is closed at once; no is refused, and a late yes is for the next equal call of that session alone', async () => {
    const { call, waiting, desk, put, project, assembly } = room()
    put(`${project}/deploy.sh`, 'echo 1')
    const gone = new AbortController()
    const asked = call('./deploy.sh', { gone: gone.signal })
    const [question] = await waiting()
    gone.abort()
    expect((await asked).decision).toBe('deny')
    expect(desk.questions.open()).toEqual([])
    expect(desk.questions.answerOf(question!.id)).toMatchObject({ decision: 'deny', by: 'gone', via: 'gone' })
    expect(() => giveAnswer(desk, question!.id, NO)).toThrow(/its agent has gone/)
    expect(giveAnswer(desk, question!.id, YES).status).toBe('granted')
    expect(() => giveAnswer(desk, question!.id, YES)).toThrow(/late already/)
    const isAsked = async (command: string, session = 's1') => {
      const again = call(command, { session })
      const was = await Promise.race([again.then(() => false), waiting().then(() => true)])
      for (const { id } of desk.questions.open()) giveAnswer(desk, id, NO)
      await again
      return was
    }
    expect(await isAsked('./deploy.sh --force')).toBe(true)
    expect(await isAsked('./deploy.sh', 's2')).toBe(true)
    put(`${project}/deploy.sh`, 'echo 2')
    expect(await isAsked('./deploy.sh')).toBe(true)
    put(`${project}/deploy.sh`, 'echo 1')
    expect((await call('./deploy.sh')).decision).toBe('allow')
    expect(await isAsked('./deploy.sh')).toBe(true)
    const reasons = assembly
      .journal()
      .list({ event: 'approval' })
      .map(({ reason }) => reason)
    expect(reasons).toContain('the agent has gone before anybody answered')
  })

  it('stays open for others who wait for the same answer', async () => {
    const { call, waiting, desk } = room()
    const gone = new AbortController()
    const [cancelled, other] = [call('./deploy.sh', { gone: gone.signal }), call('./deploy.sh')]
    const [question] = await waiting()
    gone.abort()
    expect((await cancelled).decision).toBe('deny')
    expect(desk.questions.open().map(({ id }) => id)).toEqual([question!.id])
    giveAnswer(desk, question!.id, YES)
    expect((await other).decision).toBe('allow')
  })

  it('is asked anew for a process that still waits', async () => {
    const { call, waiting, desk, another } = room()
    const gone = new AbortController()
    const cancelled = call('./deploy.sh', { gone: gone.signal, assembly: another() })
    const [question] = await waiting()
    const other = call('./deploy.sh')
    // The other one has joined when it looks for the answer.
    await new Promise((resolve) => setImmediate(resolve))
    gone.abort()
    expect((await cancelled).decision).toBe('deny')
    const [again] = await waiting()
    expect(again!.id).not.toBe(question!.id)
    giveAnswer(desk, again!.id, YES)
    expect((await other).decision).toBe('allow')
  })
})

describe('equal questions', () => {
  it('are asked once, and the answer counts for all who wait', async () => {
    const { call, waiting, desk, another } = room()
    const asked = [call('./deploy.sh'), call('./deploy.sh'), call('./deploy.sh', { assembly: another() })]
    const [question] = await waiting()
    await new Promise((resolve) => setImmediate(resolve))
    giveAnswer(desk, question!.id, YES)
    expect((await Promise.all(asked)).map(({ decision }) => decision)).toEqual(['allow', 'allow', 'allow'])
    expect(desk.questions.list()).toHaveLength(1)
  })

  it('of other sessions and other inputs are asked apart', async () => {
    const { call, waiting, assembly } = room()
    const asked = [call('./deploy.sh'), call('./deploy.sh', { session: 's2' }), call('./deploy.sh -v')]
    expect(await waiting(3)).toHaveLength(3)
    await assembly.stopAsking()
    await Promise.all(asked)
  })

  it('get the answer that a killed process could not carry out, once', async () => {
    const { call, desk, waiting, another, assembly } = room()
    const first = another()
    const asked = call('./deploy.sh', { assembly: first })
    const [question] = await waiting()
    // As if that process was killed: it never takes the answer.
    desk.questions.change({ ...question!, waiter: 999_999_999 })
    desk.questions.take = () => true
    giveAnswer(desk, question!.id, YES)
    await asked
    const { rmSync } = await import('node:fs')
    rmSync(`${desk.questions.folder}/${question!.id}.taken`)
    expect((await call('./deploy.sh')).decision).toBe('allow')
    const again = call('./deploy.sh')
    await waiting()
    await assembly.stopAsking()
    expect((await again).decision).toBe('deny')
  })
})

describe('the first answer', () => {
  it('counts; a second one is refused with who was first', async () => {
    const { call, waiting, desk } = room()
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    giveAnswer(desk, question!.id, NO)
    expect(() => giveAnswer(desk, question!.id, { ...YES, via: 'page' })).toThrow(
      /denied by local \(terminal\)/,
    )
    expect((await asked).decision).toBe('deny')
  })
})

describe('a question that needs two people', () => {
  it('is not answered by one person on two channels, nor by whoever holds a button', async () => {
    const { call, waiting, desk } = room({ hook: { approvals: 2 } })
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    expect(giveAnswer(desk, question!.id, YES)).toEqual({ status: 'voted', missing: 1 })
    expect(() => giveAnswer(desk, question!.id, { ...YES, via: 'page' })).toThrow(/already/)
    for (const by of ['ntfy', 'webhook', 'slack:U1'])
      expect(() => giveAnswer(desk, question!.id, { decision: 'allow', by, via: by })).toThrow(/may not/)
    expect(desk.questions.answerOf(question!.id)).toBeUndefined()
    giveAnswer(desk, question!.id, { decision: 'allow', by: 'alice', via: 'key' })
    expect((await asked).decision).toBe('allow')
  })

  it.each([
    ['project', 8, 'session', 8, 'session', 8],
    ['session', 8, 'project', 1, 'session', 1],
    ['project', 1, 'project', 8, 'project', 1],
  ] as const)('gets the narrowest of what they said: %s for %d h and %s for %d h', async (...row) => {
    const [first, firstHours, second, secondHours, scope, hours] = row
    const { call, waiting, desk } = room({ hook: { approvals: 2 } })
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    giveAnswer(desk, question!.id, { ...YES, scope: first, lasts: firstHours * 3_600_000 })
    const result = giveAnswer(desk, question!.id, {
      ...{ decision: 'allow', by: 'alice', via: 'key' },
      ...{ scope: second, lasts: secondHours * 3_600_000 },
    })
    await asked
    expect(result).toMatchObject({ status: 'answered', answer: { scope }, grant: { scope } })
    const [grant] = desk.grants.list()
    expect(Math.round((Date.parse(grant!.until) - Date.now()) / 3_600_000)).toBe(hours)
  })

  it('gives no grant when one of them said once, in whichever order and however late', async () => {
    for (const [first, second] of [
      ['once', 'project'],
      ['project', 'once'],
    ] as const) {
      const { call, waiting, desk, assembly } = room({ hook: { approvals: 2 } })
      const asked = call('./deploy.sh')
      const [question] = await waiting()
      giveAnswer(desk, question!.id, { ...YES, scope: first })
      if (first === 'once') await assembly.stopAsking()
      if (first === 'once') await asked
      giveAnswer(desk, question!.id, { decision: 'allow', by: 'alice', via: 'key', scope: second })
      await asked
      expect(desk.grants.list().map(({ scope }) => scope)).toEqual(first === 'once' ? ['once'] : [])
    }
  })

  it('is not answered by two names of one person, whoever is told of it first', async () => {
    const { call, waiting, desk } = room({ hook: { approvals: 2 } })
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    const names = ['alice', 'bob']
    giveAnswer(desk, question!.id, { decision: 'allow', by: 'alice', names, via: 'key' })
    expect(() => giveAnswer(desk, question!.id, { decision: 'allow', by: 'bob', via: 'hub' })).toThrow(
      /bob and alice.*have the same key/,
    )
    // Both at once, past the check: two votes, and still one person.
    const [vote] = desk.questions.votes(question!.id)
    desk.questions.vote({ ...vote!, by: 'bob' })
    expect(giveAnswer(desk, question!.id, YES).status).toBe('answered')
    expect((await asked).decision).toBe('allow')
    expect(desk.questions.answerOf(question!.id)!.votes!.map(({ by }) => by)).toEqual([
      'alice',
      'bob',
      'local',
    ])
  })
})

describe('one yes of two, and the settings are changed before the second', () => {
  const named = (...approvers: [string, string][]) =>
    `${TERMINAL}\n${approvers.map(([name, key]) => `[[approvals.approvers]]\nname = "${name}"\nkey = "${key}"\n`).join('')}`
  const yes = (by: string, key: string) => ({
    decision: 'allow' as const,
    ...{ by, via: 'key', proof: `key ${key}` },
  })
  const [one, two] = ['A', 'B'].map((letter) => `ed25519:${letter.repeat(43)}=`) as [string, string]

  it.each([
    ['the approver is taken out', named(['bob', two])],
    ['the key is another one', named(['alice', two], ['bob', two])],
    ['the key is somebody else’s', named(['carol', one], ['bob', two])],
    ['the settings cannot be read', 'via = ["terminal"'],
  ])('%s: only the second counts', async (_, after) => {
    const { call, waiting, desk, put, home } = room({
      approvals: named(['alice', one], ['bob', two]),
      hook: { approvals: 2 },
    })
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    expect(giveAnswer(desk, question!.id, yes('alice', one))).toEqual({ status: 'voted', missing: 1 })
    put(join(home, '.config/crosshook/config.toml'), `[approvals]\n${after}\n`)
    expect(giveAnswer(desk, question!.id, YES)).toEqual({ status: 'voted', missing: 1 })
    expect(desk.questions.answerOf(question!.id)).toBeUndefined()
    giveAnswer(desk, question!.id, NO)
    expect((await asked).decision).toBe('deny')
  })

  it('a new key of the same approver may say it again', async () => {
    const { call, waiting, desk, put, home } = room({
      approvals: named(['alice', one]),
      hook: { approvals: 2 },
    })
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    giveAnswer(desk, question!.id, yes('alice', one))
    put(join(home, '.config/crosshook/config.toml'), `[approvals]\n${named(['alice', two])}\n`)
    expect(giveAnswer(desk, question!.id, yes('alice', two))).toEqual({ status: 'voted', missing: 1 })
    expect(giveAnswer(desk, question!.id, YES)).toMatchObject({
      status: 'answered',
      answer: { votes: [{ by: 'alice' }, { by: 'local' }] },
    })
    expect((await asked).decision).toBe('allow')
  })
})

describe('the journal', () => {
  const recordsOf = ({ assembly }: Pick<Room, 'assembly'>, id: string) =>
    assembly
      .journal()
      .list({ event: 'approval' })
      .filter((record) => record.subject === id && record.decision !== 'ask')

  it('gets the record of an answer whose writer was killed before it, once, whoever looks', async () => {
    const where = room()
    const { call, waiting, desk } = where
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    // As far as a kill lets it come: the answer is there, and nothing else.
    const answer = { ...{ id: question!.id, words: '', by: 'local', via: 'terminal' }, signature: 'x' }
    desk.questions.answer({
      ...answer,
      ...{ decision: 'allow', at: new Date().toISOString(), scope: 'once', digest: question!.digest },
    })
    expect((await asked).decision).toBe('allow')
    expect(recordsOf(where, question!.id)).toEqual([])
    for (let n = 0; n < 3; n++) closeOverdue(desk)
    expect(recordsOf(where, question!.id)).toMatchObject([
      { decision: 'allow', reason: 'allowed by local (terminal)' },
    ])
  })

  it('gets no second record from a writer that was killed between the record and its mark', async () => {
    const where = room()
    const { call, waiting, desk } = where
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    giveAnswer(desk, question!.id, YES)
    await asked
    const folder = desk.questions.folder
    rmSync(join(folder, `${question!.id}.noted-answer`))
    closeOverdue(desk)
    // The one that claimed it still runs.
    expect(readdirSync(folder)).not.toContain(`${question!.id}.noted-answer`)
    const gone = spawnSync('true').pid
    const sealing = { key: stateKey(where.state) }
    replaceSealed(join(folder, `${question!.id}.noting-answer.0`), { pid: gone, at: Date.now() }, sealing)
    for (let n = 0; n < 2; n++) closeOverdue(desk)
    expect(readdirSync(folder)).toContain(`${question!.id}.noted-answer`)
    expect(recordsOf(where, question!.id)).toHaveLength(1)
  })

  it('has each question and each answer with who, where, when and a signature', async () => {
    const { call, waiting, desk, assembly } = room()
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    const result = giveAnswer(desk, question!.id, { ...YES, scope: 'session' })
    await asked
    const records = assembly.journal().list({ event: 'approval' })
    expect(records.map(({ decision, subject }) => [decision, subject])).toEqual([
      ['ask', question!.id],
      ['allow', question!.id],
      ['allow', question!.id],
    ])
    expect(result).toMatchObject({ status: 'answered' })
    expect(records[1]!.approval).toMatchObject({
      by: 'local',
      via: 'terminal',
      scope: 'session',
      digest: question!.digest,
      signature: expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/),
    })
  })
})

describe('less asking', () => {
  it('refuses a session that floods, tells the person once, and still asks for others', async () => {
    const { call, waiting, desk, assembly } = room({
      approvals: 'via = ["terminal"]\nwait = 20\nper_minute = 3',
    })
    const asked = [1, 2, 3].map((n) => call(`./deploy.sh ${n}`))
    await waiting(3)
    for (const n of [4, 5, 6])
      expect(await call(`./deploy.sh ${n}`)).toMatchObject({
        decision: 'deny',
        reason: expect.stringContaining('More than 3 questions'),
      })
    const { readdirSync } = await import('node:fs')
    expect(readdirSync(desk.questions.folder).filter((name) => name.endsWith('.flood'))).toHaveLength(1)
    const other = call('./deploy.sh 7', { session: 's2' })
    await waiting(4)
    await assembly.stopAsking()
    await Promise.all([...asked, other])
  })

  it('refuses an agent that makes up session ids, and tells the person once', async () => {
    const { call, waiting, desk } = room({ approvals: `${TERMINAL}\nper_minute = 1` })
    const sessions = ['../../x', 'a\0b', '\u202e', 's'.repeat(5000), '{"a":1}']
    const asked = sessions.map((session) => call('./deploy.sh', { session }))
    const open = await waiting(5)
    expect(new Set(open.map(({ session_id }) => session_id))).toEqual(new Set(sessions))
    for (const session of ['a/b', 'n1', 'n2'])
      expect(await call('./deploy.sh', { session })).toMatchObject({
        decision: 'deny',
        reason: expect.stringContaining('Stop asking'),
      })
    expect(readdirSync(desk.questions.folder).filter((name) => name.endsWith('.flood'))).toHaveLength(1)
    for (const { id } of open) giveAnswer(desk, id, YES)
    expect((await Promise.all(asked)).map(({ decision }) => decision)).toEqual(Array(5).fill('allow'))
  })

  it('marks a question whose acts were refused in other words', async () => {
    const { call, waiting, desk, assembly } = room({ hook: { matcher: {}, when: 'true' } })
    const first = call('rm -rf build')
    const [refused] = await waiting()
    giveAnswer(desk, refused!.id, NO)
    await first
    const again = call('bash -c "rm -r -f ./build"')
    const [question] = await waiting()
    expect(question!.repeats).toBe(refused!.id)
    giveAnswer(desk, question!.id, NO)
    await again
    const other = call('rm -rf dist')
    expect((await waiting())[0]!.repeats).toBeUndefined()
    await assembly.stopAsking()
    await other
  })

  it('proposes a grant for what was allowed three times', async () => {
    const { call, waiting, desk, assembly } = room()
    for (let n = 0; n < 3; n++) {
      const asked = call('./deploy.sh')
      const [question] = await waiting()
      giveAnswer(desk, question!.id, YES)
      await asked
    }
    const [proposal] = proposals(assembly.journal())
    expect(proposal).toMatchObject({ count: 3, summary: 'Shell: ./deploy.sh' })
    giveAhead(desk, desk.questions.get(proposal!.question)!, { by: 'local', scope: 'project' })
    expect((await call('./deploy.sh', { session: 'another' })).decision).toBe('allow')
  })
})

describe('a grant', () => {
  const answered = async (scope: 'session' | 'project', command = './deploy.sh') => {
    const all = room()
    all.put(`${all.project}/deploy.sh`, 'echo 1')
    const asked = all.call(command)
    const [question] = await all.waiting()
    const result = giveAnswer(all.desk, question!.id, { ...YES, scope, lasts: 60_000 })
    await asked
    /** Asked again, or let through? */
    const isAsked = async (next: string, more = {}) => {
      const call = all.call(next, more)
      const first = await Promise.race([call, all.waiting()])
      if (!Array.isArray(first)) return false
      giveAnswer(all.desk, first[0]!.id, NO)
      await call
      return true
    }
    return { ...all, isAsked, grant: (result as { grant: { id: string } }).grant }
  }

  it('for a session lets the same input through there, and nothing else', async () => {
    const { isAsked } = await answered('session')
    expect(await isAsked('./deploy.sh')).toBe(false)
    expect(await isAsked('./deploy.sh --prod')).toBe(true)
    expect(await isAsked('./deploy.sh', { session: 's2' })).toBe(true)
  })

  it('for a project holds in its other sessions, not in other folders', async () => {
    const { isAsked, project } = await answered('project')
    expect(await isAsked('./deploy.sh', { session: 's2' })).toBe(false)
    const { mkdirSync } = await import('node:fs')
    mkdirSync(`${project}/elsewhere`)
    expect(await isAsked('./deploy.sh', { cwd: `${project}/elsewhere` })).toBe(true)
  })

  it('ends when the script is another one, when it is revoked, and when its time is over', async () => {
    const { isAsked, put, project, desk, grant } = await answered('session')
    put(`${project}/deploy.sh`, 'echo 2')
    expect(await isAsked('./deploy.sh')).toBe(true)
    put(`${project}/deploy.sh`, 'echo 1')
    expect(await isAsked('./deploy.sh')).toBe(false)
    const asked = { digest: desk.questions.list()[0]!.digest, agent: 'codex', session_id: 's1', project }
    const required = { approvers: [], approvals: 1 }
    expect(desk.grants.use(asked, required, Date.now() + 59_000)).toBeDefined()
    expect(desk.grants.use(asked, { ...required, approvers: ['alice'] })).toBeUndefined()
    expect(desk.grants.use(asked, { ...required, approvals: 2 })).toBeUndefined()
    expect(desk.grants.use(asked, required, Date.now() + 61_000)).toBeUndefined()
    expect(desk.grants.revoke(grant.id)).toBe(false)
    expect(await isAsked('./deploy.sh')).toBe(true)
  })

  it('that was revoked, or that somebody else wrote, does not count', async () => {
    const { isAsked, desk, grant, put, state } = await answered('session')
    const { readFileSync } = await import('node:fs')
    const text = readFileSync(`${state}/grants/${grant.id}.grant`, 'utf8')
    expect(desk.grants.revoke(grant.id)).toBe(true)
    expect(await isAsked('./deploy.sh')).toBe(true)
    // Good bytes under another name, and altered ones under the old name.
    put(`${state}/grants/00000000.grant`, text)
    put(`${state}/grants/${grant.id}.grant`, text.replace('"session"', '"project"'))
    expect(desk.grants.list()).toEqual([])
  })

  it('is not needed for a script that changed while the person thought: that is refused', async () => {
    const { call, put, project, waiting, desk } = room()
    put(`${project}/deploy.sh`, 'echo 1')
    const asked = call('./deploy.sh')
    const [question] = await waiting()
    put(`${project}/deploy.sh`, 'rm -rf /')
    giveAnswer(desk, question!.id, YES)
    expect(await asked).toMatchObject({ decision: 'deny', reason: expect.stringContaining('has changed') })
  })
})

describe('permission_request', () => {
  const allows = async (decision: 'allow' | 'deny') => {
    const hook = {
      trigger: 'permission_request',
      matcher: {},
      outcome: { decision: 'ask', reason: 'a person must know' },
    }
    const { waiting, desk, assembly, project, env } = room({ hook })
    const asked = assembly.answer({
      agent: 'claude-code',
      event: 'PermissionRequest',
      cwd: project,
      env,
      read: () =>
        JSON.stringify({
          session_id: 's1',
          cwd: project,
          hook_event_name: 'PermissionRequest',
          tool_name: 'Bash',
          tool_input: { command: 'deploy' },
        }),
    })
    const [question] = await waiting()
    giveAnswer(desk, question!.id, { ...(decision === 'allow' ? YES : NO), words: 'said so' })
    return JSON.parse((await asked).stdout).hookSpecificOutput.decision
  }

  it("answers the agent's own dialog with the person's answer", async () => {
    expect(await allows('allow')).toMatchObject({ behavior: 'allow' })
    expect(await allows('deny')).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('said so'),
    })
  })
})
