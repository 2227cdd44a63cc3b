/** The program works from any folder: one that is called crosshook, with spaces, quotes and letters beyond ASCII. */

import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calledBefore } from '../compile-cache.ts'

const root = join(import.meta.dirname, '../..')
const SETTINGS = { 'claude-code': '.claude/settings.json', 'gemini-cli': '.gemini/settings.json' }

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'clone-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

test.each(["it's a b ü/crosshook", 'plain'])(
  'from a folder called %s it is installed, answers, is known as ours and comes out again',
  async (name) => {
    const folder = join(base, 'clones', name)
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(join(root, part), join(folder, part), { recursive: true, verbatimSymlinks: true })
    // It names the Node and the program of the folder that was copied.
    rmSync(join(folder, 'dist/relay/crosshook-relay.cold'), { force: true })
    const [home, project] = [join(base, 'home'), join(base, 'project')]
    mkdirSync(project, { recursive: true })
    for (const file of Object.values(SETTINGS)) {
      mkdirSync(dirname(join(home, file)), { recursive: true })
      writeFileSync(join(home, file), '{}\n')
    }
    const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`
    // Without what Node keeps by the path of a file: each run has others.
    const { NODE_COMPILE_CACHE: _, ...env } = calledBefore({ PATH, HOME: home, CROSSHOOK_NO_DAEMON: '1' })
    const crosshook = async (...args: string[]) => {
      const run = promisify(execFile)(join(folder, 'bin/crosshook'), args, { cwd: project, env })
      const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => error)
      return stdout
    }
    const agents = Object.keys(SETTINGS)
    const planned = await crosshook('install', ...agents, '--dry-run')
    await crosshook('install', ...agents, '--yes')
    const { agents: found } = JSON.parse(await crosshook('doctor', '--json'))
    for (const [agent, file] of Object.entries(SETTINGS)) {
      expect(planned).toContain(`/entries/${agent}.entry`)
      const { events } = found.find(({ id }: { id: string }) => id === agent)
      const states = new Set((events as { state: string }[]).map(({ state }) => state))
      expect(states).toContain('obeyed')
      expect(states).not.toContain('broken')
      expect(readFileSync(join(home, file), 'utf8')).toContain(`/entries/${agent}.entry`)
    }
    expect(await crosshook('verify')).toContain('no hook entry that you do not know of')
    await crosshook('uninstall', ...agents)
    for (const file of Object.values(SETTINGS)) expect(readFileSync(join(home, file), 'utf8')).toBe('{}\n')
  },
)
