/**
 * `npm run check:silence`: faults of hooks and of crosshook itself, through the doors that agents use. Every cell must
 * end with a decision in time: a closed guard blocks, an open one goes on and says so. Writes docs/reliability.md.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REPORT_HEAD } from './silence-words.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const base = realpathSync(mkdtempSync(join(tmpdir(), 'xh-sil-')))
const home = join(base, 'h')
const project = join(home, 'project')
const dist = join(home, 'crosshook/dist')
const state = join(home, '.local/state/crosshook')
const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home }
const LIMIT_MS = 45_000

/** What a script does. */
const SCRIPTS: Record<string, string> = {
  crash: 'exit 7',
  signal: 'kill -9 $$',
  'time-out': 'exec sleep 30',
  'hang with children': 'sleep 30 & wait',
  // Plain text is no failure of an open script: its format lets it say what it likes.
  garbage: `echo '{"decision": "DENY"}'`,
  'cut-off': `printf '{"decision": "deny", "rea'`,
  'too much output': `printf '{"decision": "deny", "reason": "'; head -c 3000000 /dev/zero | tr '\\0' x; printf '"}'`,
  'missing script': '',
  'missing interpreter': '#!/no/such/interpreter',
}
const MODULES: Record<string, string> = {
  crash: 'export default () => { throw new Error("broken") }',
  'time-out': 'export default () => new Promise(() => {})',
  hang: 'export default () => { for (;;); }',
  garbage: 'export default () => "DENY please"',
  'missing script': '',
}
const HTTP = ['crash', 'time-out', 'garbage', 'cut-off', 'too much output', 'nobody listens']
const POLICIES = ['closed', 'open'] as const
const DOORS = ['relay warm', 'relay cold', 'HTTP', 'library'] as const
type Door = (typeof DOORS)[number]

interface Cell {
  fault: string
  kind: string
  policy: (typeof POLICIES)[number]
}

interface Result {
  decision: string
  told: boolean
  ms: number
}

const children: ChildProcess[] = []
const rows: string[] = []
const failures: string[] = []
let cellsRun = 0

