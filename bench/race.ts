/**
 * The race: what a hook call costs an agent. All runners take turns in one run; medians are compared.
 * `node bench/race.ts [ROUNDS]` prints the table; with `--chart` it also draws docs/race.svg. `--against=FOLDER` races
 * another checkout of crosshook beside this one, built in the same way. `--realtime` (Linux, root) runs everything before
 * other processes of the machine, for one that is never idle.
 * What runs is what a user gets: the installed entry, and the released relay where `npm run build:relay` has made it.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { FLAGS } from '../src/host/relay/start.ts'
import { median } from './measure.ts'
import { drawChart } from './race-chart.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const here = programIn(root)
const against = process.argv.find((arg) => arg.startsWith('--against='))?.slice('--against='.length)
const other = against === undefined ? undefined : programIn(against)
const first = process.argv.includes('--realtime') ? ['chrt', '-f', '10'] : []
const peer = join(root, 'node_modules/cc-safety-net/dist/bin/cc-safety-net.js')

interface Program {
  main: string
  relay: string
  isReleased: boolean
}

interface Runner {
  argv: readonly string[]
  env: NodeJS.ProcessEnv
  input: Buffer
  /** Its answer must say so: a runner that decides nothing has not run the race. */
  expects?: string
  /** The warm process behind it, whose time counts too. */
  engine?: ChildProcess
}

interface Result {
  median: number
  least: number
  p95: number
  /** Of the program, and of the engine behind it. */
  cpu: number
}

const OUTCOME = 'outcome:\n  decision: deny\n  reason: not here\n'
const WARM_UP = 5
const rounds = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 60)
const scratch = mkdtempSync(join(tmpdir(), 'xh-race-'))
const engines: ChildProcess[] = []
try {
  const runners = await prepare()
  const results = race(runners)
  report(results)
  if (process.argv.includes('--chart')) drawChart(join(root, 'docs/race.svg'), results, rounds)
} finally {
  for (const engine of engines) engine.kill()
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
}

