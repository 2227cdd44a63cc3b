import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Place, place, runningDaemon, userHook } from '../testing.ts'

const EVENT = { event_type: 'before_tool', tool_name: 'Shell', tool_input: { command: 'ls' } }

function command(name: string, line: string, more = {}) {
  return { name, executor: { type: 'command', command: line }, ...more }
}

const GUARD = { hooks: { pre_tool_use: [command('guard', 'echo no >&2; exit 2')] } }
const OTHER = { hooks: { pre_tool_use: [command('other', 'echo other >&2; exit 2')] } }

const file = ({ env }: Place) => join(env.XDG_STATE_HOME!, 'crosshook', 'hooks.json')

test('settings that are set run for every event, outlive the daemon and are replaced as a whole', async () => {
  const at = place()
  const { ask, fire, daemon } = await runningDaemon({ at })
  expect((await ask('GET', '/v1/runtime/hooks')).body).toEqual({ hooks: {} })
  const set = await ask('POST', '/v1/runtime/hooks', GUARD)
  expect(set.status).toBe(200)
  expect(set.body).toMatchObject({ config: { revision: 1, persisted: true } })
  expect(await fire(EVENT)).toMatchObject({ decision: 'deny', hooks: [{ name: 'guard', scope: 'user' }] })
  expect(JSON.parse(readFileSync(file(at), 'utf8'))).toMatchObject({ schema_version: 1, ...GUARD })
  await ask('POST', '/v1/runtime/hooks', { settings: OTHER, expected_revision: 1 })
  expect(await fire(EVENT)).toMatchObject({ hooks: [{ name: 'other' }] })
  await daemon.stop()
  const again = await runningDaemon({ at })
  expect((await again.ask('GET', '/v1/runtime/hooks')).body).toMatchObject(OTHER)
  expect(await again.fire(EVENT)).toMatchObject({ decision: 'deny', hooks: [{ name: 'other' }] })
})

test('invalid settings are refused and change nothing', async () => {
  const at = place()
  const { ask } = await runningDaemon({ at })
  const cases = [
    { hooks: { pre_tool_use: [command('', 'ls')] } },
    { hooks: { pre_tool_use: [command('a', 'ls', { failure_policy: { mode: 'open', max_retries: 9 } })] } },
    { hooks: { no_such_event: [] } },
    { schema_version: 2, hooks: {} },
    { hooks: { pre_tool_use: [{ name: 'a', executor: { type: 'http', url: 'http://127.0.0.1:80/' } }] } },
    {
      settings: {
        hooks: { pre_tool_use: [command('a', 'ls', { executor: { type: 'command', command: '' } })] },
      },
    },
    { settings: 'text' },
    { expected_revision: 3 },
    { skip_hooks: true },
    {},
  ]
  for (const body of cases)
    expect((await ask('POST', '/v1/runtime/hooks', body)).body, JSON.stringify(body)).toMatchObject({
      status: 400,
      domain: 'runtime',
      code: 'invalid_hook_settings',
    })
  expect(existsSync(file(at))).toBe(false)
  expect((await ask('GET', '/v1/runtime')).body).toMatchObject({ config: { revision: 0, persisted: false } })
})

test('a change that expects another revision is refused', async () => {
  const { ask } = await runningDaemon()
  await ask('POST', '/v1/runtime/hooks', GUARD)
  const conflict = await ask('POST', '/v1/runtime/hooks', { settings: OTHER, expected_revision: 0 })
  expect(conflict.body).toMatchObject({ status: 409, domain: 'runtime', code: 'runtime_revision_conflict' })
  expect((await ask('GET', '/v1/runtime/hooks')).body).toEqual({ hooks: expect.objectContaining({}) })
  expect((await ask('GET', '/v1/runtime')).body).toMatchObject({ config: { revision: 1 } })
})

