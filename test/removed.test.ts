/** After the package was removed, the entries that it left in each agent's settings say so, and refuse. */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KnownAgent, knownAgents } from '../src/install/known.ts'
import { samplePayload } from '../src/install/sample-call.ts'

const ROOT = join(import.meta.dirname, '..')
/** Its hooks belong to agents that a person has made: there are none here. */
const WITHOUT_SETTINGS = ['amazon-q']
const agents = (await knownAgents()).filter(({ id }) => !WITHOUT_SETTINGS.includes(id))

const base = realpathSync(mkdtempSync(join(tmpdir(), 'removed-')))
const home = join(base, 'home')
const env = { HOME: home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, CROSSHOOK_NO_DAEMON: '1' }

beforeAll(() => {
  const program = join(base, 'program')
  cpSync(join(ROOT, 'dist'), join(program, 'dist'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(program, 'package.json'))
  for (const folder of agents.flatMap(({ installer }) => installer.detect.folders))
    mkdirSync(join(home, folder), { recursive: true })
  const args = [join(program, 'dist/cli/main.cjs'), 'install', ...agents.map(({ id }) => id), '--yes']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: home, env, encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  rmSync(program, { recursive: true })
}, 60_000)
afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }))

function entryOf({ installer }: KnownAgent, event: string): string[] {
  for (const file of installer.files({ home, project: home, env, level: 'user' })) {
    const text = existsSync(file.path) ? readFileSync(file.path, 'utf8') : undefined
    const found = text === undefined ? [] : file.find(text)
    const entry = found.find((each) => each.ours && each.event === event)
    if (entry)
      return (
        entry.argv?.slice() ??
        (entry.args ? [entry.command, ...entry.args] : ['/bin/sh', '-c', entry.command])
      )
  }
  throw new Error(`no entry for ${event}`)
}

describe('without its program', () => {
  it.each(agents.map((agent) => [agent.id, agent] as const))(
    'the entry of %s says what happened',
    (id, agent) => {
      const { capabilities } = agent.agent
      const event = Object.keys(capabilities).find((name) => capabilities[name]!.event === 'before_tool')!
      const [program = '', ...args] = entryOf(agent, event)
      const input = samplePayload(agent, event, home, 's')
      const { stdout, stderr } = spawnSync(program, args, { cwd: home, env, input, encoding: 'utf8' })
      expect(stdout + stderr).toContain('it was removed')
      expect(stdout + stderr).toContain(`uninstall ${id}`)
    },
  )
})
