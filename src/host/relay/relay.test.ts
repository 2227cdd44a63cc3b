import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { COMPILE_CACHE } from '../../../test/compile-cache.ts'
import { paths } from '../../config/paths.ts'
import { keyFile, stateKey } from '../../config/state-key.ts'
import type { Reply } from '../../spec/dialect.ts'
import { createProver, encodeAnswer } from './protocol.ts'
import { takePlace } from './socket.ts'
import {
  buildRelay,
  type Home,
  hookText,
  makeHome,
  reasonOf,
  runProgram,
  serve,
  shellCall,
} from './testing.ts'

const here = dirname(fileURLToPath(import.meta.url))
const DENY = 'matcher:\n  tool: Shell\noutcome:\n  decision: deny\n  reason: not here'
const hasCompiler = buildRelay(makeSpare(), { node: '', main: '' }) !== undefined
const relayTest = test.skipIf(!hasCompiler)

function makeSpare(): string {
  const folder = join(here, '../../../node_modules/.cache/crosshook-relay-test')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** A relay whose cold path only says that it was taken, with what, and why. */
function setUp(patience?: [number, number]) {
  const home = makeHome()
  writeFileSync(
    join(home.folder, 'cold.cjs'),
    `const text = require('fs').readFileSync(0)
    const said = JSON.stringify({ why: process.env.CROSSHOOK_RELAY, options: process.execArgv, args: process.argv.slice(2), size: text.length, start: text.toString('utf8', 0, 20) })
    const head = Buffer.alloc(52)
    head.write('XHAN\\x02')
    head[8] = 7
    head[12] = said.length
    if (process.env.CROSSHOOK_ANSWER === 'frame') process.stdout.write(Buffer.concat([head, Buffer.from(said)]))
    else process.stdout.write(said)
    process.exitCode = 7`,
  )
  const relay = buildRelay(
    home.folder,
    { node: process.execPath, main: join(home.folder, 'cold.cjs') },
    patience,
  )!
  const run = (input: string | Buffer = '{}', more: { env?: NodeJS.ProcessEnv; args?: string[] } = {}) =>
    runProgram(relay, more.args ?? ['hook', 'claude-code', 'PreToolUse'], {
      env: { ...home.env, ...more.env },
      cwd: home.project,
      input,
    })
  return { home, relay, run }
}

async function expectCold(ran: { code: number | null; stdout: string }, why: string, size = 2) {
  expect({ code: ran.code, ...(JSON.parse(ran.stdout || '{}') as object) }).toMatchObject({
    code: 7,
    why,
    size,
  })
}

/** A server in the engine's place that does as it likes. */
async function impostor(home: Home, behave: (socket: Socket) => void): Promise<void> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    behave(socket)
  })
  stateKey(paths(home.env).state)
  await takePlace(server, home.socket)
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
}

relayTest('the answer of the engine: stdout, stderr and exit code', async () => {
  const { home, run } = setUp()
  home.hook('guard', DENY)
  await serve(home)
  const ran = await run(JSON.stringify(shellCall(home)))
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(reasonOf(ran)).toBe('not here')
  expect(await run('{}', { args: ['hook', 'nobody'] })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('nobody'),
  })
})

relayTest('a large environment, an empty event and non-ASCII text arrive as they are', async () => {
  const { home, run } = setUp()
  const script = '#!/bin/bash\ncat > /dev/null\nprintf "%s" "$LARGE$MORE$ODD" | wc -c >&2\nexit 2\n'
  home.hook('counts', 'matcher:\n  tool: Shell', { 'scripts/run.sh': script })
  await serve(home)
  const env = { LARGE: 'x'.repeat(120_000), MORE: 'y'.repeat(100_000), ODD: 'ä€' }
  const ran = await run(JSON.stringify(shellCall(home, 'echo ä€💥')), { env, args: ['hook', 'claude-code'] })
  expect(reasonOf(ran)).toBe('220005')
})

relayTest('a payload of 60 MB goes through, one of 70 MB takes the cold path whole', async () => {
  const { home, run } = setUp()
  home.hook('guard', DENY)
  await serve(home)
  const large = (size: number) =>
    JSON.stringify({ ...shellCall(home), tool_input: { command: 'ls', pad: 'x'.repeat(size) } })
  expect(reasonOf(await run(large(60_000_000)))).toBe('not here')
  const text = large(70_000_000)
  await expectCold(await run(text), 'other', text.length)
})

