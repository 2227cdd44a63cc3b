/** The example agent obeys every effect of an outcome. */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHooks } from 'crosshook'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Line } from './scripted-model.ts'
import { makeAgent, makePlace } from './testing.ts'

let place: ReturnType<typeof makePlace>
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

const shell = (command: string): Line => ({ calls: [{ tool: 'Shell', input: { command } }] })
const done: Line = { text: 'Done.' }
const toolMessages = (agent: ReturnType<typeof makeAgent>) =>
  agent.contents().filter((content) => content.startsWith('tool: '))

describe('a session', () => {
  it('fires its life cycle in order', async () => {
    const it = makeAgent(place.workDir, createHooks(), [shell('echo hi'), done])
    expect(await it.agent.start()).toEqual({ started: true })
    expect(await it.agent.prompt('say hi')).toEqual({ ended: 'done', text: 'Done.' })
    await it.agent.end()
    expect(it.events()).toEqual([
      ...['session_start', 'before_agent', 'before_model', 'after_model', 'before_tool'],
      ...['permission_request', 'notification', 'permission_granted', 'after_tool'],
      ...['before_model', 'after_model', 'before_stop', 'after_agent', 'session_end'],
    ])
    expect(it.contents()).toEqual(['user: say hi', 'assistant: ', 'tool: hi', 'assistant: Done.'])
  })

  it('is refused by a deny at its start', async () => {
    const hooks = createHooks()
    hooks.on('session_start', () => ({ decision: 'deny', reason: 'not on Sundays' }))
    const { agent } = makeAgent(place.workDir, hooks, [])
    expect(await agent.start()).toEqual({ started: false, reason: 'not on Sundays' })
  })

  it('begins with the message and the context that a hook brings', async () => {
    const hooks = createHooks()
    hooks.on('session_start', () => ({
      initial_user_message: 'look around',
      additional_context: ['branch main'],
    }))
    const it = makeAgent(place.workDir, hooks, [done])
    expect(await it.agent.start()).toEqual({ started: true, first: { ended: 'done', text: 'Done.' } })
    expect(it.contents()).toEqual(['system: branch main', 'user: look around', 'assistant: Done.'])
  })

  it('watches the files that a hook names and tells the model what a hook says of a change', async () => {
    const hooks = createHooks()
    hooks.on('session_start', () => ({ watch_paths: ['config.json'] }))
    hooks.on('file_changed', ({ kind }) => ({ additional_context: [`config.json was ${kind}`] }))
    const it = makeAgent(place.workDir, hooks, [shell('echo {} > config.json'), done])
    await it.agent.start()
    await it.agent.prompt('go')
    expect(it.contents()).toContain('system: config.json was created')
  })
})

describe('a prompt', () => {
  it('can be rewritten, given context, asked about and refused', async () => {
    const hooks = createHooks()
    hooks.on('before_agent', ({ prompt }) => {
      if (prompt === 'no') return { decision: 'deny', reason: 'not that' }
      if (prompt === 'maybe') return { decision: 'ask', reason: 'sure?' }
      return { updated_input: { prompt: 'better' }, additional_context: ['know this'] }
    })
    const it = makeAgent(place.workDir, hooks, [done], { ask: () => false })
    expect(await it.agent.prompt('no')).toEqual({ ended: 'refused', text: '', reason: 'not that' })
    expect(await it.agent.prompt('maybe')).toEqual({ ended: 'refused', text: '', reason: 'sure?' })
    await it.agent.prompt('yes')
    expect(it.contents()).toEqual(['user: better', 'system: know this', 'assistant: Done.'])
  })
})

describe('a question to the model', () => {
  it('can be stopped, narrowed, tried again, changed and rejected', async () => {
    const hooks = createHooks()
    let asked = 0
    hooks.on('before_model', () =>
      asked++ === 0 ? { retry: 1 } : { updated_input: { tools: ['ReadFile'], system_prompt: 'be brief' } },
    )
    const seen: unknown[] = []
    const answers = ['bad', 'again', 'fine']
    hooks.on('after_model', ({ response }) => {
      if (response === 'bad') return { decision: 'deny', reason: 'rude' }
      if (response === 'again') return { retry: 1 }
      return { updated_output: 'changed' }
    })
    const it = makeAgent(
      place.workDir,
      hooks,
      answers.map((text) => (request) => {
        seen.push([request.tools, request.messages[0]?.content])
        return { text }
      }),
    )
    expect(await it.agent.prompt('go')).toEqual({ ended: 'done', text: 'changed' })
    expect(seen).toEqual(answers.map(() => [['ReadFile'], 'be brief']))
    expect(it.contents()).toContain('user: [Hook rejected the answer: rude]')
    expect(it.events().slice(0, 3)).toEqual(['before_agent', 'before_model', 'before_model'])

    hooks.on('before_model', () => ({ stop: 'budget spent' }), { priority: 900 })
    expect(await it.agent.prompt('more')).toEqual({ ended: 'stopped', text: '', reason: 'budget spent' })
  })

  it('that fails ends the turn and is told to hooks', async () => {
    const it = makeAgent(place.workDir, createHooks(), [
      () => {
        throw new Error('overloaded')
      },
    ])
    expect(await it.agent.prompt('go')).toEqual({ ended: 'failed', text: '', reason: 'overloaded' })
    expect(it.events()).toContain('stop_failure')
  })
})