test('two changes at once cannot both follow the same revision', async () => {
  const { ask } = await runningDaemon()
  const both = await Promise.all([
    ask('POST', '/v1/runtime/hooks', { settings: GUARD, expected_revision: 0 }),
    ask('POST', '/v1/runtime/hooks', { settings: OTHER, expected_revision: 0 }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('a config_change hook may forbid a change, unless hooks are skipped', async () => {
  const at = place()
  const { ask } = await runningDaemon({ at })
  const forbid = { hooks: { config_change: [command('frozen', 'echo "settings are frozen" >&2; exit 2')] } }
  await ask('POST', '/v1/runtime/hooks', forbid)
  const blocked = await ask('POST', '/v1/runtime/hooks', GUARD)
  expect(blocked.body).toMatchObject({
    status: 409,
    code: 'runtime_change_blocked',
    detail: expect.stringMatching(/^config change blocked by hook: hooks: .*settings are frozen/),
  })
  expect((await ask('GET', '/v1/runtime')).body).toMatchObject({ config: { revision: 1 } })
  const forced = await ask('POST', '/v1/runtime/hooks', { settings: GUARD, skip_hooks: true })
  expect(forced.status).toBe(200)
  const { revisions } = (await ask('GET', '/v1/runtime/revisions')).body
  expect(revisions).toMatchObject([
    { revision: 2, source: 'runtime_api_force' },
    { revision: 1, source: 'runtime_api' },
  ])
})

test('a rollback brings an earlier revision back as a new one', async () => {
  const { ask, fire } = await runningDaemon()
  await ask('POST', '/v1/runtime/hooks', GUARD)
  await ask('POST', '/v1/runtime/hooks', OTHER)
  await ask('POST', '/v1/runtime/hooks', { hooks: {} })
  expect(await fire(EVENT)).toMatchObject({ decision: 'allow' })
  const back = await ask('POST', '/v1/runtime/rollback', {})
  expect(back.body).toMatchObject({ config: { revision: 4 } })
  expect(await fire(EVENT)).toMatchObject({ hooks: [{ name: 'other' }] })
  await ask('POST', '/v1/runtime/rollback', { target_revision: 1, expected_revision: 4 })
  expect(await fire(EVENT)).toMatchObject({ hooks: [{ name: 'guard' }] })
  expect((await ask('GET', '/v1/runtime/revisions')).body).toMatchObject({
    current_revision: 5,
    revisions: [{ setting: 'rollback', rollback_of_revision: 1 }, { rollback_of_revision: 2 }, {}, {}, {}],
  })
  expect((await ask('POST', '/v1/runtime/rollback', { target_revision: 77 })).body).toMatchObject({
    status: 404,
    code: 'runtime_revision_not_found',
  })
})

test('settings that may contain secrets are shown only with the admin scope', async () => {
  const { ask } = await runningDaemon()
  await ask('POST', '/v1/runtime/hooks', {
    hooks: { pre_tool_use: [command('guard', 'curl -H "token: sk-very-secret-indeed" x')] },
  })
  const shown = JSON.stringify((await ask('GET', '/v1/runtime')).body)
  expect(shown).toContain('[redacted hook command]')
  expect(shown).not.toContain('sk-very-secret')
  expect(JSON.stringify((await ask('GET', '/v1/runtime/revisions')).body)).not.toContain('sk-very-secret')
  expect(JSON.stringify((await ask('GET', '/v1/runtime/hooks')).body)).toContain('sk-very-secret')
})

test('failures wait in the list until a person resolves them', async () => {
  const at = place()
  userHook(at, 'broken', 'echo "no such thing" >&2; exit 1')
  const { ask, fire } = await runningDaemon({ at })
  await fire(EVENT)
  const list = (await ask('GET', '/v1/runtime/hooks/dead-letter')).body as unknown as { id: string }[]
  expect(list).toMatchObject([{ hook_name: 'broken', target: 'command:broken', failure_mode: 'open' }])
  const path = `/v1/runtime/hooks/dead-letter/${list[0]!.id}/resolve`
  expect((await ask('POST', path, { reason: 'investigated' })).body).toMatchObject({
    id: list[0]!.id,
    resolution_reason: 'investigated',
  })
  expect((await ask('GET', '/v1/status')).body).toMatchObject({
    hooks: { dead_lettered_count: 1, unresolved_dead_lettered_count: 0 },
    health: { warnings: [] },
  })
  const unknown = await ask('POST', '/v1/runtime/hooks/dead-letter/nothing/resolve', {})
  expect(unknown.status).toBe(404)
})

test('a file of settings that is spoiled is put aside and told of; no revision is lost', async () => {
  const at = place()
  const { ask, fire } = await runningDaemon({ at })
  await ask('POST', '/v1/runtime/hooks', GUARD)
  await ask('POST', '/v1/runtime/hooks', OTHER)
  const spoiled = readFileSync(file(at), 'utf8').slice(0, -30)
  writeFileSync(file(at), spoiled)
  const { body } = await ask('GET', '/v1/status')
  expect(body.health).toMatchObject({ warnings: [{ severity: 'error', code: 'hook_settings_spoiled' }] })
  expect((await ask('GET', '/v1/runtime/revisions')).body).toMatchObject({
    current_revision: 2,
    revisions: [{ revision: 2 }, { revision: 1 }],
  })
  expect((await ask('POST', '/v1/runtime/rollback', {})).body).toMatchObject({ config: { revision: 3 } })
  expect(await fire(EVENT)).toMatchObject({ decision: 'deny', hooks: [{ name: 'other' }] })
  expect((await ask('GET', '/v1/runtime/revisions')).body).toMatchObject({
    revisions: [{ revision: 3, rollback_of_revision: 2 }, { revision: 2 }, { revision: 1 }],
  })
  const folder = join(file(at), '..')
  const aside = readdirSync(folder).filter((name) => name.startsWith('hooks.json.spoiled-'))
  expect(aside.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([spoiled])
  writeFileSync(file(at), '[]')
  expect((await ask('POST', '/v1/runtime/hooks', GUARD)).body).toMatchObject({ config: { revision: 4 } })
})