relayTest(
  'a hook that looks at a text of megabytes sees all of it, and one that does not is none the wiser',
  async () => {
    const { home, run } = setUp()
    const count = '#!/bin/bash\nwc -c >&2\nexit 2\n'
    home.hook('counts', 'matcher:\n  tool: WriteFile\n  pattern: "the very end$"', {
      'scripts/run.sh': count,
    })
    await serve(home)
    const content = `${'A line of text, 50 % of it – äöü \\\\\n'.repeat(60_000)}the very end`
    const write = (more: string) =>
      run(
        JSON.stringify({
          ...shellCall(home),
          tool_name: 'Write',
          tool_input: { file_path: '/tmp/a', content: content + more },
        }),
      )
    const seen = Number(reasonOf(await write('')))
    expect(seen).toBeGreaterThan(Buffer.byteLength(content))
    expect(await write('!')).toMatchObject({ code: 0, stdout: '' })
    await write('!')
  },
)

relayTest('megabytes in which one byte is not UTF-8 are refused, wherever it is', async () => {
  const { home, run } = setUp()
  home.hook('guard', DENY)
  await serve(home)
  const text = Buffer.from(
    JSON.stringify({ ...shellCall(home), tool_name: 'Write', tool_input: { content: '€'.repeat(700_000) } }),
  )
  expect(await run(text)).toMatchObject({ code: 0, stdout: '' })
  for (const at of [300, 1_000_000, text.length - 10]) {
    const broken = Buffer.from(text)
    broken[at] = 0xff
    expect(reasonOf(await run(broken))).toContain('not UTF-8')
  }
})

relayTest('without an engine the cold path gets the input, the arguments and the reason', async () => {
  const { run } = setUp()
  const ran = await run('{"a":1}')
  await expectCold(ran, 'absent', 7)
  expect(JSON.parse(ran.stdout)).toMatchObject({
    args: ['hook', 'claude-code', 'PreToolUse'],
    start: '{"a":1}',
  })
  await expectCold(await run('{}', { args: ['list', '--json'] }), 'other')
  await expectCold(await run('{}', { args: ['hook', 'claude-code', '--debug'] }), 'other')
  await expectCold(await run('{}', { env: { CROSSHOOK_NO_DAEMON: '1' } }), 'other')
  await expectCold(await run('{}', { env: { HOME: '/'.padEnd(200, 'x') } }), 'unreachable')
})

relayTest('Node gets its options; one that does not know them is started again without', async () => {
  const { relay, run } = setUp()
  const cold = `${relay}.cold`
  const lines = readFileSync(cold, 'utf8')
  const options = async (line: string) => {
    writeFileSync(cold, `${lines}${line}\n`)
    const ran = await run()
    await expectCold(ran, 'absent')
    return [(JSON.parse(ran.stdout) as { options: string[] }).options, ran.stderr]
  }
  expect(await options('--no-sparkplug\t--stack-size=900')).toEqual([
    ['--no-sparkplug', '--stack-size=900'],
    '',
  ])
  expect(await options('--no-sparkplug\t--no-such-option')).toEqual([[], ''])
})

relayTest(
  'a program that ends like Node without an option, and without options, has not answered',
  async () => {
    const { home, relay, run } = setUp()
    writeFileSync(join(home.folder, 'cold.cjs'), 'process.exit(9)')
    for (const line of ['', '--no-sparkplug\n']) {
      writeFileSync(`${relay}.cold`, `${process.execPath}\n${join(home.folder, 'cold.cjs')}\n${line}`)
      expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('ended with code 9') })
    }
  },
)

relayTest('the agent has its answer when Node closes its stdout, and Node does what is left', async () => {
  const { home, run } = setUp()
  const [mayEnd, hasEnded] = [join(home.folder, 'may-end'), join(home.folder, 'has-ended')]
  writeFileSync(
    join(home.folder, 'cold.cjs'),
    `const fs = require('fs')
    const head = Buffer.alloc(52)
    head.write('XHAN\\x02')
    head[8] = 7
    fs.writeSync(1, head)
    process.on('SIGTERM', () => {})
    fs.closeSync(1)
    const look = () => fs.existsSync(${JSON.stringify(mayEnd)}) ? fs.writeFileSync(${JSON.stringify(hasEnded)}, '') : setTimeout(look, 5)
    look()`,
  )
  expect(await run()).toMatchObject({ code: 7 })
  expect(existsSync(hasEnded)).toBe(false)
  writeFileSync(mayEnd, '')
  await expect.poll(() => existsSync(hasEnded), { timeout: 30_000 }).toBe(true)
})

