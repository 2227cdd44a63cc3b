import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { deadLetters } from '../../journal/dead-letters.ts'
import { createPipeline } from '../pipeline.ts'
import { spool, spoolFolder } from './spool.ts'

/** Called when somebody asks whether a process runs. */
let asked: (pid: number) => void = () => {}
vi.mock('../../config/is-alive.ts', async (original) => {
  const { isAlive } = await original<typeof import('../../config/is-alive.ts')>()
  return {
    isAlive(pid: number) {
      asked(pid)
      return isAlive(pid)
    },
  }
})

let root: string
let state: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'background-'))
  state = join(root, '.local/state/crosshook')
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
})

function hook(name: string, fields: string, script?: string): void {
  const dir = join(root, '.config/agents/hooks', name)
  mkdirSync(join(dir, 'scripts'), { recursive: true })
  const head = `name: ${name}\ndescription: d\ntrigger: after_tool\nasync: true\n${fields}`
  writeFileSync(join(dir, 'HOOK.md'), `---\n${head}\n---\n`)
  if (script !== undefined) writeFileSync(join(dir, 'scripts/run.sh'), `#!/bin/sh\n${script}\n`)
}

const env = () => ({ PATH: process.env.PATH, HOME: root, CROSSHOOK_MANAGED_DIR: join(root, 'managed') })

function open() {
  const pipeline = createPipeline({ env: env(), source: 'cli' })
  onTestFinished(() => pipeline.close())
  return {
    ...pipeline,
    fire: () => pipeline.fire('after_tool', { work_dir: root, session_id: 's', tool_name: 'Shell' }),
    /** How the background hooks ended, as the journal has it. */
    ends: () =>
      pipeline
        .journal()
        .list({})
        .flatMap(({ hooks }) => hooks)
        .filter((entry) => entry.background)
        .map(({ name, status, attempts, exit_code }) => [name, status, attempts, exit_code]),
    counts: () => pipeline.journal().counts(),
  }
}

const waiting = () => (existsSync(spoolFolder(state)) ? readdirSync(spoolFolder(state)) : [])

test('the end of a program is recorded: success, failure after its retries, time limit', async () => {
  hook('good', '', 'cat > /dev/null')
  hook('bad', 'retries: 2', `cat >> ${root}/seen; echo >> ${root}/seen; exit 7`)
  hook('slow', 'timeout: 200', 'exec sleep 30')
  const pipeline = open()
  expect((await pipeline.fire()).hooks.map(({ status }) => status)).toEqual([
    'background',
    'background',
    'background',
  ])
  await expect.poll(() => pipeline.ends()).toHaveLength(3)
  expect(pipeline.ends().toSorted()).toEqual([
    ['bad', 'failed', 3, 7],
    ['good', 'allowed', 1, 0],
    ['slow', 'timed_out', 1, null],
  ])
  expect(
    deadLetters(state)
      .list()
      .map(({ hook_name, attempt_count }) => [hook_name, attempt_count])
      .toSorted(),
  ).toEqual([
    ['bad', 3],
    ['slow', 1],
  ])
  expect(readFileSync(join(root, 'seen'), 'utf8').match(/"event_type": "after_tool"/g)).toHaveLength(3)
  await expect.poll(waiting).toEqual([])
})

