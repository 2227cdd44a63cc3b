/**
 * `npm run check:kills [-- KILLS]`: calls come by the installed entry, by HTTP and by the command line while relays,
 * engines, hosts and commands that read the journal are killed at random moments. Every decision that a caller has got
 * must be in the journal, and no decision twice.
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Asked, ask, type Door } from './silence/doors.ts'
import { makeHooks } from './silence/hooks.ts'
import { base, crosshook, dist, endAll, env, home, makePlace, project, state } from './silence/place.ts'

const wanted = Number(process.argv[2] ?? 1000)
const MAX_PAUSE_MS = 150

/** The kinds of processes to kill, recognised by their command lines. The kind killed least often is next. */
const VICTIMS: Record<string, RegExp> = {
  relay: /^\S+\/PreToolUse hook .*--entry=/,
  engine: /main\.cjs engine|engine\.cjs|\.cjs engine/,
  host: /\.cjs daemon/,
  'take-in by log': /main\.cjs log/,
  verify: /main\.cjs verify/,
  'fire on the command line': /main\.cjs fire/,
}
const kills: Record<string, number> = Object.fromEntries(Object.keys(VICTIMS).map((name) => [name, 0]))
const answered: Asked[] = []
const complaints: string[] = []
let calls = 0
let fired = 0
let isOver = false

try {
  await main()
} finally {
  endAll()
  rmSync(base, { recursive: true, force: true, maxRetries: 5 })
}
for (const complaint of complaints.slice(0, 20)) console.error(`✗ ${complaint}`)
process.exitCode = complaints.length === 0 ? 0 : 1

async function main(): Promise<void> {
  makePlace()
  makeHooks(9)
  crosshook(['install', 'claude-code', '--yes'])
  await Promise.all([
    killing().finally(() => {
      isOver = true
    }),
    calling('relay warm'),
    calling('relay warm'),
    calling('HTTP'),
    repeating(() => fire()),
    repeating(() => command(['log', '--json', '--limit', '3'])),
    repeating(() => command(['verify', '--journal'])),
    repeating(async () => {
      // A running host answers the relays, too. Without one they start an engine.
      const isHostsTurn = Math.floor(killsSoFar() / 100) % 2 === 0
      if (isHostsTurn) await command(['daemon', 'start'])
      else if (existsSync(join(state, 'daemon.json'))) await command(['daemon', 'stop'])
      await setTimeout(200)
    }),
  ])
  endAll()
  check()
}

async function killing(): Promise<void> {
  while (killsSoFar() < wanted) {
    await setTimeout(Math.random() * MAX_PAUSE_MS)
    const rarest = Object.keys(kills).sort((a, b) => kills[a]! - kills[b]!)
    const name = rarest.find((each) => pick(VICTIMS[each]!) !== undefined)
    const pid = name && pick(VICTIMS[name]!)
    if (!pid) continue
    try {
      process.kill(pid, 'SIGKILL')
      kills[name!]!++
    } catch {
      // It has just ended by itself.
    }
  }
}

function killsSoFar(): number {
  return Object.values(kills).reduce((sum, count) => sum + count)
}

function pick(words: RegExp): number | undefined {
  const found = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return (
        words.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')) &&
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${home}\0`)
      )
    } catch {
      return false
    }
  })
  const one = found[Math.floor(Math.random() * found.length)]
  return one === undefined ? undefined : Number(one)
}

async function repeating(work: () => Promise<unknown>): Promise<void> {
  while (!isOver) await work()
}

/** `Fixed` is always denied with the guard's word: an answer without it is no decision of the guard. */
async function calling(door: Door): Promise<void> {
  while (!isOver) {
    calls++
    const asked = await ask(door, 'Fixed')
    if (asked.decision === 'allow' && door !== 'relay warm')
      complaints.push(`${asked.session}: allowed by ${door}`)
    // A killed relay gives no decision, and its agent sees the signal.
    if (asked.text.includes('fixed')) answered.push(asked)
    else if (asked.decision === 'allow' && asked.text !== '')
      complaints.push(`${asked.session}: ${asked.decision}: ${asked.text.slice(0, 300)}`)
    if (asked.decision === 'error') await setTimeout(20)
  }
}

async function fire(): Promise<void> {
  calls++
  const session = `f${++fired}`
  const event = { tool_name: 'Fixed', tool_input: { command: 'ls' }, work_dir: project, session_id: session }
  const out = await command(['fire', 'before_tool', '--json'], JSON.stringify(event))
  if (!out.includes('"decision"')) return
  const { decision } = JSON.parse(out) as { decision: Asked['decision'] }
  if (decision !== 'deny') complaints.push(`${session}: fire: ${out.slice(0, 300)}`)
  answered.push({ session, tool: 'Fixed', decision, told: true, text: out, ms: 0 })
}

function command(words: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(dist, 'cli/main.cjs'), ...words], { env, cwd: project })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.resume()
    child.once('close', (status, signal) => {
      if (words[0] === 'verify' && signal === null && status !== 0)
        complaints.push(`verify --journal while others write, exit ${status}: ${out.slice(0, 500)}`)
      resolve(out)
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

function check(): void {
  const log = crosshook(['log', '--json', '--limit', '1000000'])
  const entries = log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: string; session_id: string; decision: string })
  const bySession = Map.groupBy(entries, ({ session_id }) => session_id)
  const lost = answered.filter(({ session }) => !bySession.has(session))
  const ids = new Set(entries.map(({ id }) => id))
  // The engine had recorded its decision when it was killed before it could answer; the relay then decided by itself.
  const repeated = answered.filter(({ session }) => (bySession.get(session)?.length ?? 0) > 1)
  complaints.push(...lost.map(({ session }) => `${session}: answered, and not in the journal`))
  if (ids.size !== entries.length) complaints.push(`${entries.length - ids.size} records twice`)
  complaints.push(
    ...answered
      .filter(({ session }) => bySession.get(session)?.some(({ decision }) => decision !== 'deny'))
      .map(({ session }) => `${session}: recorded with another decision`),
  )
  try {
    crosshook(['verify', '--journal'])
  } catch (error) {
    complaints.push(`verify --journal: ${(error as Error).message}`)
  }
  for (const [name, count] of Object.entries(kills)) console.log(`${count} kills: ${name}`)
  console.log(
    `${calls} calls, ${answered.length} decisions answered, ${lost.length} of them not in the journal, ` +
      `${entries.length - ids.size} records twice, ${repeated.length} calls decided anew after the engine was killed`,
  )
}
