import { describe, expect, it } from 'vitest'
import { giveAnswer } from './answer.ts'
import { room } from './testing.ts'

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
    expect(Date.now() - began).toBeLessThan(5000)
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

describe('the journal', () => {
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
