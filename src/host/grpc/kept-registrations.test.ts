import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CrosshookClient } from '../../sdk/client/client.ts'
import { NO_LOG } from '../log.ts'
import { type Place, place, type Running, runningDaemon } from '../testing.ts'

const EVENT = { event_type: 'before_tool', tool_name: 'Shell', tool_input: { command: 'ls' } }

/** A program with one hook, which never takes it away: as one that is killed. */
async function register({ daemon, token }: Running, failBehavior: 'block' | 'continue'): Promise<string> {
  const client = new CrosshookClient({ address: daemon.status.grpc, token, onTrouble: () => {} })
  onTestFinished(() => client.close())
  const handler = () => ({ action: 'continue' as const })
  return client.registerHook('PreToolUse', { handler, config: { failBehavior } })
}

const file = ({ env }: Place) => join(env.XDG_STATE_HOME!, 'crosshook/registrations.json')

test('a hook that must hold blocks after a restart of the daemon, until somebody takes it away', async () => {
  const at = place()
  const first = await runningDaemon({ at })
  const id = await register(first, 'block')
  const other = await register(first, 'continue')
  expect(await first.fire(EVENT)).toMatchObject({ decision: 'allow' })
  await first.daemon.stop()
  const second = await runningDaemon({ at })
  expect(await second.fire(EVENT)).toMatchObject({
    decision: 'deny',
    reason: expect.stringContaining(`crosshook daemon forget ${id}`),
    hooks: [{ name: id, status: 'failed' }],
  })
  expect((await second.ask('GET', '/v1/registered-hooks')).body).toMatchObject({ hooks: [{ id }] })
  expect((await second.ask('DELETE', `/v1/registered-hooks/${other}`)).status).toBe(404)
  expect((await second.ask('DELETE', `/v1/registered-hooks/${id}`)).status).toBe(200)
  expect(await second.fire(EVENT)).toMatchObject({ decision: 'allow', hooks: [] })
  await second.daemon.stop()
  const third = await runningDaemon({ at })
  expect(await third.fire(EVENT)).toMatchObject({ decision: 'allow', hooks: [] })
})

test('kept registrations that are spoiled are put aside and told of, not written over', async () => {
  const at = place()
  const first = await runningDaemon({ at })
  await register(first, 'block')
  await first.daemon.stop()
  const text = readFileSync(file(at), 'utf8').slice(0, -20)
  writeFileSync(file(at), text)
  const lines: string[] = []
  const second = await runningDaemon({ at, log: { ...NO_LOG, error: (line) => lines.push(line) } })
  expect(lines).toEqual([expect.stringContaining('was renamed to')])
  expect((await second.ask('GET', '/v1/status')).body.health).toMatchObject({
    warnings: [{ severity: 'error', code: 'registrations' }],
  })
  const folder = join(at.env.XDG_STATE_HOME!, 'crosshook')
  const aside = readdirSync(folder).filter((name) => name.startsWith('registrations.json.spoiled-'))
  expect(aside.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([text])
})
