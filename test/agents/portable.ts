/**
 * The real agents in a repository that brings its wiring along (`install --portable`), on a machine where crosshook was
 * never installed: `node test/agents/portable.ts [AGENT…]`. Without the program nothing is done unguarded; with it, hooks
 * that are trusted decide; where crosshook is installed as well, each call is answered once.
 */

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { PORTABLE_HOOK } from '../portable-hook.ts'
import type { Agent, Place } from './agents/agent.ts'
import { installed, put } from './agents/files.ts'
import { isolation } from './isolation.ts'
import { run } from './process.ts'
import { mainOf, nodeOf } from './program.ts'
import { environment, scratch } from './scratch.ts'
import { type StandIn, startStandIn } from './stand-in/server.ts'
import { readJournal } from './wire.ts'

const AGENTS = ['claude-code', 'gemini-cli', 'copilot']
const MARKER = 'MAIN-TASK'
const LIMIT = { time: 120_000 }

interface Visit {
  agent: Agent
  place: Place
  standIn: StandIn
  env: NodeJS.ProcessEnv
}

async function visit(id: string): Promise<void> {
  const { agent } = (await import(`./agents/${id}.ts`)) as { agent: Agent }
  const standIn = await startStandIn(agent.api)
  try {
    const place = scratch(standIn.url)
    agent.configure(place)
    const bin = join(place.home, 'bin')
    mkdirSync(bin)
    const env = { ...environment(place), ...agent.environment(place) }
    const guest = { agent, place, standIn, env: { ...env, PATH: `${bin}:${env.PATH}` } }
    for (const command of agent.prepare?.(place) ?? []) await run(command, place.project, guest.env, LIMIT)
    await live(guest, bin)
  } finally {
    await standIn.close()
  }
}

async function live(guest: Visit, bin: string): Promise<void> {
  const { agent, place } = guest
  put(join(place.project, '.git/HEAD'), 'ref: refs/heads/main\n')
  put(join(place.project, '.agents/hooks/no-delete/HOOK.md'), PORTABLE_HOOK)
  crosshook(guest, `install --portable ${agent.id} --yes`)
  const without = await tries(guest)
  must(without.isKept, 'without the program: it was deleted')
  must(
    without.said.includes('crosshook cannot check this'),
    `nobody was told why: ${without.said.slice(-800)}`,
  )

  const program = `exec '${nodeOf(place)}' '${mainOf(place)}' "$@"`
  writeFileSync(join(bin, 'crosshook'), `#!/bin/sh\n${program}\n`)
  chmodSync(join(bin, 'crosshook'), 0o755)
  crosshook(guest, 'trust --yes')
  const guarded = await tries(guest)
  must(guarded.isKept, 'with a trusted hook: it was deleted')
  must(guarded.said.includes('not in this repository'), `the model was told ${guarded.said.slice(-800)}`)

  crosshook(guest, `install ${agent.id} --yes`)
  const before = await calls(guest)
  const both = await tries(guest)
  must(both.isKept && both.said.includes('not in this repository'), 'with both: not guarded')
  const judged = (await calls(guest)) - before
  must(judged === 1, `one call was judged ${judged} times`)
}

/** The model deletes a file; was it kept, and what was said to the model and on the terminal? */
async function tries({ agent, place, standIn, env }: Visit): Promise<{ isKept: boolean; said: string }> {
  const file = join(place.project, 'data.txt')
  writeFileSync(file, 'mine\n')
  let heard = ''
  const end = (text: string) => {
    heard += text
    return { text: 'I am done.' }
  }
  const call = { call: agent.tools.shell('rm data.txt') }
  standIn.play({
    main: [
      { id: 'call', turn: call },
      { id: 'end', turn: end },
    ],
    sub: [],
    mainMarker: MARKER,
    subMarker: 'SUB-TASK',
  })
  const ended = await run(agent.start(place, `${MARKER}: please do the work.`), place.project, env, LIMIT)
  return { isKept: existsSync(file), said: heard + ended.stdout + ended.stderr }
}

function crosshook({ place, env }: Visit, args: string): string {
  const { status, stdout, stderr } = spawnSync(nodeOf(place), [mainOf(place), ...args.split(' ')], {
    cwd: place.project,
    env,
    encoding: 'utf8',
  })
  must(status === 0, `crosshook ${args}: ${stdout}${stderr}`)
  return stdout
}

/** Calls of tools in the journal that a hook has refused. */
async function calls({ place, env }: Visit): Promise<number> {
  const records = await readJournal(place, env, 0)
  return records.filter(({ event, decision }) => event === 'before_tool' && decision === 'deny').length
}

function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

async function inside(agents: readonly string[]): Promise<number> {
  let failed = 0
  const one = async (id: string) => {
    const started = Date.now()
    try {
      await visit(id)
      console.log(`${id}: ok (${Math.round((Date.now() - started) / 1000)} s)`)
    } catch (error) {
      failed++
      console.log(`${id}: FAILED ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const queue = [...agents]
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) await one(id)
  }
  await Promise.all([worker(), worker()])
  return failed === 0 ? 0 : 1
}

/** Again, where only loopback exists. */
function outside(agents: readonly string[]): number {
  if (!existsSync(installed('.'))) {
    console.error('The agents are not installed: npm run test:agents does it.')
    return 1
  }
  const base = realpathSync(mkdtempSync(join(homedir(), '.cache/portable-')))
  const { prefix, note } = isolation()
  if (note) console.log(note)
  const [program = '', ...args] = [...prefix, process.execPath, import.meta.filename, ...agents]
  const env = { ...process.env, TMPDIR: base, PORTABLE_INSIDE: '1' }
  try {
    return spawnSync(program, args, { env, stdio: 'inherit' }).status ?? 1
  } finally {
    if (!process.env.KEEP_SCRATCH) rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  }
}

const given = process.argv.slice(2)
const agents = given.length > 0 ? given : AGENTS
process.exitCode = process.env.PORTABLE_INSIDE ? await inside(agents) : outside(agents)