const server = createServer((request, response) => {
  const fault = decodeURIComponent(request.url!.slice(1))
  if (fault === 'crash') response.writeHead(500).end('broken')
  else if (fault === 'garbage') response.end('DENY please')
  else if (fault === 'cut-off')
    response.writeHead(200, { 'content-length': '500' }).write('{"decision": "de', () => response.destroy())
  else if (fault === 'too much output') response.end('x'.repeat(3_000_000))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as { port: number }

try {
  await main()
} finally {
  server.closeAllConnections()
  server.close()
  for (const child of children) child.kill('SIGKILL')
  endAll()
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
}
for (const failure of failures) console.error(`✗ ${failure}`)
console.log(`${cellsRun} cells, ${failures.length} wrong`)
process.exitCode = failures.length === 0 ? 0 : 1

async function main(): Promise<void> {
  const cells = makeHooks()
  install()
  call('warm-up')
  await until(() => existsSync(join(state, 'engine.sock')))
  run('daemon', 'start')
  rows.push(
    '## Faults of a hook',
    '',
    `| fault | kind | on_failure | ${DOORS.join(' | ')} |`,
    `|---|---|---|${'---|'.repeat(DOORS.length)}`,
  )
  for (const cell of cells) {
    const shown = DOORS.map((door) => check(door, cell))
    rows.push(`| ${cell.fault} | ${cell.kind} | ${cell.policy} | ${shown.join(' | ')} |`)
  }
  run('daemon', 'stop')
  reportLeft()
  rows.push(
    '',
    '## Faults of crosshook and the machine',
    '',
    'A guard with a fixed answer, and a closed one with a script, on the same call.',
    '',
    '| fault | relay warm | relay cold |',
    '|---|---|---|',
  )
  for (const [fault, make] of Object.entries(systemFaults())) {
    const shown: string[] = []
    // Without an engine the killer would end the relay itself.
    const isOnlyWarm = fault === 'engine killed while a hook runs'
    for (const isWarm of [true, false])
      shown.push(!isWarm && isOnlyWarm ? '–' : await system(fault, make, isWarm))
    rows.push(`| ${fault} | ${shown.join(' | ')} |`)
  }
  writeFileSync(join(root, 'docs/reliability.md'), `${REPORT_HEAD}${rows.join('\n')}\n`)
}

function check(door: Door, cell: Cell): string {
  cellsRun++
  const { decision, told, ms } = ask(door, toolOf(cell))
  const isRight = cell.policy === 'closed' ? decision === 'deny' : decision !== 'deny' && told
  const words = decision === 'deny' ? 'blocked' : told ? 'went on, told' : 'silent'
  if (!isRight || ms > LIMIT_MS)
    failures.push(`${door}: ${cell.fault}, ${cell.kind}, ${cell.policy}: ${words} after ${ms} ms`)
  return `${isRight ? '' : '**'}${words}${isRight ? '' : '**'}`
}

function ask(door: Door, tool: string): Result {
  if (door === 'relay warm') return call(tool)
  if (door === 'relay cold') return call(tool, { entry: coldEntry() })
  const started = Date.now()
  const input = JSON.stringify({
    tool_name: tool,
    tool_input: { command: 'ls' },
    work_dir: project,
    session_id: 's',
  })
  const args =
    door === 'HTTP'
      ? [join(dist, 'cli/main.cjs'), 'fire', 'before_tool', '--json', '--via', 'daemon']
      : [
          '--input-type=module',
          '-e',
          `import { loadHooks } from ${JSON.stringify(join(dist, 'lib/index.js'))}; import { readFileSync } from 'node:fs'; const hooks = await loadHooks({ work_dir: ${JSON.stringify(project)} }); console.log(JSON.stringify(await hooks.fire('before_tool', JSON.parse(readFileSync(0, 'utf8'))))); process.exit()`,
        ]
  const { stdout } = spawnSync(process.execPath, args, {
    env,
    cwd: project,
    input,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  })
  const result = JSON.parse(stdout || '{"decision":"none","hooks":[]}') as {
    decision: string
    hooks: { status: string; error?: unknown; reason?: unknown }[]
  }
  const told = result.hooks.some(
    ({ status, error, reason }) => ['failed', 'timed_out'].includes(status) && Boolean(error ?? reason),
  )
  return { decision: result.decision, told, ms: Date.now() - started }
}

/** The installed entry, as Claude Code calls it. */
function call(tool: string, { entry = '', before = '' } = {}): Result {
  const { hooks } = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'))
  const { command, args } = hooks.PreToolUse[0].hooks[0] as { command: string; args: string[] }
  const words = [
    command,
    ...args.map((arg) => (entry && arg.startsWith('--entry=') ? `--entry=${entry}` : arg)),
  ]
  const started = Date.now()
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', `${before}\nexec "$0" "$@"`, ...words], {
    env,
    cwd: project,
    input: JSON.stringify({
      session_id: 's',
      cwd: project,
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: { command: 'ls' },
      tool_use_id: '1',
    }),
    encoding: 'utf8',
    timeout: LIMIT_MS,
  })
  const isDenied = stdout.includes('"permissionDecision":"deny"') || (status === 2 && stderr !== '')
  return {
    decision: isDenied ? 'deny' : 'allow',
    told: stdout.trim() !== '' || stderr.trim() !== '',
    ms: Date.now() - started,
  }
}

function coldEntry(): string {
  const copy = join(base, 'cold.entry')
  const text = readFileSync(join(state, 'install/entries/claude-code.entry'), 'utf8')
  writeFileSync(copy, text.replace(/^set\tHOME/m, 'set\tCROSSHOOK_NO_DAEMON=1\nset\tHOME'), { mode: 0o600 })
  return copy
}

// ---- faults of crosshook and the machine

type Fault = () => { before?: string; during?: (pid: number) => void; undo?: () => void }