relayTest('an engine that declines, or leaves, is said to', async () => {
  const { home, run } = setUp()
  let leaves = false
  await serve(home, { isOutdated: () => leaves })
  await expectCold(await run('{}', { env: { CROSSHOOK_TRUST: 'all' } }), 'declined')
  leaves = true
  await expectCold(await run('{"a":1}'), 'leaving', 7)
})

/** As the engine answers this request. */
function proven(home: Home, request: Buffer, reply: Reply, pid?: number): Buffer {
  const { state } = paths(home.env)
  return encodeAnswer(0, reply, createProver(stateKey(state), pid)(request.subarray(32, 48)))
}

relayTest.for([
  ['none', () => undefined],
  [
    'one made with another key',
    (request: Buffer) => createProver(Buffer.alloc(32))(request.subarray(32, 48)),
  ],
  [
    'one for another challenge',
    (_: Buffer, home: Home) => createProver(stateKey(paths(home.env).state))(Buffer.alloc(16)),
  ],
  [
    'that of another process, passed on',
    (request: Buffer, home: Home) =>
      createProver(stateKey(paths(home.env).state), process.pid + 1)(request.subarray(32, 48)),
  ],
] as const)('an answer with a wrong proof (%s) does not count', async ([, prove]) => {
  const { home, run } = setUp()
  stateKey(paths(home.env).state)
  await impostor(home, (socket) =>
    socket.once('data', (request) =>
      socket.end(encodeAnswer(0, { stdout: '', stderr: '', exit_code: 0 }, prove(request, home))),
    ),
  )
  await expectCold(await run(), 'unproven')
})

relayTest.for([
  ['missing', (key: string) => rmSync(key)],
  ['readable for others', (key: string) => chmodSync(key, 0o644)],
  ['too short', (key: string) => writeFileSync(key, 'short')],
] as const)('an engine whose key is %s is not asked', async ([, spoil]) => {
  const { home, run } = setUp()
  await serve(home)
  spoil(keyFile(paths(home.env).state))
  await expectCold(await run(), 'unproven')
})

const whole = encodeAnswer(0, { stdout: 'out', stderr: 'err', exit_code: 3 })

relayTest.for([
  ['closes at once', (socket: Socket) => socket.destroy()],
  ['closes when it has read', (socket: Socket) => socket.once('data', () => socket.end())],
  ['answers something else', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ['answers half', (socket: Socket) => socket.end(whole.subarray(0, whole.length - 1))],
  ['answers too much', (socket: Socket) => socket.end(Buffer.concat([whole, Buffer.from('x')]))],
  ['speaks another version', (socket: Socket) => socket.end(Buffer.from(whole).fill(9, 4, 5))],
  ['never reads and never answers', (socket: Socket) => socket.pause()],
  ['beats once and then hangs', (socket: Socket) => socket.write(Buffer.from([6]))],
  ['promises more than it may', (socket: Socket) => socket.end(Buffer.from(whole).fill(255, 12, 16))],
] as const)('an engine that %s: the cold path answers on the whole input', async ([, behave]) => {
  const { home, run } = setUp([300, 300])
  await impostor(home, (socket) => void behave(socket))
  const input = JSON.stringify({ pad: 'x'.repeat(3_000_000) })
  const ran = await run(input)
  await expectCold(ran, 'silent', input.length)
  expect(ran.milliseconds).toBeLessThan(25_000)
})

relayTest('an answer in single bytes with beats before it is whole', async () => {
  const { home, run } = setUp()
  await impostor(home, (socket) => {
    socket.once('data', (request) => {
      const bytes = [6, 6, ...proven(home, request, { stdout: 'out', stderr: 'err', exit_code: 3 })]
      const next = () => {
        const byte = bytes.shift()
        if (byte === undefined) socket.end()
        else socket.write(Buffer.from([byte]), () => setImmediate(next))
      }
      next()
    })
  })
  expect(await run()).toMatchObject({ code: 3, stdout: 'out', stderr: 'err' })
})

relayTest('a hook that works longer than the patience for silence is waited for', async () => {
  const { home, run } = setUp([2500, 2500])
  home.hook('slow', 'matcher:\n  tool: Shell', {
    'scripts/run.sh': '#!/bin/sh\nsleep 3.5\necho late >&2\nexit 2\n',
  })
  await serve(home)
  expect(reasonOf(await run(JSON.stringify(shellCall(home))))).toBe('late')
})

relayTest('the total limit ends even a call that is kept alive', async () => {
  const { home, run } = setUp()
  await impostor(home, (socket) => {
    const beats = setInterval(() => socket.write(Buffer.from([6])), 200)
    socket.on('close', () => clearInterval(beats))
  })
  const ran = await run('{}', { env: { CROSSHOOK_RELAY_SECONDS: '2' } })
  expect(ran).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('gave no answer in the time'),
  })
  expect(ran.milliseconds).toBeGreaterThan(1900)
})