async function prepare(): Promise<Record<string, Runner>> {
  const payload = (pad: string, tool = 'Bash') =>
    Buffer.from(
      JSON.stringify({
        session_id: 'race',
        transcript_path: join(scratch, 'transcript.jsonl'),
        cwd: scratch,
        permission_mode: 'default',
        hook_event_name: 'PreToolUse',
        tool_name: tool,
        tool_input: { command: 'git reset --hard', description: pad },
        tool_use_id: 'toolu_race',
      }),
    )
  const small = payload('Throw everything away')
  const line = 'A line of text as it stands in a file that an agent writes, eighty letters long\n'
  const large = payload(line.repeat(10_000_000 / line.length))
  const plain = { PATH: process.env.PATH, HOME: scratch }
  const script = executable('direct.sh', '#!/bin/bash\nread -r -d "" input\necho "not here" >&2\nexit 2\n')
  const words = ({ env, program }: Home) => {
    const entry = `${env.HOME}/.local/state/crosshook/install/entries/claude-code.entry`
    const given = existsSync(entry) ? [`--entry=${entry}`] : []
    return [program.relay, 'hook', 'claude-code', 'PreToolUse', ...given]
  }
  const call = (home: Home, input = small): Runner => ({
    argv: words(home),
    env: home.env,
    input,
    expects: 'deny',
    engine: home.engine,
  })
  // A user has one engine, with hooks of every kind; of each event one of them matches.
  const modular: Guard = {
    tool: 'Modular',
    more: 'run:\n  module: hook.js\n',
    files: { 'hook.js': "export default () => ({ decision: 'deny', reason: 'not here' })\n" },
  }
  const scripted: Guard = {
    tool: 'Scripted',
    more: '',
    files: { 'scripts/run.sh': readFileSync(script, 'utf8') },
  }
  const homes = {
    1: await home(here, 1),
    10: await home(here, 10),
    50: await home(here, 50, modular, scripted),
    100: await home(here, 100),
  }
  const through = (used: Home): Runner => ({
    ...call(used),
    argv: ['/bin/sh', '-c', `test -x '${used.program.relay}' && exec ${words(used).join(' ')}; exit 2`],
  })
  /** The same call where no engine may be used; an entry says so itself. */
  const alone = (used: Home): Runner => {
    const [entry, ...before] = words(used).reverse()
    const file = join(used.env.HOME!, 'alone.entry')
    const isEntry = entry!.startsWith('--entry=')
    if (isEntry) {
      const text = readFileSync(entry!.slice('--entry='.length), 'utf8')
      writeFileSync(file, text.replace('clear\tCROSSHOOK_NO_DAEMON', 'set\tCROSSHOOK_NO_DAEMON=1'), {
        mode: 0o600,
      })
    }
    return {
      argv: isEntry ? [...before.reverse(), `--entry=${file}`] : words(used),
      env: { ...used.env, CROSSHOOK_NO_DAEMON: '1' },
      input: small,
      expects: 'deny',
    }
  }
  /** Nobody's agent starts it like this: without the relay, and without the options of its entry. */
  const byHand = ({ program, env }: Home): Runner => ({
    argv: [process.execPath, program.main, 'hook', 'claude-code', 'PreToolUse'],
    env: { ...env, CROSSHOOK_NO_DAEMON: '1' },
    input: small,
    expects: 'deny',
  })
  const rival = other && (await home(other, 50, modular, scripted))
  return {
    '/bin/true': { argv: ['/bin/true'], env: plain, input: small },
    'relay, 1 hook': call(homes[1]),
    'relay, 10 hooks': call(homes[10]),
    'relay, 50 hooks': call(homes[50]),
    'relay, 100 hooks': call(homes[100]),
    // As an agent without arguments in its entries starts it.
    'relay through sh -c': through(homes[50]),
    'relay, module hook': call(homes[50], payload('Throw everything away', modular.tool)),
    'relay, bash hook': call(homes[50], payload('Throw everything away', scripted.tool)),
    'bash script': { argv: [script], env: plain, input: small },
    ...(rival && {
      'other, 50 hooks': call(rival),
      'other through sh -c': through(rival),
      'other, module hook': call(rival, payload('Throw everything away', modular.tool)),
      'other, bash hook': call(rival, payload('Throw everything away', scripted.tool)),
    }),
    // An engine collects garbage after a large payload, so a slow case comes next, on which this has little effect.
    'cat, 10 MB': { argv: ['cat'], env: plain, input: large },
    'relay, 10 MB': call(homes[50], large),
    // A large payload changes an engine's memory for the calls after it, so both engines get it.
    ...(rival && { 'other, 10 MB': call(rival, large) }),
    python3: { argv: ['python3', executable('empty.py', '')], env: plain, input: small },
    'empty node': { argv: [process.execPath, executable('empty.js', '')], env: plain, input: small },
    'relay, no engine': alone(homes[50]),
    ...(rival && { 'other, no engine': alone(rival) }),
    'node alone': byHand(homes[50]),
    ...(rival && { 'other, node alone': byHand(rival) }),
    'cc-safety-net': {
      argv: [process.execPath, peer, 'hook', '--claude-code'],
      env: plain,
      input: small,
      expects: 'deny',
    },
  }
}

/** The place in a round counts: the caches are warmer after some cases. So for half of the rounds the other checkout takes our place. */
function partnerOf(name: string): string {
  const partners = ['50 hooks', 'through sh -c', 'module hook', 'bash hook', '10 MB', 'no engine'].map(
    (what) => ['relay', 'other'].map((whose) => `${whose}${what.startsWith('through') ? '' : ','} ${what}`),
  )
  partners.push(['node alone', 'other, node alone'])
  const [ours, theirs] = partners.find((pair) => pair.includes(name)) ?? [name, name]
  return name === ours ? theirs! : ours!
}