function systemFaults(): Record<string, Fault> {
  const socket = join(state, 'engine.sock')
  const file = (name: string) => join(dist, 'cli', name)
  const replaced =
    (name: string, text: string): Fault =>
    () => {
      const kept = readFileSync(file(name))
      writeFileSync(file(name), text)
      return { undo: () => writeFileSync(file(name), kept) }
    }
  const impostor =
    (answer: string): Fault =>
    () => {
      rmSync(socket, { force: true })
      const listens = `require('net').createServer((s) => { s.on('error', () => {}); s.once('data', () => { ${answer} }) }).listen(${JSON.stringify(socket)}, () => require('fs').chmodSync(${JSON.stringify(socket)}, 0o600))`
      children.push(spawn(process.execPath, ['-e', listens], { stdio: 'ignore' }))
      spawnSync('/bin/sh', ['-c', `while [ ! -S '${socket}' ]; do :; done`], { timeout: 10_000 })
      return { undo: () => rmSync(socket, { force: true }) }
    }
  const frame = `const b = Buffer.alloc(52); b.write('XHAN\\\\x02'); s.end(b)`
  return {
    nothing: () => ({}),
    'engine killed before': after(endAll),
    'engine killed while a hook runs': after(() =>
      rmSync(join(base, 'killed'), { recursive: true, force: true }),
    ),
    'engine stopped (SIGSTOP)': after(() => signalAll('STOP'), endAll),
    'socket gone': after(() => rmSync(socket, { force: true })),
    'socket replaced by a file': after(
      () => {
        rmSync(socket, { force: true })
        writeFileSync(socket, '')
      },
      () => rmSync(socket, { force: true }),
    ),
    'impostor that answers 0': impostor(frame),
    'impostor that closes': impostor('s.destroy()'),
    'impostor that says nothing': impostor(''),
    'key gone': after(() => rmSync(join(state, 'state.key'), { force: true })),
    'no memory': () => ({ before: 'ulimit -v 250000' }),
    'no descriptors': () => ({ before: 'ulimit -n 4' }),
    'node gone': () =>
      brokenEntry(/^program\t[^\t]*/m, 'program\t/nowhere/node', /^set\tPATH=.*$/m, 'set\tPATH=/nowhere'),
    'main.cjs empty': replaced('main.cjs', ''),
    'hot.cjs empty': replaced('hot.cjs', ''),
    'hot.cjs cut in half': () =>
      replaced('hot.cjs', readFileSync(file('hot.cjs'), 'utf8').slice(0, 100_000))(),
    'hot.cjs of another build': () =>
      replaced(
        'hot.cjs',
        readFileSync(file('hot.cjs'), 'utf8').replace(/[0-9a-f]{16}\n$/, '0123456789abcdef\n'),
      )(),
    'dialect cut off': () => replaced('dialects/claude-code.cjs', 'exports.dialect = {')(),
    'main.cjs hangs': replaced('main.cjs', 'for (;;);'),
    'main.cjs prints {} and ends well': replaced('main.cjs', 'console.log("{}")'),
    'entry file damaged': () => brokenEntry(/end\n$/, '', /^$/m, ''),
    'working folder deleted': () => ({ before: 'mkdir -p x/y; cd x/y; rm -r ../../x' }),
  }
}

function after(work: () => void, undo?: () => void): Fault {
  return () => {
    work()
    return undo ? { undo } : {}
  }
}

function brokenEntry(...pairs: (RegExp | string)[]) {
  const entry = join(state, 'install/entries/claude-code.entry')
  const kept = readFileSync(entry, 'utf8')
  let text = kept
  for (let i = 0; i < pairs.length; i += 2) text = text.replace(pairs[i]!, pairs[i + 1] as string)
  writeFileSync(entry, text, { mode: 0o600 })
  return { undo: () => writeFileSync(entry, kept, { mode: 0o600 }) }
}

async function system(fault: string, make: Fault, isWarm: boolean): Promise<string> {
  cellsRun++
  mkdirSync(join(base, 'killed'), { recursive: true })
  endAll()
  const entry = join(state, 'install/entries/claude-code.entry')
  const kept = readFileSync(entry, 'utf8')
  // A hang must not take ten minutes here.
  writeFileSync(entry, kept.replace(/^(refuse\tPreToolUse\t)\d+/m, '$18'), { mode: 0o600 })
  if (isWarm) {
    call('Bash')
    await until(() => existsSync(join(state, 'engine.sock')))
  }
  const { before = '', undo } = make()
  const results = [call('Bash', { before }), call('Scripted', { before })]
  undo?.()
  writeFileSync(entry, kept, { mode: 0o600 })
  const silent = results.find(({ decision, ms }) => decision !== 'deny' || ms > LIMIT_MS)
  if (silent) failures.push(`${isWarm ? 'warm' : 'cold'}: ${fault}: ${JSON.stringify(results)}`)
  return silent ? '**went on**' : 'blocked'
}

// ---- the place

