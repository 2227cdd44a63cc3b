/**
 * The real agents, headless, each against a stand-in for its model: `node run.ts [AGENT…]`.
 * Prints a table, writes results.json, and exits 1 when something failed.
 */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { areInstalled } from './agents/files.ts'
import { isolation } from './isolation.ts'
import { report } from './report.ts'
import type { Result } from './visit.ts'
import { PROGRAM } from './wire.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
/** Not below /tmp, where confined commands may write. Short: the paths of sockets below it are limited. */
const SCRATCH = join(homedir(), '.cache')
const SIDE_BY_SIDE = 2
const LIMIT = 600_000
/** Those that take longest begin first. */
const SLOW = ['kilo', 'opencode', 'cline']

async function main(wanted: string[]): Promise<number> {
  const known = readdirSync(join(HERE, 'agents'))
    .filter((file) => readFileSync(join(HERE, 'agents', file), 'utf8').includes('export const agent'))
    .map((file) => file.replace('.ts', ''))
  const unknown = wanted.filter((id) => !known.includes(id))
  if (unknown.length > 0) {
    console.error(`No such agent: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
    return 1
  }
  if (!isReady()) return 1
  const { prefix, note } = isolation()
  if (note) console.log(note)
  const queue = known
    .filter((id) => wanted.length === 0 || wanted.includes(id))
    .sort((a, b) => Number(SLOW.includes(b)) - Number(SLOW.includes(a)))
  const results: Result[] = []
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const start = Date.now()
      const of = await visit(id, prefix)
      results.push(...of)
      const failed = failures(of)
      const seconds = Math.round((Date.now() - start) / 1000)
      console.log(`${id}: ${failed === 0 ? 'ok' : `${failed} failed`} (${seconds} s)`)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
  writeFileSync(join(HERE, 'results.json'), `${JSON.stringify(merged(results), null, 2)}\n`)
  if (process.env.RECORD) writeFileSync(join(HERE, 'proven.json'), proven(merged(results)))
  console.log(report(results))
  return results.some(({ status }) => status === 'fail') ? 1 : 0
}

/** What the support table is made from: `RECORD=1 npm run test:agents`, then `npm run generate`. */
function proven(results: Result[]): string {
  const rows = results.map(({ agent, version, scenario, status }) =>
    JSON.stringify({ agent, version, scenario, status }),
  )
  return `[\n  ${rows.join(',\n  ')}\n]\n`
}

function failures(results: Result[]): number {
  return results.filter(({ status }) => status === 'fail').length
}

/** All scenarios with one agent, in a process of its own. */
function visit(id: string, prefix: string[]): Promise<Result[]> {
  mkdirSync(SCRATCH, { recursive: true })
  const folder = mkdtempSync(join(SCRATCH, 'visit-'))
  const file = join(folder, 'results.json')
  const [program = '', ...args] = [...prefix, process.execPath, join(HERE, 'visit.ts'), id, file]
  return new Promise((resolve) => {
    const env = { ...process.env, TMPDIR: folder }
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (data) => {
      stderr += data
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT)
    child.on('exit', () => {
      clearTimeout(timer)
      const results: Result[] = existsSync(file)
        ? JSON.parse(readFileSync(file, 'utf8'))
        : [{ agent: id, version: '', scenario: 'run', status: 'fail', seen: stderr.trim().slice(-2000) }]
      if (process.env.KEEP_SCRATCH) console.log(`${id}: kept in ${folder}`)
      else rmSync(folder, { recursive: true, force: true })
      resolve(results)
    })
  })
}

function isReady(): boolean {
  if (!areInstalled()) {
    console.log('Installing the agents (about 4 GB, once) …')
    const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: HERE,
      stdio: 'inherit',
    })
    if (status !== 0) return false
  }
  if (!isPythonReady()) return false
  const built = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' })
  if (built.status !== 0) console.error(built.stderr)
  return built.status === 0
}

/** Agents that are Python packages have an environment of their own, made anew when the pins change. */
function isPythonReady(): boolean {
  const venv = join(HERE, '.venv')
  const pins = readFileSync(join(HERE, 'requirements.txt'), 'utf8')
  const done = join(venv, 'requirements.txt')
  if (existsSync(done) && readFileSync(done, 'utf8') === pins) return true
  const steps = [
    ['python3', '-m', 'venv', '--clear', venv],
    [join(venv, 'bin/pip'), 'install', '--quiet', '-r', join(HERE, 'requirements.txt')],
  ]
  for (const [program = '', ...args] of steps)
    if (spawnSync(program, args, { stdio: 'inherit' }).status !== 0) return false
  writeFileSync(done, pins)
  return true
}

/** A run of some agents keeps what is known of the others. */
function merged(results: Result[]): Result[] {
  const file = join(HERE, 'results.json')
  const old: Result[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  const now = new Set(results.map(({ agent }) => agent))
  return [...old.filter(({ agent }) => !now.has(agent)), ...results].sort((a, b) =>
    a.agent.localeCompare(b.agent),
  )
}

process.exitCode = await main(process.argv.slice(2))