/** The programs are started by a small program in C: what Node spends on starting one would hide the differences. */
function race(runners: Record<string, Runner>): Record<string, Result> {
  const names = Object.keys(runners)
  const folders = names.map((name) => writeRunner(runners[name]!))
  const launch = join(scratch, 'launch')
  const built = spawnSync('cc', ['-O2', '-o', launch, join(root, 'bench/launch.c')], { encoding: 'utf8' })
  if (built.status !== 0)
    throw new Error(`the race needs a C compiler: ${built.error?.message ?? built.stderr}`)
  // Warm-up: an engine lives for hours, so calls before its code is compiled are not measured.
  const warm = folders.filter((_, i) => runners[names[i]!]!.engine && !names[i]!.includes('MB'))
  const [program = launch, ...args] = [...first, launch]
  spawnSync(program, [...args, '100', ...warm], { stdio: 'ignore', cwd: scratch })
  const orders = other ? [names, names.map(partnerOf)] : [names]
  const runs = orders.flatMap((order) => {
    const count = Math.ceil(rounds / orders.length) + WARM_UP
    const { stdout, status, stderr } = spawnSync(
      program,
      [...args, String(count), ...order.map((name) => folders[names.indexOf(name)]!)],
      { encoding: 'utf8', cwd: scratch, maxBuffer: 1 << 28 },
    )
    if (status !== 0) throw new Error(`launch: ${stderr}`)
    return stdout
      .trimEnd()
      .split('\n')
      .slice(WARM_UP * order.length)
      .map((text) => text.split('\t'))
      .map(([number, ...rest]) => [order[Number(number)]!, ...rest])
  })
  const engineCpu = names.map((name, i) => engineTime(runners[name]!, launch, folders[i]!))
  return Object.fromEntries(
    names.map((name, i) => {
      const own = runs.filter(([of]) => of === name)
      const { expects } = runners[name]!
      const wrong = own.find(([, , , said]) => expects !== undefined && !said!.includes(expects))
      if (wrong) throw new Error(`${name} answered ${JSON.stringify(wrong[3])}`)
      const times = own.map(([, nanoseconds]) => Number(nanoseconds) / 1e6)
      const sorted = times.toSorted((x, y) => x - y)
      const cpu = median(own.map(([, , microseconds]) => Number(microseconds) / 1000))
      return [
        name,
        {
          median: median(sorted),
          least: sorted[0]!,
          p95: sorted[Math.floor(sorted.length * 0.95)]!,
          cpu: cpu + engineCpu[i]!,
        },
      ]
    }),
  )
}

function writeRunner({ argv, env, input }: Runner): string {
  const folder = mkdtempSync(join(scratch, 'r-'))
  const texts = (list: readonly string[]) => list.map((text) => `${text}\0`).join('')
  writeFileSync(join(folder, 'argv'), texts(argv))
  writeFileSync(join(folder, 'env'), texts(Object.entries(env).map(([name, value]) => `${name}=${value}`)))
  writeFileSync(join(folder, 'input'), input)
  return folder
}

/** CPU milliseconds of the engine and its children per call: averaged over many calls, because the kernel counts in steps of 10 ms. */
function engineTime({ engine, input }: Runner, launch: string, folder: string): number {
  if (engine?.pid === undefined || !existsSync(`/proc/${engine.pid}/stat`)) return 0
  const calls = input.length > 1_000_000 ? 20 : 200
  const before = timeOf(engine.pid)
  spawnSync(launch, [String(calls), folder], { stdio: 'ignore', cwd: scratch })
  return (timeOf(engine.pid) - before) / calls
}

function timeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + timeOf(Number(child)), own)
}

function report(results: Record<string, Result>): void {
  const of = (name: string) => results[name]!.median
  console.log(
    `${here.isReleased ? 'the released relay' : 'the relay of this build'}; ${rounds} interleaved rounds; milliseconds\n`,
  )
  console.log(`${''.padEnd(22)} median   least     p95     cpu   × /bin/true`)
  for (const [name, { median: middle, least, p95, cpu }] of Object.entries(results))
    console.log(
      `${name.padEnd(22)} ${middle.toFixed(2).padStart(6)} ${least.toFixed(2).padStart(7)} ${p95.toFixed(2).padStart(7)} ${cpu.toFixed(2).padStart(7)} ${(middle / of('/bin/true')).toFixed(2).padStart(8)}`,
    )
  const rows: [string, number, '≤' | '≥', number][] = [
    ['relay, 50 hooks ÷ /bin/true', of('relay, 50 hooks') / of('/bin/true'), '≤', 1.6],
    ['relay through sh -c ÷ /bin/true', of('relay through sh -c') / of('/bin/true'), '≤', 2.2],
    ['empty node ÷ relay, 50 hooks', of('empty node') / of('relay, 50 hooks'), '≥', 10],
    ['cc-safety-net ÷ relay, 50 hooks', of('cc-safety-net') / of('relay, 50 hooks'), '≥', 25],
    ['relay, module hook ÷ /bin/true', of('relay, module hook') / of('/bin/true'), '≤', 3],
    [
      'relay, bash hook ÷ (/bin/true + the script)',
      of('relay, bash hook') / (of('/bin/true') + of('bash script')),
      '≤',
      1.3,
    ],
    ['relay, no engine, 50 hooks ÷ empty node', of('relay, no engine') / of('empty node'), '≤', 1.45],
    ['node alone, 50 hooks ÷ empty node', of('node alone') / of('empty node'), '≤', 1.5],
    ['relay, 100 hooks ÷ relay, 1 hook', of('relay, 100 hooks') / of('relay, 1 hook'), '≤', 1.2],
    ['relay, 10 MB ÷ cat, 10 MB', of('relay, 10 MB') / of('cat, 10 MB'), '≤', 3],
  ]
  if (other)
    rows.push(
      ['relay, 50 hooks ÷ other, 50 hooks', of('relay, 50 hooks') / of('other, 50 hooks'), '≤', 1.05],
      [
        'relay, module hook ÷ other, module hook',
        of('relay, module hook') / of('other, module hook'),
        '≤',
        1.05,
      ],
      ['relay, bash hook ÷ other, bash hook', of('relay, bash hook') / of('other, bash hook'), '≤', 1.05],
      ['relay, no engine ÷ other, no engine', of('relay, no engine') / of('other, no engine'), '≤', 1.05],
      ['node alone ÷ other, node alone', of('node alone') / of('other, node alone'), '≤', 1.05],
    )
  console.log('')
  for (const [what, ratio, sign, target] of rows) {
    const met = sign === '≤' ? ratio <= target : ratio >= target
    console.log(`${what.padEnd(46)} ${ratio.toFixed(2).padStart(6)}  ${sign} ${target} ${met ? '✓' : '✗'}`)
  }
}

