/**
 * kill -9 at random moments of add, update and remove: afterwards the hooks are the old ones or the new ones, never
 * something between, for whoever reads the folder; and the next command finds folder and lock in agreement.
 * CROSSHOOK_KILL_ROUNDS sets the number of kills.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSource } from '../../src/config/load.ts'
import { FOLDER_FORMAT } from '../../src/dialects/list.ts'
import { finishChange } from '../../src/packs/change.ts'
import { CASES, denies, type Machine, makeMachine, program, writePack } from './place.ts'
import { type Static, staticServer } from './servers.ts'

const ROUNDS = Number(process.env.CROSSHOOK_KILL_ROUNDS ?? 24)

let machine: Machine
let server: Static
let web: string
beforeAll(async () => {
  machine = makeMachine()
  await machine.json('key', 'new')
  web = join(machine.root, 'web')
  for (const version of ['1.0.0', '2.0.0']) {
    const source = join(machine.root, version)
    const names = version === '1.0.0' ? ['one', 'two', 'three'] : ['one', 'two', 'four']
    const hooks = Object.fromEntries(
      names.map((name) => [
        name,
        {
          'HOOK.md': `---\nname: ${name}\n${denies(version)}---\n`,
          'cases.yaml': CASES,
          ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`data/${at}`, version.repeat(500)])),
        },
      ]),
    )
    writePack(source, { version, hooks })
    await machine.json('publish', source, '--to', web)
    cpSync(join(web, 'pack.json'), join(machine.root, `${version}.json`))
  }
  server = await staticServer(web)
})
afterAll(() => {
  server.close()
  machine.remove()
})

/** What the server lists when the operation begins. */
const listed = (name: string) =>
  cpSync(join(machine.root, name === 'add' ? '1.0.0.json' : '2.0.0.json'), join(web, 'pack.json'))

/** Hook → version, as the engine would load them. */
async function seen(): Promise<Record<string, unknown>> {
  const { hooks, problems } = await readSource({ path: machine.hooks, format: FOLDER_FORMAT }, 'user').catch(
    () => ({ hooks: [], problems: [] }),
  )
  expect(problems.filter(({ level }) => level === 'error')).toEqual([])
  return Object.fromEntries(
    hooks.map(({ name, run }) => [name, run.type === 'outcome' ? run.outcome.reason : '?']),
  )
}

/** Changes that one operation makes in the folder of hooks itself. */
const MAX_EVENTS = 16

const OLD = { one: '1.0.0', two: '1.0.0', three: '1.0.0' }
const NEW = { one: '2.0.0', two: '2.0.0', four: '2.0.0' }
const OPERATIONS: [string, string[], Record<string, unknown>, Record<string, unknown>][] = [
  ['add', ['add', 'URL', '--yes', '--json'], {}, OLD],
  ['update', ['update', '--yes', '--more-rights', '--no-replay', '--cooldown', '0', '--json'], OLD, NEW],
  ['remove', ['remove', 'acme/guards', '--json'], NEW, {}],
]

it(`holds for ${ROUNDS} kills`, { timeout: 3_600_000 }, async () => {
  const kept = join(machine.root, 'kept')
  const duration: Record<string, number> = {}
  // Once undisturbed: what lies before and after each operation, and how long it takes.
  for (const [name, args, before] of OPERATIONS) {
    expect(await seen()).toEqual(before)
    mkdirSync(join(kept, name), { recursive: true })
    cpSync(machine.home, join(kept, name), { recursive: true })
    listed(name)
    const started = performance.now()
    const words = args.map((word) => word.replace('URL', server.url))
    expect(await machine.run(...words)).toMatchObject({ status: 0 })
    duration[name] = performance.now() - started
  }
  const counts: Record<string, number> = {}
  for (let round = 0; round < ROUNDS; round++) {
    const [name, args, before, after] = OPERATIONS[round % OPERATIONS.length]!
    rmSync(machine.home, { recursive: true, force: true })
    cpSync(join(kept, name), machine.home, { recursive: true })
    mkdirSync(machine.hooks, { recursive: true })
    listed(name)
    const child = spawn(
      program,
      args.map((word) => word.replace('URL', server.url)),
      { cwd: machine.project, env: machine.env, stdio: 'ignore', detached: true },
    )
    const exited = once(child, 'exit')
    // Most of the time goes before anything is written: of two kills one comes at a random moment, the other at a
    // random change of the folder.
    const kill = () => child.exitCode === null && process.kill(-child.pid!, 'SIGKILL')
    let events = 0
    const last = Math.ceil(Math.random() * MAX_EVENTS)
    const watcher = round % 2 === 0 ? undefined : watch(machine.hooks, () => ++events === last && kill())
    const timer = watcher ? undefined : setTimeout(kill, duration[name]! * Math.random() * 1.1)
    await exited
    clearTimeout(timer)
    watcher?.close()
    const found = JSON.stringify(sorted(await seen()))
    const which =
      found === JSON.stringify(sorted(before))
        ? 'old'
        : found === JSON.stringify(sorted(after))
          ? 'new'
          : 'between'
    expect(which, `round ${round}, ${name}: ${found}`).not.toBe('between')
    counts[`${name} ${which}`] = (counts[`${name} ${which}`] ?? 0) + 1
    await finishChange(machine.hooks)
    machine.lockMatches()
    expect(JSON.stringify(sorted(await seen()))).toBe(found)
  }
  console.log('kills', counts)
})

function sorted(table: Record<string, unknown>): [string, unknown][] {
  return Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
