import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paths } from '../../config/paths.ts'
import { deadLetters } from '../../journal/dead-letters.ts'
import { LINK_PROOF_HEADER, linkProof } from '../people.ts'
import { type Place, place, type Running, runningDaemon, userHook } from '../testing.ts'
import { keepReport } from '../views/checkups.ts'

/** A project with one hook, in which an event has happened. */
async function withProject(at: Place): Promise<{ run: Running; project: string; hook: string }> {
  const project = join(at.root, 'project')
  const hook = join(project, '.agents', 'hooks', 'own')
  mkdirSync(join(project, '.git'), { recursive: true })
  mkdirSync(join(hook, 'scripts'), { recursive: true })
  writeFileSync(
    join(hook, 'HOOK.md'),
    '---\nname: own\ndescription: A hook of the project\ntrigger: before_tool\n---\n',
  )
  writeFileSync(join(hook, 'scripts/run.sh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const run = await runningDaemon({ at })
  await run.fire({
    event_type: 'before_tool',
    tool_name: 'Shell',
    tool_input: { command: 'ls' },
    work_dir: project,
  })
  return { run, project, hook }
}

/** As a person who has used a link. */
async function asPerson({ ask, daemon, env }: Running) {
  const { body } = await ask('POST', '/v1/page/links', undefined, {
    [LINK_PROOF_HEADER]: linkProof(paths(env).state),
  })
  const { http } = daemon.status
  const entered = await fetch(`${http}${body.path}`, { redirect: 'manual' })
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
  const send = async (
    method: string,
    path: string,
    given?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${http}${path}`, {
      method,
      headers: { cookie, ...headers },
      ...(given === undefined ? {} : { body: JSON.stringify(given) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const { csrf } = (await send('GET', '/v1/page/session')).body
  return (method: string, path: string, given?: unknown) =>
    send(method, path, given, { 'x-crosshook-csrf': String(csrf) })
}

interface Items {
  items: { kind: string; level: string; title: string; detail: string; link: string | null }[]
}

test('items that need a person are listed, the most urgent first', async () => {
  const at = place()
  const { run } = await withProject(at)
  const { state } = paths(at.env)
  deadLetters(state).add({
    hook_name: 'guard',
    event: 'before_tool',
    target: 'command:guard',
    attempt_count: 1,
    failure_mode: 'closed',
    invocation_digest: 'a',
    definition_digest: 'b',
    error: 'exit 7',
  })
  userHook(at, 'bad', 'exit 0', 'timeout: nonsense\n')
  keepReport(state, {
    ok: false,
    problems: [
      { level: 'warning', message: '/x was added from y and is gone', fix: 'Add it again', kind: 'drift' },
      { level: 'error', message: 'An Agent called tools and asked no hook', fix: '', agent: 'an-agent' },
      { level: 'warning', message: 'project hook "own" does not run', fix: '', also: 'hooks' },
    ],
    agents: [
      {
        id: 'an-agent',
        title: 'An Agent',
        wired: true,
        events: [
          { event: 'Pre', canonical: 'before_tool', state: 'missing', detail: 'there is no entry for it' },
        ],
        problems: [],
        last_called: null,
      },
    ],
  })
  const { items } = (await run.ask('GET', '/v1/attention')).body as unknown as Items
  expect(items.map(({ kind, level }) => `${level} ${kind}`)).toEqual([
    ...Array(3).fill(expect.stringMatching(/^error (failure|wiring)$/)),
    'error broken',
    'warning drift',
    'warning trust',
  ])
  expect(items.find(({ kind }) => kind === 'failure')).toMatchObject({
    title: 'guard failed: what it could not judge was refused',
    detail: 'exit 7',
  })
  expect(items.filter(({ kind }) => kind === 'wiring').map(({ title }) => title)).toEqual([
    'An Agent does not obey on Pre',
    'An Agent called tools and asked no hook',
  ])
  const { agents } = (await run.ask('GET', '/v1/agents')).body as {
    agents: { problems: { message: string }[] }[]
  }
  expect(agents[0]!.problems.map(({ message }) => message)).toEqual([
    'An Agent called tools and asked no hook',
  ])
  expect(items.find(({ kind }) => kind === 'trust')?.link).toMatch(/^\/hooks\/[0-9a-f]{16}$/)
})

test('a check that fails is listed as an item, and hides no other', async () => {
  const at = place()
  const { run } = await withProject(at)
  mkdirSync(join(paths(at.env).state, 'doctor.json'))
  const { items } = (await run.ask('GET', '/v1/attention')).body as unknown as Items
  expect(items.map(({ kind }) => kind)).toEqual(['storage', 'trust'])
})

test('only a person lets a hook run, exactly as it was shown, and switches hooks off and on', async () => {
  const at = place()
  const { run, project, hook } = await withProject(at)
  const { hooks } = (await run.ask('GET', '/v1/hooks')).body as {
    hooks: { id: string; name: string; trust: string; work_dir: string }[]
  }
  const { id, trust, work_dir } = hooks.find(({ name }) => name === 'own')!
  expect([trust, work_dir]).toEqual(['untrusted', project])
  const shown = (await run.ask('GET', `/v1/hooks/${id}/trust`)).body
  expect(shown).toMatchObject({ state: 'untrusted', hooks: [{ name: 'own', runs: 'its scripts/run' }] })
  expect((shown.files as { path: string; text: string }[]).map(({ path }) => path)).toEqual([
    'HOOK.md',
    'scripts/run.sh',
  ])

  for (const path of ['trust', 'untrust', 'switch'])
    expect(
      (await run.ask('POST', `/v1/hooks/${id}/${path}`, { seen: shown.seen, to: 'off' })).body,
    ).toMatchObject({
      status: 403,
      code: 'for_people',
    })

  const person = await asPerson(run)
  writeFileSync(join(hook, 'scripts/run.sh'), '#!/bin/sh\necho no >&2; exit 2\n')
  expect((await person('POST', `/v1/hooks/${id}/trust`, { seen: shown.seen })).body).toMatchObject({
    code: 'not_trusted',
  })
  const fire = () => run.fire({ event_type: 'before_tool', tool_name: 'Shell', work_dir: project })
  expect((await fire()).decision).toBe('allow')

  const { seen } = (await run.ask('GET', `/v1/hooks/${id}/trust`)).body
  expect((await person('POST', `/v1/hooks/${id}/trust`, { seen })).body).toEqual({ trusted: true })
  expect((await fire()).decision).toBe('deny')

  expect((await person('POST', `/v1/hooks/${id}/switch`, { to: 'off' })).body).toMatchObject({
    changed: true,
  })
  expect(readFileSync(paths(at.env).settings, 'utf8')).toBe('disabled = ["own"]\n')
  expect((await fire()).decision).toBe('allow')
  await person('POST', `/v1/hooks/${id}/switch`, { to: 'on' })
  expect((await fire()).decision).toBe('deny')

  writeFileSync(join(hook, 'scripts/run.sh'), '#!/bin/sh\nexit 0\n')
  const changed = (await run.ask('GET', `/v1/hooks/${id}/trust`)).body as {
    state: string
    files: { path: string; change: string; diff: string[] }[]
  }
  expect(changed.state).toBe('changed')
  expect(changed.files.find(({ path }) => path === 'scripts/run.sh')).toMatchObject({
    change: 'changed',
    diff: expect.arrayContaining(['-echo no >&2; exit 2', '+exit 0']),
  })
  expect((await person('POST', `/v1/hooks/${id}/untrust`)).body).toEqual({ untrusted: true })
})

test('one event shows its acts, what hooks and the agent were given, and how to fire it again', async () => {
  const at = place()
  userHook(at, 'guard', 'echo "not here" >&2; exit 2', 'matcher:\n  tool: Shell\n')
  const run = await runningDaemon({ at })
  await run.ask('POST', '/v1/agents/claude-code/PreToolUse', {
    session_id: 's1',
    hook_event_name: 'PreToolUse',
    cwd: at.root,
    tool_name: 'Bash',
    tool_input: { command: "rm -rf 'it'" },
  })
  const { records } = (await run.ask('GET', '/v1/journal/search?agent=claude-code&text=RM%20-RF')).body as {
    records: { seq: number }[]
  }
  expect(records).toHaveLength(1)
  const { body } = await run.ask('GET', `/v1/journal/${records[0]!.seq}`)
  expect(body).toMatchObject({
    record: {
      decision: 'deny',
      hooks: [{ name: 'guard', status: 'blocked', reason: 'not here' }],
      reply: { exit_code: expect.any(Number) },
    },
    lacks: [],
    acts: expect.arrayContaining([expect.objectContaining({ does: 'delete' })]),
    sent: [{ hook: 'guard', text: expect.stringContaining('"event_type": "before_tool"') }],
    fire: `crosshook fire before_tool --tool Shell --input '{"command":"rm -rf '\\''it'\\''"}' --session s1 --work-dir ${at.root}`,
  })
  const { reply } = body.record as { reply: { stdout: string; stderr: string } }
  expect(reply.stdout + reply.stderr).toContain('not here')
  expect(body.case).toContain('tool_input: {"command":"rm -rf \'it\'"}')
  expect((await run.ask('GET', '/v1/journal/999')).status).toBe(404)
})