describe('a tool call', () => {
  it('that is denied does not run, and the model reads why', async () => {
    const hooks = createHooks()
    hooks.on('before_tool', () => ({ decision: 'deny', reason: 'no touching' }))
    const it = makeAgent(place.workDir, hooks, [shell('touch made'), done])
    await it.agent.prompt('go')
    expect(existsSync(join(place.workDir, 'made'))).toBe(false)
    expect(it.agent.session.messages[2]).toEqual({
      role: 'tool',
      tool_use_id: 'call_1',
      content: 'Blocked by a hook: no touching',
      is_error: true,
    })
    expect(it.events()).not.toContain('after_tool')
  })

  it('runs with the rewritten input, and the model reads the rewritten output and the context', async () => {
    const hooks = createHooks()
    hooks.on('before_tool', () => ({
      updated_input: { command: 'echo two' },
      additional_context: ['before'],
    }))
    hooks.on('after_tool', ({ tool_output: output }) => ({
      updated_output: `${output}, changed`,
      additional_context: ['after'],
    }))
    const it = makeAgent(place.workDir, hooks, [shell('echo one'), done])
    await it.agent.prompt('go')
    expect(it.contents().slice(2, 5)).toEqual(['tool: two, changed', 'system: before', 'system: after'])
  })

  it('that a hook asks about is put to the person, whatever the rules say', async () => {
    const hooks = createHooks()
    hooks.on('before_tool', () => ({ decision: 'ask', reason: 'really?' }))
    const questions: string[] = []
    const it = makeAgent(place.workDir, hooks, [shell('touch made')], {
      rules: [{ pattern: 'Shell', behavior: 'allow' }],
      ask(question) {
        questions.push(question)
        return false
      },
    })
    expect(await it.agent.prompt('go')).toMatchObject({ ended: 'tool_rejected' })
    expect(questions).toEqual(['really?'])
    expect(existsSync(join(place.workDir, 'made'))).toBe(false)
    expect(it.events()).toContain('permission_denied')
  })

  it('is tried again when a hook says so, at most three times', async () => {
    const hooks = createHooks()
    hooks.on('after_tool_failure', () => ({ retry: 1 }))
    const it = makeAgent(place.workDir, hooks, [shell('echo x >> tries; exit 1'), done])
    await it.agent.prompt('go')
    expect(readFileSync(join(place.workDir, 'tries'), 'utf8')).toBe('x\n'.repeat(4))
    expect(it.events().filter((event) => event === 'after_tool_failure')).toHaveLength(4)
  })

  it('waits when a hook says that it is not yet time, and does not run if that never changes', async () => {
    const hooks = createHooks()
    let waits = 2
    const off = hooks.on('before_tool', () => (waits-- > 0 ? { retry: 1 } : undefined))
    const it = makeAgent(place.workDir, hooks, [shell('echo now'), done, shell('touch made'), done])
    await it.agent.prompt('go')
    expect(toolMessages(it)).toEqual(['tool: now'])
    off()
    hooks.on('before_tool', () => ({ retry: 1, reason: 'the queue is full' }))
    await it.agent.prompt('go')
    expect(toolMessages(it)[1]).toBe('tool: Blocked by a hook: the queue is full (it is not yet time)')
    expect(existsSync(join(place.workDir, 'made'))).toBe(false)
  })

  it('can end the turn', async () => {
    const hooks = createHooks()
    hooks.on('after_tool', () => ({ stop: 'enough' }))
    const it = makeAgent(place.workDir, hooks, [shell('echo 1'), shell('echo 2')])
    expect(await it.agent.prompt('go')).toEqual({ ended: 'stopped', text: '', reason: 'enough' })
  })

  it('uses real tools', async () => {
    const call = (tool: string, input: Record<string, unknown>): Line => ({ calls: [{ tool, input }] })
    const it = makeAgent(place.workDir, createHooks(), [
      call('WriteFile', { path: 'a/b.txt', content: 'one' }),
      call('EditFile', { path: 'a/b.txt', old_string: 'one', new_string: 'two' }),
      call('ReadFile', { path: 'a/b.txt' }),
      call('ReadFile', { path: '../outside' }),
      call('Shell', { command: 'exit 3' }),
      call('Nothing', {}),
      done,
    ])
    await it.agent.prompt('go')
    expect(toolMessages(it)).toEqual([
      'tool: Wrote a/b.txt.',
      'tool: Edited a/b.txt.',
      'tool: two',
      'tool: ../outside is outside the working folder.',
      expect.stringContaining('exit 3'),
      'tool: There is no tool Nothing.',
    ])
  })
})