function makeHooks(): Cell[] {
  mkdirSync(project, { recursive: true })
  const cells: Cell[] = []
  const write = (name: string, tool: string, more: string, files: Record<string, string> = {}) => {
    const folder = join(home, '.config/agents/hooks', name)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text, { mode: 0o755 })
    }
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'HOOK.md'),
      `---\nname: ${name}\ndescription: Of the check.\ntrigger: before_tool\nmatcher:\n  tool: ^${tool}$\ntimeout: 1500\n${more}---\n`,
    )
  }
  write('fixed', 'Shell', 'outcome:\n  decision: deny\n  reason: fixed\n')
  write('scripted', 'Scripted', 'on_failure: closed\n', {
    'scripts/run.sh': '#!/bin/sh\necho scripted >&2\nexit 2\n',
  })
  // Kills the engine that runs it, once: its parent is the spawner, whose parent is the engine.
  const kills = `if mkdir '${join(base, 'killed')}' 2>/dev/null; then read -r _ _ _ engine _ < /proc/$PPID/stat; kill -9 "$engine"; fi`
  write('killer', 'Scripted', 'on_failure: closed\n', { 'scripts/run.sh': `#!/bin/sh\n${kills}\nexit 0\n` })
  const add = (cell: Cell, more: string, files?: Record<string, string>) => {
    cells.push(cell)
    write(toolOf(cell).toLowerCase(), toolOf(cell), `on_failure: ${cell.policy}\n${more}`, files)
  }
  for (const policy of POLICIES) {
    for (const [fault, text] of Object.entries(SCRIPTS)) {
      const script = text.startsWith('#!') ? text : `#!/bin/sh\n${text}`
      add({ fault, kind: 'script', policy }, '', text === '' ? {} : { 'scripts/run.sh': `${script}\n` })
    }
    for (const [fault, text] of Object.entries(MODULES))
      add(
        { fault, kind: 'module', policy },
        'run:\n  module: hook.js\n',
        text === '' ? {} : { 'hook.js': text },
      )
    for (const fault of HTTP) {
      const at =
        fault === 'nobody listens'
          ? 'http://127.0.0.1:9'
          : `http://127.0.0.1:${port}/${encodeURIComponent(fault)}`
      add({ fault, kind: 'http', policy }, `run:\n  http:\n    url: ${at}\n`)
    }
    add(
      { fault: 'no model answers', kind: 'prompt', policy },
      'run:\n  prompt:\n    template: May it?\n    model: none/none\n',
    )
  }
  writeConfig()
  return cells
}

function writeConfig(): void {
  mkdirSync(join(home, '.config/crosshook'), { recursive: true })
  writeFileSync(join(home, '.config/crosshook/config.toml'), 'allowed_hosts = ["127.0.0.1"]\n')
}

function toolOf({ fault, kind, policy }: Cell): string {
  return `T-${kind}-${fault}-${policy}`.replaceAll(/[^A-Za-z0-9]+/g, '-')
}

function install(): void {
  for (const part of ['cli', 'shared', 'lib', 'relay'])
    cpSync(join(root, 'dist', part), join(dist, part), { recursive: true })
  run('install', 'claude-code', '--yes')
}

function run(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.cjs'), ...args], {
    env,
    cwd: project,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  })
  if (status !== 0) throw new Error(`crosshook ${args.join(' ')}: ${stdout}${stderr}`)
}

/** Programs of hooks that were ended, or should have been. */
function reportLeft(): void {
  const { stdout } = spawnSync(
    '/bin/sh',
    [
      '-c',
      `for p in /proc/[0-9]*; do grep -qz '^HOME=${home}$' $p/environ 2>/dev/null && tr '\\0' ' ' < $p/cmdline && echo; done`,
    ],
    { encoding: 'utf8' },
  )
  for (const line of stdout.split('\n'))
    if (/^sleep|run\.sh/.test(line)) failures.push(`left behind: ${line}`)
}

/** Engines of this place and what they have started. */
function signalAll(signal: string): void {
  spawnSync('/bin/sh', [
    '-c',
    `for p in /proc/[0-9]*; do grep -qz '^HOME=${home}$' $p/environ 2>/dev/null && kill -${signal} \${p#/proc/}; done`,
  ])
}

function endAll(): void {
  signalAll('KILL')
  rmSync(join(state, 'engine.sock'), { force: true })
  rmSync(join(state, 'engine.starting'), { force: true })
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 1500 && !isTrue(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  if (!isTrue()) throw new Error('waited in vain')
}
