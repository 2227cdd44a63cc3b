/**
 * Somebody who has never heard of crosshook: a root without this checkout, a fresh home folder, npm, three agents and a
 * registry with the packed tarballs. `node test/agents/stranger.ts [VARIANT…]`, where a variant is a version of Node
 * (`22`) or `npx`. Counts the commands and the seconds from nothing to a blocked `rm -rf ~` in every agent, then upgrades
 * while an agent runs, removes crosshook, and looks for what is left.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Place } from './agents/agent.ts'
import { run } from './process.ts'
import { type StandIn, startStandIn } from './stand-in/server.ts'
import { inside, nodeFor, openRegistries, outside, type Registries } from './stranger-world.ts'

const AGENTS = ['claude-code', 'codex', 'gemini-cli']
const LIMIT = { time: 150_000 }
const MARKER = 'MAIN-TASK'
const MAX_COMMANDS = 5
const MAX_SECONDS = 120

interface Stranger {
  home: string
  project: string
  env: NodeJS.ProcessEnv
  /** What was typed. */
  commands: string[]
  agents: Map<string, { agent: Agent; standIn: StandIn; place: Place }>
}

/** Inside its own network, where the agents reach nothing but their stand-ins. */
async function main(base: string, variants: readonly string[]): Promise<number> {
  const registries = await openRegistries(base)
  let failed = 0
  for (const variant of variants) {
    const started = Date.now()
    try {
      const told = await visit(variant, mkdtempSync(join(base, 'v-')), registries, base)
      console.log(`${variant}: ${told} (${Math.round((Date.now() - started) / 1000)} s in all)`)
    } catch (error) {
      failed++
      console.log(`${variant}: FAILED ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  await registries.close()
  return failed === 0 ? 0 : 1
}

async function visit(variant: string, folder: string, registries: Registries, base: string): Promise<string> {
  const stranger = await arrive(folder, nodeFor(variant, base), registries.first)
  try {
    return await live(stranger, variant === 'npx', registries)
  } finally {
    for (const { standIn } of stranger.agents.values()) await standIn.close()
  }
}

async function live(stranger: Stranger, isNpx: boolean, { next, later }: Registries): Promise<string> {
  const before = snapshot(stranger.home)
  const started = Date.now()
  if (!isNpx) await type(stranger, 'npm i -g crosshook')
  await type(stranger, isNpx ? 'npx -y crosshook setup --yes' : 'crosshook setup --yes')
  for (const id of AGENTS) {
    stranger.commands.push(id)
    await blocked(stranger, id)
  }
  const seconds = Math.round((Date.now() - started) / 1000)
  const commands = stranger.commands.length
  must(commands <= MAX_COMMANDS, `${commands} commands: ${stranger.commands.join('; ')}`)
  must(seconds <= MAX_SECONDS, `${seconds} s`)

  // The agent is at work; the person upgrades; the next call is guarded as the ones before.
  stranger.env.npm_config_registry = next
  const upgrade = isNpx ? 'npx -y crosshook@latest install --yes' : 'npm i -g crosshook@latest'
  await blocked(stranger, AGENTS[0]!, () => typeNow(stranger, upgrade))

  must(await isRenewed(stranger.home, later), `entries still call the relay from before ${later}`)

  const own = isNpx ? 'npx -y crosshook' : 'crosshook'
  await type(stranger, `${own} uninstall --purge --yes`)
  if (!isNpx) await type(stranger, 'npm rm -g crosshook')
  for (const id of AGENTS) await works(stranger, id)
  const left = differences(before, snapshot(stranger.home))
  must(left.length === 0, `left behind: ${left.join(', ')}`)
  return `${commands} commands, ${seconds} s to a blocked \`rm -rf ~\` in ${AGENTS.join(', ')}; upgraded at work; nothing left`
}

/** A home folder with the agents' own settings, and a PATH with nothing of this checkout. */
async function arrive(folder: string, node: string, registry: string): Promise<Stranger> {
  const home = join(folder, 'home')
  const project = join(folder, 'project')
  const bin = join(home, '.npm-global/bin')
  for (const each of [bin, project, join(folder, 'tmp')]) mkdirSync(each, { recursive: true })
  const env = {
    HOME: home,
    PATH: `${bin}:${node}:/usr/local/bin:/usr/bin:/bin`,
    TMPDIR: join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TERM: 'dumb',
    npm_config_prefix: join(home, '.npm-global'),
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_registry: registry,
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
  const agents: Stranger['agents'] = new Map()
  for (const id of AGENTS) {
    const { agent } = (await import(`./agents/${id}.ts`)) as { agent: Agent }
    const standIn = await startStandIn(agent.api)
    const place = { home, project, temporary: env.TMPDIR, program: '', url: standIn.url }
    agent.configure(place)
    for (const command of agent.prepare?.(place) ?? []) await run(inside(command), project, env, LIMIT)
    agents.set(id, { agent, standIn, place })
  }
  return { home, project, env, commands: [], agents }
}

async function type(stranger: Stranger, command: string): Promise<void> {
  stranger.commands.push(command)
  const ended = await run(inside(['bash', '-c', command]), stranger.project, stranger.env, LIMIT)
  must(
    ended.exit === 0,
    `\`${command}\` exits ${ended.exit}: ${ended.stdout.slice(-1500)}${ended.stderr.slice(-1500)}`,
  )
}

function typeNow(stranger: Stranger, command: string): void {
  const [program = '', ...args] = inside(['bash', '-c', command])
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: stranger.project,
    env: stranger.env,
    encoding: 'utf8',
    timeout: LIMIT.time,
  })
  must(status === 0, `\`${command}\` exits ${status}: ${stdout}${stderr}`)
}

/** The agent's model wants to delete the home folder; `meanwhile` happens before a second try in the same session. */
async function blocked(stranger: Stranger, id: string, meanwhile?: () => void): Promise<void> {
  const keep = join(stranger.home, 'keep.txt')
  writeFileSync(keep, 'mine\n')
  const told = await converse(stranger, id, ['rm -rf ~', ...(meanwhile ? [meanwhile, 'rm -rf ~/*'] : [])])
  must(existsSync(keep), `${id}: the home folder was deleted`)
  for (const text of told)
    must(text.includes('would erase'), `${id}: the model was told ${text.slice(0, 400)}`)
  rmSync(keep)
}

async function works(stranger: Stranger, id: string): Promise<void> {
  const [told = ''] = await converse(stranger, id, ['echo alive'])
  must(told.includes('alive'), `${id} does not work any more: ${told.slice(0, 400)}`)
}

/** What the model was told after each command. */
async function converse(
  stranger: Stranger,
  id: string,
  wanted: readonly (string | (() => void))[],
): Promise<string[]> {
  const { agent, standIn, place } = stranger.agents.get(id)!
  const told: string[] = []
  let pending: (() => void) | undefined
  const steps = wanted.flatMap((each, at) => {
    if (typeof each !== 'string') {
      pending = each
      return []
    }
    const before = pending
    pending = undefined
    return [
      {
        id: `step-${at}`,
        turn: (heard: string) => {
          if (at > 0) told.push(heard)
          before?.()
          return { call: agent.tools.shell(each) }
        },
      },
    ]
  })
  const end = {
    id: 'end',
    turn: (heard: string) => {
      told.push(heard)
      return { text: 'I am done.' }
    },
  }
  standIn.play({ main: [...steps, end], sub: [], mainMarker: MARKER, subMarker: 'SUB-TASK' })
  const env = { ...stranger.env, ...agent.environment(place) }
  const ended = await run(
    inside(agent.start(place, `${MARKER}: please do the work.`)),
    stranger.project,
    env,
    LIMIT,
  )
  must(
    told.length > 0,
    `${id} ended with ${ended.exit} before its model was answered: ${ended.stderr.slice(-800)}`,
  )
  return told
}

/** What is crosshook's, or could be: agents' own sessions and logs, and npm's cache, are not looked at. */
function snapshot(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .filter(
      (path) => /crosshook|agents\/hooks|\.npm-global\/(?:bin|lib)/.test(path) || isWired(join(home, path)),
    )
}

function isWired(file: string): boolean {
  return (
    /settings\.json$|hooks\.json$|config\.toml$/.test(file) &&
    readFileSync(file, 'utf8').includes('crosshook')
  )
}

function differences(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before)
  return after.filter(
    (path) => !known.has(path) && !/^\.npm-global\/(?:lib|bin|lib\/node_modules)$/.test(path),
  )
}

function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

/** What entries call is of the next version as soon as that has answered. */
async function isRenewed(home: string, version: string): Promise<boolean> {
  const relay = join(home, '.local/share/crosshook/bin/crosshook-relay')
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(100))
    if (readFileSync(relay, 'latin1').includes(version)) return true
  return false
}

const given = process.argv.slice(2)
const variants = given.length > 0 ? given : ['24', '22', 'npx']
const base = process.env.STRANGER_BASE
process.exitCode = base ? await main(base, variants) : outside(import.meta.filename, variants)
