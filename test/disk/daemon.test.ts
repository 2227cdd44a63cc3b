import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../src/config/is-alive.ts'
import { OURS, otherClient } from '../../src/host/grpc/testing.ts'
import {
  DECISIONS,
  FAULTS,
  type FaultyDisk,
  faultyDisk,
  REASON,
  ROUNDS,
  refused,
  writeHooks,
} from './faulty-disk.ts'

type Body = Record<string, unknown>

interface Health {
  hooks: { dead_letter_persist_failure_count: number }
  health: { warnings: { code: string }[] }
}

async function daemon(disk: FaultyDisk) {
  const { stdout, stderr } = await disk.crosshook(['daemon', 'start', '--json'])
  if (stdout === '') throw new Error(stderr)
  const status = JSON.parse(stdout)
  onTestFinished(() => end(status.pid))
  const token = (await disk.run('cat', [status.token_file])).stdout.trim()
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`${status.http}${path}`, sent)
    const text = await response.text()
    return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Body }
  }
  const client = otherClient(status.grpc, token, 'disk-test', OURS)
  const byHttp = async (tool: string) =>
    (await ask('POST', '/v1/events', { event_type: 'before_tool', tool_name: tool })).body
  const byGrpc = async (tool: string) =>
    client.call('Fire', {
      event_type: 'before_tool',
      event: Buffer.from(JSON.stringify({ tool_name: tool })),
    })
  return { pid: status.pid as number, ask, client, doors: [byHttp, byGrpc] }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function expectDecisions(doors: readonly ((tool: string) => Promise<Body>)[]): Promise<void> {
  for (const fire of doors)
    for (const [tool, decision, reason] of DECISIONS) {
      const answer = await fire(tool)
      expect(answer).toMatchObject({ decision })
      if (reason !== null) expect(answer.reason).toContain(reason)
    }
}

const NEW = 'hook command blocked execution: new'
const hooksFor = (reason: string) => ({
  hooks: {
    pre_tool_use: [{ name: 'admin', executor: { type: 'command', command: `echo ${reason} >&2; exit 2` } }],
  },
})

test.skipIf(refused !== undefined).for(FAULTS)(
  'a %s disk changes no decision of the daemon, by HTTP or gRPC, and what cannot be kept is refused',
  { timeout: 180_000 },
  async (fault) => {
    const disk = await faultyDisk(fault)
    writeHooks(disk)
    const { ask, client, doors, pid } = await daemon(disk)
    await expectDecisions(doors)
    const { revision } = (await ask('GET', '/v1/runtime')).body.config as { revision: number }
    const [letter] = JSON.parse((await disk.crosshook(['dead-letter', 'list', '--json'])).stdout)
    await disk.break()
    for (let round = 0; round < ROUNDS[fault]; round++) await expectDecisions(doors)

    // A program may come, and its hooks count.
    await client.register('PreToolUse', { tool: 'Remote' })
    await client.stream(() => ({ action: 'BLOCK', reason: 'remote no' }))
    for (const fire of doors)
      expect(await fire('Remote')).toMatchObject({ decision: 'deny', reason: 'remote no' })

    const reason = expect.stringMatching(REASON[fault])
    const change = await ask('POST', '/v1/runtime/hooks', hooksFor('new'))
    expect(change).toMatchObject({
      status: 503,
      body: { code: 'store', detail: reason, fix: expect.any(String) },
    })
    const resolve = `/v1/runtime/hooks/dead-letter/${letter.id}/resolve`
    expect(await ask('POST', resolve, { reason: 'seen' })).toMatchObject({
      status: 503,
      body: { detail: reason },
    })
    expect((await ask('GET', '/v1/runtime')).body.config).toMatchObject({ revision })
    const status = await ask('GET', '/v1/status')
    const { hooks, health } = status.body as unknown as Health
    const isTold = health.warnings.some(({ code }) => code === 'storage')
    // A journal that was open before the disk became read-only is still written, and counts what is lost elsewhere.
    expect(isTold || hooks.dead_letter_persist_failure_count > 0).toBe(true)
    if (fault === 'full') expect(isTold).toBe(true)
    for (const path of ['/metrics', '/healthz', '/v1/runtime', '/v1/runtime/hooks/dead-letter'])
      expect((await ask('GET', path)).status).toBe(200)

    await disk.mend()
    await expectDecisions(doors)
    expect((await ask('POST', resolve, { reason: 'seen' })).status).toBe(200)
    expect((await ask('POST', '/v1/runtime/hooks', hooksFor('new'))).status).toBe(200)
    for (const fire of doors) expect(await fire('Other')).toMatchObject({ decision: 'deny', reason: NEW })
    const { body } = await ask('GET', '/v1/journal?limit=1000')
    const kept = (body.records as { subject: string; reason: string | null }[]).filter(
      ({ reason }) => reason === NEW,
    )
    expect(kept).toHaveLength(2)
    const after = (await ask('GET', '/v1/status')).body as unknown as Health
    expect(after.health.warnings.map(({ code }) => code)).not.toContain('storage')
    expect(await disk.crosshook(['daemon', 'stop'])).toMatchObject({ code: 0 })
    expect(isAlive(pid)).toBe(false)
  },
)

test.skipIf(refused !== undefined).for(FAULTS)(
  'a daemon stops in order on a %s disk, and does not start on one',
  { timeout: 60_000 },
  async (fault) => {
    const disk = await faultyDisk(fault)
    const { pid } = await daemon(disk)
    await disk.break()
    const stopped = await disk.crosshook(['daemon', 'stop'])
    expect(stopped).toMatchObject({ code: 0, stderr: '' })
    expect(isAlive(pid)).toBe(false)
    const { code, stderr } = await disk.crosshook(['daemon', 'start'])
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^error: .*(?:${REASON[fault]}).*\\n.+\\n$`))
    await disk.mend()
    await daemon(disk)
    expect(await disk.crosshook(['daemon', 'stop'])).toMatchObject({ code: 0 })
  },
)
