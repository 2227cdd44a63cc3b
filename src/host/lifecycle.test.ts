import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { PROGRAM } from '../../test/program.ts'
import { type Place, place, runningDaemon, userHook } from './testing.ts'

const run = promisify(execFile)

async function crosshook(
  { env }: Place,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    return { code: 0, ...(await run(process.execPath, [PROGRAM, ...args], { env })) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

async function started(at: Place, ...args: string[]) {
  const { stdout, stderr } = await crosshook(at, 'daemon', 'start', '--json', ...args)
  expect(stderr).toBe('')
  const status = JSON.parse(stdout)
  onTestFinished(() => {
    try {
      process.kill(status.pid, 'SIGKILL')
    } catch {
      // It has stopped already.
    }
  })
  return status
}

const mode = (path: string) => statSync(path).mode & 0o777

test('start returns when the daemon is ready, status tells where it is, stop ends it', async () => {
  const at = place()
  expect(JSON.parse((await crosshook(at, 'daemon', 'status', '--json')).stdout)).toEqual({ running: false })
  const status = await started(at, '--http', '127.0.0.1:0', '--grpc', '127.0.0.1:0')
  expect(status).toMatchObject({
    running: true,
    pid: expect.any(Number),
    socket: join(at.env.XDG_RUNTIME_DIR!, 'crosshook', 'daemon.sock'),
    http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/),
    grpc: expect.stringMatching(/^127\.0\.0\.1:[1-9]\d*$/),
  })
  expect(mode(status.socket)).toBe(0o600)
  expect(mode(status.token_file)).toBe(0o600)
  expect(mode(status.events_token_file)).toBe(0o600)
  expect((await fetch(`${status.http}/healthz`)).status).toBe(200)
  expect(JSON.parse((await crosshook(at, 'daemon', 'status', '--json')).stdout)).toEqual(status)
  expect((await crosshook(at, 'daemon', 'stop')).code).toBe(0)
  expect(JSON.parse((await crosshook(at, 'daemon', 'status', '--json')).stdout)).toEqual({ running: false })
  await expect(fetch(`${status.http}/healthz`)).rejects.toThrow()
})

test('there is one daemon for each user', async () => {
  const at = place()
  await started(at)
  const second = await crosshook(at, 'daemon', 'start')
  expect(second.code).toBe(1)
  expect(second.stderr).toContain('already running')
  const inForeground = await crosshook(at, 'daemon', 'start', '--foreground')
  expect(inForeground.code).toBe(1)
})

test('a daemon that was killed leaves nothing that keeps the next from starting', async () => {
  const at = place()
  const first = await started(at)
  process.kill(first.pid, 'SIGKILL')
  while (JSON.parse((await crosshook(at, 'daemon', 'status', '--json')).stdout).running);
  const second = await started(at)
  expect(second.pid).not.toBe(first.pid)
  expect(readFileSync(second.token_file, 'utf8')).toBe(readFileSync(first.token_file, 'utf8'))
})

test('fire --via daemon is answered by the daemon, and is an error where none runs', async () => {
  const at = place()
  userHook(at, 'guard', 'echo "not here" >&2; exit 2')
  const args = [
    'fire',
    'before_tool',
    '--tool',
    'Shell',
    '--input',
    '{"command":"ls"}',
    '--json',
    '--via',
    'daemon',
  ]
  const none = await crosshook(at, ...args)
  expect(none.code).toBe(1)
  expect(none.stderr).toContain('No daemon is running')
  await started(at)
  const some = await crosshook(at, ...args)
  expect(some.code).toBe(2)
  expect(JSON.parse(some.stdout)).toMatchObject({ decision: 'deny', reason: 'not here' })
})

test('stop lets what runs finish', async () => {
  const at = place()
  const begun = join(at.root, 'begun')
  userHook(at, 'slow', `touch '${begun}'; sleep 1; echo "thought about it" >&2; exit 2`)
  const status = await started(at)
  const token = readFileSync(status.token_file, 'utf8').trim()
  const answer = fetch(`${status.http}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: '{"event_type":"before_tool","tool_name":"Shell"}',
  })
  await expect.poll(() => existsSync(begun)).toBe(true)
  const stopped = crosshook(at, 'daemon', 'stop')
  expect(await (await answer).json()).toMatchObject({ decision: 'deny', reason: 'thought about it' })
  expect((await stopped).code).toBe(0)
})

test('an address that other machines can reach needs a certificate', async () => {
  const at = place()
  const refused = await crosshook(at, 'daemon', 'start', '--http', '0.0.0.0:0')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('no certificate')
  const wrong = await crosshook(at, 'daemon', 'start', '--http', 'nonsense')
  expect(wrong.stderr).toContain('not HOST:PORT')
})

test('a state folder that cannot be written is said to be so', async () => {
  const at = place()
  const file = join(at.root, 'file')
  writeFileSync(file, '')
  const env = { ...at.env, XDG_STATE_HOME: file }
  const { code, stderr } = await crosshook({ ...at, env }, 'daemon', 'start')
  expect(code).toBe(1)
  expect(stderr).toContain(file)
  expect(stderr).not.toContain('Please report')
})

test('in the foreground it runs until SIGTERM, and takes its state folder again afterwards', async () => {
  const at = place()
  mkdirSync(at.env.HOME!, { recursive: true })
  const child = spawn(process.execPath, [PROGRAM, 'daemon', 'start', '--foreground', '--json'], {
    env: at.env,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data) => resolve(String(data))),
  )
  expect(JSON.parse(line)).toMatchObject({ running: true, pid: child.pid })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('a client that hangs does not keep the daemon from stopping', async () => {
  const { daemon } = await runningDaemon()
  const { hostname, port } = new URL(`http://${daemon.status.grpc}`)
  // It keeps its side of the connection open, whatever it is told.
  const client = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  client.on('error', () => {})
  onTestFinished(() => void client.destroy())
  client.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0')
  await new Promise((resolve) => client.once('data', resolve))
  const told = Date.now()
  await daemon.stop()
  expect(Date.now() - told).toBeLessThan(30_000)
})

test('a daemon that hangs is said to hang, keeps nobody waiting, and can be stopped', async () => {
  const at = place()
  const { pid } = await started(at)
  process.kill(pid, 'SIGSTOP')
  const [fired, daemon, status, doctor] = await Promise.all([
    crosshook(at, 'fire', 'before_tool', '--tool', 'Shell', '--via', 'daemon'),
    crosshook(at, 'daemon', 'status', '--json'),
    crosshook(at, 'status', '--json'),
    crosshook(at, 'doctor'),
  ])
  expect(fired).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`(process ${pid}) runs but does not`),
  })
  expect(daemon.code).toBe(1)
  expect(JSON.parse(daemon.stdout)).toMatchObject({ running: true, pid, hangs: true })
  expect(JSON.parse(status.stdout).daemon).toMatchObject({ pid, hangs: true })
  expect(doctor).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`the daemon (process ${pid}) hangs`),
  })
  expect((await crosshook(at, 'daemon', 'stop')).code).toBe(0)
  expect(JSON.parse((await crosshook(at, 'daemon', 'status', '--json')).stdout)).toEqual({ running: false })
}, 120_000)

test('hooks of an event that is sent to the daemon see the environment of its sender', async () => {
  const at = place()
  userHook(at, 'show', 'echo "of $WHOSE" >&2; exit 2')
  await started({ ...at, env: { ...at.env, WHOSE: 'the daemon' } })
  const sender = { ...at, env: { ...at.env, WHOSE: 'the sender' } }
  const { stdout } = await crosshook(
    sender,
    'fire',
    'before_tool',
    '--tool',
    'Shell',
    '--via',
    'daemon',
    '--json',
  )
  expect(JSON.parse(stdout).reason).toBe('of the sender')
})