interface Home {
  program: Program
  env: NodeJS.ProcessEnv
  engine: ChildProcess
}

interface Guard {
  tool: string
  more: string
  files?: Record<string, string>
}

/** So many hooks, of which one guards the shell and others what they are given for, and a warm engine for them. */
async function home(program: Program, count: number, ...others: Guard[]): Promise<Home> {
  const folder = mkdtempSync(join(scratch, 'h-'))
  const hooks = join(folder, '.config/agents/hooks')
  const write = (name: string, tool: string, more: string) => {
    mkdirSync(join(hooks, name), { recursive: true })
    writeFileSync(
      join(hooks, name, 'HOOK.md'),
      `---\nname: ${name}\ndescription: A hook of the race.\ntrigger: before_tool\nmatcher:\n  tool: ${tool}\n${more}---\n`,
    )
  }
  const guards: Guard[] = [{ tool: 'Shell', more: OUTCOME }, ...others]
  for (let i = guards.length; i < count; i++) write(`other-${i}`, `Other${i}`, OUTCOME)
  for (const { tool, more, files = {} } of guards) {
    const name = `guard-${tool.toLowerCase()}`
    write(name, tool, more)
    for (const [path, text] of Object.entries(files)) {
      const file = join(hooks, name, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      chmodSync(file, 0o755)
    }
  }
  const env = { PATH: process.env.PATH, HOME: folder }
  const installed = spawnSync(process.execPath, [program.main, 'install', 'claude-code', '--yes'], {
    env,
    encoding: 'utf8',
  })
  if (installed.status !== 0) throw new Error(`install: ${installed.stdout}${installed.stderr}`)
  const [start = process.execPath, ...more] = [...first, process.execPath]
  const args = [...more, ...FLAGS, program.main, 'engine']
  const engine = spawn(start, args, { env, cwd: '/', stdio: 'ignore' })
  engines.push(engine)
  for (let i = 0; !existsSync(join(folder, '.local/state/crosshook/engine.sock')); i++) {
    if (i > 500) throw new Error('the engine does not start')
    await sleep(20)
  }
  return { program, env, engine }
}

/** The built program of a checkout, with the released relay where there is one. */
function programIn(checkout: string): Program {
  const platform = `relay-${process.platform}-${process.arch}`
  const released = join(checkout, 'dist.packages', platform, 'bin/crosshook-relay')
  const isReleased = existsSync(released)
  const built = join(checkout, 'dist/relay/crosshook-relay')
  const main = join(checkout, 'dist/cli/main.cjs')
  // A relay of 0.1 finds its program by this file, which the installation of its package writes.
  if (isReleased) writeFileSync(`${released}.cold`, `${process.execPath}\n${main}\n`)
  return { main, relay: isReleased ? released : built, isReleased }
}

function executable(name: string, text: string): string {
  const file = join(scratch, name)
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return file
}