relayTest('a socket that others may write to is not spoken to', async () => {
  const { home, run } = setUp()
  home.hook('guard', DENY)
  await serve(home)
  const { chmodSync } = await import('node:fs')
  chmodSync(home.socket, 0o666)
  await expectCold(await run('{}'), 'foreign')
})

relayTest('an answer that cannot be written is a refusal', async () => {
  const { home, relay } = setUp()
  stateKey(paths(home.env).state)
  let isAsked = () => {}
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  await impostor(home, (socket) =>
    socket.once('data', async (request) => {
      isAsked()
      await closed
      socket.end(proven(home, request, { stdout: 'x'.repeat(1 << 20), stderr: '', exit_code: 0 }))
    }),
  )
  const child = spawn(relay, ['hook', 'claude-code'], { env: home.env, cwd: home.project })
  const closed = asked.then(
    () => new Promise<void>((resolve) => child.stdout.once('close', () => resolve()).destroy()),
  )
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  child.stdin.end('{}')
  const [code, signal] = await new Promise<unknown[]>((resolve) =>
    child.on('close', (...end) => resolve(end)),
  )
  expect([code, signal]).toEqual([2, null])
  expect(said).toContain('could not be written to the agent')
})

relayTest('a folder that was deleted is replaced by the one above it', async () => {
  const { home, relay } = setUp()
  home.hook('guard', DENY)
  await serve(home)
  const gone = join(home.project, 'a/b')
  mkdirSync(gone, { recursive: true })
  const ran = await runProgram(
    '/bin/sh',
    ['-c', `rm -r ../../a; exec '${relay}' hook claude-code PreToolUse`],
    { env: home.env, cwd: gone, input: JSON.stringify({ ...shellCall(home), cwd: undefined }) },
  )
  expect(reasonOf(ran)).toBe('not here')
})

relayTest(
  'the first call is cold and starts an engine; the next is warm; a changed program ends it',
  async () => {
    const home = makeHome()
    Object.assign(home.env, COMPILE_CACHE)
    home.hook('guard', DENY)
    const main = join(home.folder, 'main.ts')
    const starts = join(home.folder, 'starts')
    const note = `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(starts)}, '.')\n`
    writeFileSync(main, `${note}import ${JSON.stringify(join(here, '../../cli/main.ts'))}\n`)
    const relay = buildRelay(home.folder, { node: process.execPath, main })!
    const call = () =>
      runProgram(relay, ['hook', 'claude-code', 'PreToolUse'], {
        env: home.env,
        cwd: home.project,
        input: JSON.stringify(shellCall(home)),
      })
    expect(reasonOf(await call())).toBe('not here')
    await expect.poll(() => existsSync(home.socket), { timeout: 30_000 }).toBe(true)
    const before = readFileSync(starts, 'utf8')
    expect(reasonOf(await call())).toBe('not here')
    expect(readFileSync(starts, 'utf8')).toBe(before)
    writeFileSync(
      join(paths(home.env).userHooks, 'guard/HOOK.md'),
      hookText('guard', DENY.replace('not here', 'nor there')),
    )
    expect(reasonOf(await call())).toBe('nor there')
    writeFileSync(main, `${readFileSync(main, 'utf8')}// a new version\n`)
    expect(reasonOf(await call())).toBe('nor there')
    await expect.poll(() => existsSync(home.socket), { timeout: 30_000 }).toBe(true)
    // Changed again and asked once more with no engine wanted: the last one ends and leaves none behind.
    writeFileSync(main, `${readFileSync(main, 'utf8')}// another\n`)
    home.env.CROSSHOOK_RELAY_SECONDS = '5'
    const { exchange, readAnswer, requestFrame } = await import('./testing.ts')
    expect(readAnswer(await exchange(home.socket, requestFrame(home))).status).toBe(2)
    await expect.poll(() => existsSync(home.socket), { timeout: 30_000 }).toBe(false)
  },
)
