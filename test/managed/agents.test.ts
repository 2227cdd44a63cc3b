/**
 * The real agents, started by an ordinary user of a machine that has nothing but the managed installation: what the
 * guard refuses does not happen, whatever that user's own settings say.
 */

import { type ChildProcess, execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Agent, Place } from '../agents/agents/agent.ts'
import { edited, installed, put } from '../agents/agents/files.ts'
import { run } from '../agents/process.ts'
import { startStandIn } from '../agents/stand-in/server.ts'
import { crosshook, makeUser, managedHook, startGate, stopGate, type User } from './machine.ts'

interface Case {
  agent: string
  /** The user's own attempt at switching hooks off. */
  what: string
  switchOff?(place: Place): { env?: Record<string, string>; args?: string[] } | undefined
  /** What comes of it, where the agent itself lets the user do so; docs/managed.md says it too. */
  loses?: true
}

const inSettings = (file: string, more: object) => (place: Place) => {
  const path = join(place.home, file)
  edited(path, (text) => JSON.stringify({ ...JSON.parse(text), ...more }))
  return undefined
}

const CASES: Case[] = [
  { agent: 'claude-code', what: 'does nothing' },
  {
    agent: 'claude-code',
    what: 'says disableAllHooks',
    switchOff: inSettings('.claude/settings.json', { disableAllHooks: true }),
  },
  {
    agent: 'claude-code',
    what: 'takes no settings but those of a flag',
    switchOff: () => ({ args: ['--setting-sources', '', '--settings', '{"disableAllHooks":true}'] }),
  },
  { agent: 'codex', what: 'does nothing' },
  {
    agent: 'codex',
    what: 'switches the feature off',
    switchOff: ({ home }) =>
      void edited(join(home, '.codex/config.toml'), (text) => `${text}\n[features]\nhooks = false\n`),
  },
  { agent: 'gemini-cli', what: 'does nothing' },
  {
    agent: 'gemini-cli',
    what: 'switches hooks off',
    switchOff: inSettings('.gemini/settings.json', { hooksConfig: { enabled: false } }),
  },
  {
    agent: 'gemini-cli',
    what: 'names other system settings',
    switchOff: () => ({ env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/none.json' } }),
    loses: true,
  },
  { agent: 'copilot', what: 'does nothing' },
  {
    agent: 'copilot',
    what: 'says disableAllHooks',
    switchOff: ({ home }) => void put(join(home, '.copilot/settings.json'), { disableAllHooks: true }),
  },
  { agent: 'qwen-code', what: 'does nothing' },
  {
    agent: 'qwen-code',
    what: 'says disableAllHooks',
    switchOff: inSettings('.qwen/settings.json', { disableAllHooks: true }),
  },
  {
    agent: 'qwen-code',
    what: 'names other system settings',
    switchOff: () => ({ env: { QWEN_CODE_SYSTEM_SETTINGS_PATH: '/none.json' } }),
    loses: true,
  },
]

const wanted = process.env.AGENTS?.split(',')
const MARK = 'MAIN-CONVERSATION'

describe.skipIf(!existsSync(installed('.')))('an agent of a user who', () => {
  let alice: User
  let gate: ChildProcess

  beforeAll(async () => {
    alice = makeUser('alice')
    expect(crosshook('install', '--managed', '--yes').code).toBe(0)
    managedHook('no-touch', {
      matcher: { does: 'write', path: '**/forbidden.txt' },
      outcome: { decision: 'deny', reason: 'MANAGED-SAYS-NO' },
    })
    gate = await startGate()
  })
  afterAll(async () => {
    await stopGate(gate)
    crosshook('uninstall', '--managed', '--yes', '--purge')
    rmSync('/etc/agents', { recursive: true, force: true })
  })

  it.each(CASES.filter(({ agent }) => !wanted || wanted.includes(agent)))(
    '$agent: $what',
    async ({ agent: id, switchOff, loses }) => {
      const { agent } = (await import(`../agents/agents/${id}.ts`)) as { agent: Agent }
      const standIn = await startStandIn(agent.api)
      const folder = mkdtempSync(join(alice.home, `${id}-`))
      const place: Place = {
        home: join(folder, 'home'),
        project: join(folder, 'project'),
        temporary: join(folder, 'tmp'),
        program: '/opt/crosshook',
        url: standIn.url,
      }
      for (const path of [place.home, place.project, place.temporary]) mkdirSync(path)
      agent.configure(place)
      const more = switchOff?.(place) ?? {}
      standIn.play({
        main: [
          { id: 'no', turn: { call: agent.tools.shell('touch forbidden.txt') } },
          { id: 'yes', turn: { call: agent.tools.shell('touch allowed.txt') } },
          { id: 'end', turn: { text: 'I am done.' } },
        ],
        sub: [],
        mainMarker: MARK,
        subMarker: 'none',
      })
      own(folder, alice)
      const env = {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: place.home,
        TMPDIR: place.temporary,
        LANG: 'C.UTF-8',
        SHELL: '/bin/bash',
        TERM: 'dumb',
        NO_COLOR: '1',
        ...agent.environment(place),
        ...more.env,
      }
      const drop = [
        'setpriv',
        `--reuid=${alice.uid}`,
        `--regid=${alice.gid}`,
        '--clear-groups',
        '--no-new-privs',
      ]
      const argv = [...drop, ...agent.start(place, `${MARK}: please do the work.`), ...(more.args ?? [])]
      const ended = await run(argv, place.project, env, {
        time: 150_000,
        isTooMuch: () => standIn.asked.length > 30,
      })
      await standIn.close()
      const told = standIn.asked.map(({ told }) => told).join('\n')
      const made = readdirSync(place.project)
      const seen = {
        forbidden: made.includes('forbidden.txt'),
        allowed: made.includes('allowed.txt'),
        told: told.includes('MANAGED-SAYS-NO'),
      }
      const expected = loses
        ? { forbidden: true, allowed: true, told: false }
        : { forbidden: false, allowed: true, told: true }
      expect(seen, `${ended.stdout.slice(-1500)}\n${ended.stderr.slice(-1500)}`).toEqual(expected)
    },
    200_000,
  )
})

function own(folder: string, { uid, gid }: User): void {
  execFileSync('chown', ['-R', `${uid}:${gid}`, folder])
  chownSync(folder, uid, gid)
}