describe('a permission', () => {
  it('can be denied by a hook, and changed input counts', async () => {
    const hooks = createHooks()
    const off = hooks.on('permission_request', () => ({ decision: 'deny', reason: 'the person is asleep' }))
    const it = makeAgent(place.workDir, hooks, [shell('echo 1'), shell('echo 1'), done])
    expect(await it.agent.prompt('go')).toMatchObject({
      ended: 'tool_rejected',
      reason: 'the person is asleep',
    })
    off()
    hooks.on('permission_request', () => ({ updated_input: { command: 'echo 2' } }))
    await it.agent.prompt('go')
    expect(toolMessages(it)[1]).toBe('tool: 2')
  })

  it('rules that a hook adds spare the person the next questions', async () => {
    const hooks = createHooks()
    hooks.on('permission_request', () => ({
      updated_permissions: [{ scope: 'session', tool_name_pattern: 'Sh*', behavior: 'allow' }],
    }))
    let questions = 0
    const it = makeAgent(place.workDir, hooks, [shell('echo 1'), shell('echo 2'), done], {
      ask: () => ++questions > 0,
    })
    await it.agent.prompt('go')
    expect(questions).toBe(0)
    expect(it.events().filter((event) => event === 'permission_request')).toHaveLength(1)
  })

  it('is asked for again when a hook says so after a no', async () => {
    const hooks = createHooks()
    hooks.on('permission_denied', () => ({ retry: 1 }))
    let asked = 0
    const it = makeAgent(place.workDir, hooks, [shell('echo 1'), done], { ask: () => ++asked === 2 })
    await it.agent.prompt('go')
    expect(toolMessages(it)).toEqual(['tool: 1'])
  })
})

describe('a subagent', () => {
  const delegate: Line = {
    calls: [{ tool: 'Subagent', input: { prompt: 'count', subagent_type: 'counter' } }],
  }

  it('works under the same hooks, can be sent back and its result changed', async () => {
    const hooks = createHooks()
    hooks.on('subagent_start', () => ({ additional_context: ['count from one'] }))
    hooks.on('subagent_stop', ({ result }) =>
      result === 'three' ? { updated_output: '3' } : { decision: 'deny', reason: 'count on' },
    )
    let told: string[] = []
    const { scriptedModel } = await import('./scripted-model.ts')
    const it = makeAgent(place.workDir, hooks, [delegate, done], {
      subagentModel: () =>
        scriptedModel([
          { text: 'two' },
          ({ messages }) => {
            told = messages.map(({ content }) => content)
            return { text: 'three' }
          },
        ]),
    })
    await it.agent.prompt('go')
    expect(told).toEqual(['count from one', 'count', 'two', '[Hook blocked stop: count on]'])
    expect(toolMessages(it)).toEqual(['tool: 3'])
  })
})

describe('a long conversation', () => {
  it('is shortened when it is too long, with what hooks want to be kept', async () => {
    const hooks = createHooks()
    hooks.on('pre_compact', () => ({ additional_context: ['keep this'] }))
    hooks.on('context_warning', ({ usage_percent: percent }) => ({ additional_context: [`${percent} %`] }))
    const long = (length: number) => shell(`printf '%${length}s' x`)
    const it = makeAgent(place.workDir, hooks, [long(170), long(100), long(100), done], {
      limits: { tokens: 50 },
    })
    await it.agent.prompt('go')
    expect(it.events()).toEqual(expect.arrayContaining(['context_warning', 'pre_compact', 'post_compact']))
    expect(it.contents()).toContain('system: keep this')
    expect(it.contents()[0]).toMatch(/^system: Summary/)
  })
})

it('messages of hooks to the person are shown', async () => {
  const hooks = createHooks()
  hooks.on('after_model', () => ({ user_message: 'half of the budget is spent' }))
  writeFileSync(join(place.workDir, 'x'), '')
  const it = makeAgent(place.workDir, hooks, [done])
  await it.agent.prompt('go')
  expect(it.happenings).toContainEqual({ kind: 'told', text: 'half of the budget is spent' })
})

it('the program of the README runs', () => {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
  const program = read('main.ts')
  expect(read('README.md')).toContain(program.slice(program.indexOf('import ')))
  const env = { ...process.env, HOME: place.workDir, XDG_STATE_HOME: place.workDir, CROSSHOOK_NO_DAEMON: '1' }
  const file = fileURLToPath(new URL('main.ts', import.meta.url))
  const printed = execFileSync(process.execPath, [file], { cwd: place.workDir, env, encoding: 'utf8' })
  expect(printed).toContain("{ ended: 'done', text: 'Done.' }")
})