test('a hook that is no program is tried again and recorded too', async () => {
  let calls = 0
  const server = createServer((_, response) => {
    response.writeHead(calls++ === 0 ? 500 : 200).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  mkdirSync(join(root, '.config/crosshook'), { recursive: true })
  writeFileSync(join(root, '.config/crosshook/config.toml'), `allowed_hosts = ["${host}"]\n`)
  hook('asks', `retries: 1\nrun: {http: {url: "http://${host}/"}}`)
  const pipeline = open()
  await pipeline.fire()
  await pipeline.settled()
  expect(pipeline.ends()).toEqual([['asks', 'allowed', 2, null]])
  expect(waiting()).toEqual([])
})

test('background hooks of a killed process are started by the next one', async () => {
  hook('note', '', `echo ran >> ${root}/ran`)
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', KILLED, join(import.meta.dirname, '../pipeline.ts'), root],
    { env: { ...env(), PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await new Promise((resolve) => child.once('exit', resolve))
  expect(child.signalCode).toBe('SIGKILL')
  expect(spool(state).ids()).toHaveLength(1)
  expect(existsSync(join(root, 'ran'))).toBe(false)
  const pipeline = open()
  await pipeline.collect('ended')
  expect(existsSync(join(root, 'ran'))).toBe(false)
  await pipeline.collect('start')
  await expect.poll(() => pipeline.ends()).toEqual([['note', 'allowed', 1, 0]])
  expect(readFileSync(join(root, 'ran'), 'utf8')).toBe('ran\n')
  expect(waiting()).toEqual([])
})

/** Dies at the moment of the answer: the hook is written down, and its program not started. */
const KILLED = `
const [, path, root] = process.argv
const { createPipeline } = await import(path)
const pipeline = createPipeline({ env: process.env, source: 'cli' })
await pipeline.fire('session_end', { work_dir: root })
pipeline.fire('after_tool', { work_dir: root, session_id: 's', tool_name: 'Shell' })
const { existsSync, readdirSync } = await import('node:fs')
const folder = root + '/.local/state/crosshook/background/spool'
for (;;) {
  await undefined
  if (existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.json'))) process.kill(process.pid, 'SIGKILL')
}
`

test('a program that ends while another process looks at it is not started again', async () => {
  hook('note', '', `echo ran >> ${root}/ran; while [ ! -e ${root}/may-end ]; do sleep 0.01; done`)
  const pipeline = open()
  await pipeline.fire()
  const file = (kind: string) => readdirSync(spoolFolder(state)).find((name) => name.endsWith(kind))
  await expect.poll(() => existsSync(join(root, 'ran')) && file('.end.pid')).toBeTruthy()
  const supervisor = spool(state).supervisor(spool(state).ids()[0]!)!
  asked = (pid) => {
    if (pid !== supervisor) return
    writeFileSync(join(root, 'may-end'), '')
    while (!isGone(pid)) spawnSync('sleep', ['0.01'])
  }
  onTestFinished(() => void (asked = () => {}))
  await pipeline.collect('start')
  await expect.poll(() => pipeline.ends()).toEqual([['note', 'allowed', 1, 0]])
  await expect.poll(waiting).toEqual([])
  expect(readFileSync(join(root, 'ran'), 'utf8')).toBe('ran\n')

  function isGone(pid: number): boolean {
    const stat = `/proc/${pid}/stat`
    return !existsSync(stat) || /\) Z /.test(readFileSync(stat, 'utf8'))
  }
})

test('spool files that crosshook did not write are never run', async () => {
  const pipeline = open()
  mkdirSync(spoolFolder(state), { recursive: true })
  const forged = JSON.stringify({ id: 'x', at: 0, starts: 1, owner: 1, door: 'cli', hook: {}, event: {} })
  writeFileSync(join(spoolFolder(state), 'x.json'), `${'0'.repeat(64)}\n${forged}`)
  expect(spool(state).read('x')).toBeUndefined()
  await pipeline.collect('start')
  expect(pipeline.ends()).toEqual([])
})

test.for([true, false])(
  'a folder of waiting hooks that cannot be read is reported: stays %s',
  async (stays) => {
    mkdirSync(join(spoolFolder(state), '..'), { recursive: true })
    writeFileSync(spoolFolder(state), 'a file in its place')
    const said: string[] = []
    const pipeline = createPipeline({
      env: env(),
      source: 'cli',
      stays,
      trouble: (sentence) => said.push(sentence),
    })
    onTestFinished(() => pipeline.close())
    await pipeline.fire('after_tool', { work_dir: root, session_id: 's', tool_name: 'Shell' })
    await pipeline.settled()
    expect(said).toEqual([expect.stringContaining('background hooks: ENOTDIR')])
  },
)

test('what a second supervisor of one hook leaves is removed after a minute, what is waited for is not', () => {
  const files = ['a.end', 'a.end.pid', 'b.end', 'b.end.pid', 'b.json', 'c.end.pid']
  mkdirSync(spoolFolder(state), { recursive: true })
  for (const file of files) writeFileSync(join(spoolFolder(state), file), '1')
  expect(spool(state).ids()).toEqual(['b'])
  expect(waiting().sort()).toEqual(files)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(spool(state).ids()).toEqual(['b'])
  expect(waiting().sort()).toEqual(['b.end', 'b.end.pid', 'b.json'])
})
