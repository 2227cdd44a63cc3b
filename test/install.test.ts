/** Settings of agents as people have them: crosshook in, crosshook out, through the command line. */

import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { paths } from '../src/config/paths.ts'
import { carryOut, type Fixed, type Work } from '../src/install/install.ts'
import { knownAgents } from '../src/install/known.ts'
import { openLedger } from '../src/install/ledger.ts'
import { calledBefore } from './compile-cache.ts'

const PROGRAM = process.env.CROSSHOOK_PROGRAM ?? join(import.meta.dirname, '../bin/crosshook')
const SAMPLES = join(import.meta.dirname, '../src/dialects/fixtures/settings')

let base: string
let home: string
let project: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'crosshook-install-'))
  home = join(base, 'home')
  project = join(base, 'project')
  mkdirSync(home)
  mkdirSync(project)
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

/** The program, as a person would run it; an exit code that is not 0 is part of the answer. */
async function crosshook(...args: string[]): Promise<{ stdout: string; stderr: string; code: number }> {
  // No agent of this machine is to be found on the path.
  const env = calledBefore({
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    CROSSHOOK_NO_DAEMON: '1',
  })
  const run = promisify(execFile)(PROGRAM, args, { cwd: project, env })
  return run.then(
    (printed) => ({ ...printed, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  )
}

function put(path: string, content: string | Buffer): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

/** Every file of the place with its bytes, without what crosshook keeps for itself. */
function snapshot(): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(base, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!/\/\.(local|cache)(\/|$)/.test(path))
      found[path] = entry.isFile() ? readFileSync(path, 'latin1') : 'folder'
  }
  return found
}

/** Gives every agent one sample for each of its settings files. */
function wearSamples(round: readonly string[]): Record<string, string> {
  const bytes = new Map(round.map((sample) => [extname(sample), readFileSync(join(SAMPLES, sample))]))
  const place = { home, project, env: {}, level: 'user' as const }
  for (const { installer } of agents) {
    for (const folder of installer.detect.folders) mkdirSync(join(home, folder), { recursive: true })
    for (const { path } of installer.files(place)) {
      const sample = bytes.get(extname(path))
      if (sample) {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, sample)
      }
    }
  }
  return snapshot()
}

interface FileDone {
  error: { message: string } | null
}

/** Agents that may refuse a sample, which then stays as it is, and why. */
const REFUSES: Readonly<Record<string, string>> = {
  cursor: 'over one entry that it does not know it drops every hook of the file',
  'kimi-code': 'over one entry that it does not know it drops every hook of the file',
  kiro: 'its hooks are a list, and those of the samples are not',
}

const agents = await knownAgents()
const samples = readdirSync(SAMPLES).filter((name) => !name.startsWith('.'))

/** One sample of each kind of file at a time: they never meet in one file. */
const rounds = inStep(Object.values(Object.groupBy(samples, (name) => extname(name))) as string[][])

function inStep(kinds: string[][]): string[][] {
  const most = Math.max(...kinds.map((names) => names.length))
  return Array.from({ length: most }, (_, n) => kinds.flatMap((names) => names[n] ?? []))
}

describe('install and uninstall', () => {
  it('have at least 30 sample settings to prove themselves on', () => {
    expect(samples.length).toBeGreaterThanOrEqual(30)
  })

  // A process for each would take longer than all the rest of this file: the functions behind the two commands.
  it.for(rounds)('leave every agent its own bytes: %s', (round) => {
    const before = wearSamples(round)
    const env = { HOME: home }
    const { state, data } = paths(env)
    const fixed: Fixed = { state, data, env, cold: [process.execPath, PROGRAM], fail: 'closed' }
    const place = { home, project, env, level: 'user' as const }
    const all = (more: Partial<Work>) => {
      const ledger = openLedger(state)
      return agents.map((agent) => ({
        id: agent.id,
        done: carryOut({ agent, place, ledger, fixed, ...more }, () => true),
      }))
    }
    const installed = all({ program: [PROGRAM], wanted: 'all' })
    expect(snapshot()).not.toEqual(before)
    const refused = installed.filter(({ done }) => done.some(({ state }) => state !== 'changed'))
    expect(refused.map(({ id }) => id).filter((id) => !Object.hasOwn(REFUSES, id))).toEqual([])
    all({})
    expect(snapshot()).toEqual(before)
  })

  it.for(rounds.filter((_, n) => n % 10 === 0))('do so as commands: %s', async (round) => {
    const before = wearSamples(round)
    const installed = await crosshook('install', '--yes', '--json', '--yes')
    expect(snapshot()).not.toEqual(before)
    const { agents: done } = JSON.parse(installed.stdout) as { agents: { id: string; files: FileDone[] }[] }
    const refused = done.filter(({ files }) => files.some(({ error }) => error !== null))
    expect(refused.map(({ id }) => id).filter((id) => !Object.hasOwn(REFUSES, id))).toEqual([])
    await crosshook('uninstall', '--yes')
    expect(snapshot()).toEqual(before)
  })

  it('change nothing the second time, also when somebody has added an entry after ours', async () => {
    const file = put('.claude/settings.json', '{}')
    put('.codex/config.toml', 'model = "x"\n')
    put('.kimi-code/config.toml', 'default_model = "x"\n')
    await crosshook('install', '--yes', '--yes')
    const settings = JSON.parse(readFileSync(file, 'utf8')) as { hooks: { PreToolUse: unknown[] } }
    settings.hooks.PreToolUse.push({ hooks: [{ type: 'command', command: 'mine' }] })
    writeFileSync(file, JSON.stringify(settings))
    const wired = snapshot()
    const again = await crosshook('install', '--yes', '--yes')
    expect([again.code, snapshot()]).toEqual([0, wired])
  })

  it('take out only our entries when somebody has edited the file since', async () => {
    const file = put('.claude/settings.json', '{\n  "model": "a"\n}\n')
    await crosshook('install', 'claude-code', '--yes')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"a"', '"b"'))
    await crosshook('uninstall')
    expect(readFileSync(file, 'utf8')).toBe('{\n  "model": "b"\n}\n')
  })

  it('leave a broken file alone, say so, and install the others', async () => {
    const broken = put('.claude/settings.json', '{ "hooks": ')
    put('.gemini/settings.json', '{}')
    const { code, stdout } = await crosshook('install', '--yes')
    expect(code).toBe(1)
    expect(stdout).toContain('not valid JSON')
    expect(readFileSync(broken, 'utf8')).toBe('{ "hooks": ')
    expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).toContain('hook gemini-cli BeforeTool')
    expect((await crosshook('uninstall')).code).toBe(0)
  })

  it('leave a file alone that is not UTF-8', async () => {
    const file = put('.claude/settings.json', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))
    expect((await crosshook('install', 'claude-code', '--yes')).stdout).toContain('is not UTF-8')
    expect([...readFileSync(file)]).toEqual([0x7b, 0xff, 0xfe, 0x7d])
  })

  it('write through links and keep the mode', async () => {
    const real = put('dotfiles/settings.json', '{}\n')
    chmodSync(real, 0o640)
    mkdirSync(join(home, '.claude'))
    symlinkSync(real, join(home, '.claude/settings.json'))
    await crosshook('install', 'claude-code', '--yes')
    expect(lstatSync(join(home, '.claude/settings.json')).isSymbolicLink()).toBe(true)
    expect(statSync(real).mode & 0o777).toBe(0o640)
    expect(readFileSync(real, 'utf8')).toContain('/install/entries/claude-code/PreToolUse')
    await crosshook('uninstall')
    expect(readFileSync(real, 'utf8')).toBe('{}\n')
  })

  it('make folders that are missing and remove them again', async () => {
    await crosshook('install', 'claude-code', '--project', '--yes')
    expect(JSON.parse(readFileSync(join(project, '.claude/settings.json'), 'utf8')).hooks).toHaveProperty(
      'PreToolUse',
    )
    expect((await crosshook('uninstall')).stdout).toContain('nothing to take out')
    await crosshook('uninstall', '--project')
    expect(readdirSync(project)).toEqual([])
  })

  it('write what takes a consent only with it', async () => {
    mkdirSync(join(home, '.codex'))
    const first = await crosshook('install')
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('say so with --yes') })
    expect(readdirSync(join(home, '.codex'))).toEqual([])
    await crosshook('install', '--yes', '--yes')
    expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).toContain('trusted_hash')
  })

  it('put a moved program in the place of the old one', async () => {
    const file = put('.claude/settings.json', '{}')
    await crosshook('install', '--yes')
    const wired = readFileSync(file, 'utf8')
    writeFileSync(file, wired.replaceAll(/'[^']*crosshook'/g, "'/old/bin/crosshook'"))
    await crosshook('install', '--yes')
    expect(readFileSync(file, 'utf8')).toBe(wired)
    await crosshook('uninstall')
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  it('change nothing that they could not undo', async () => {
    const file = put('.claude/settings.json', '{}')
    put('.local/state/crosshook/install', 'not a folder')
    const { code, stdout } = await crosshook('install', 'claude-code', '--yes')
    expect(code).toBe(1)
    expect(stdout).toContain('cannot be made')
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  it('say that an agent is wired only once it is', async () => {
    mkdirSync(join(home, '.claude/settings.json'), { recursive: true })
    expect((await crosshook('install', 'claude-code', '--yes')).code).toBe(1)
    expect(existsSync(join(home, '.local/state/crosshook/install/manifest.json'))).toBe(false)
  })

  it('show the diff and write nothing with --dry-run', async () => {
    put('.claude/settings.json', '{}')
    const before = snapshot()
    const { stdout, code } = await crosshook('install', '--dry-run', '--yes')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^--- ~\/\.claude\/settings\.json\n\+\+\+ .*\n@@ -1,1 \+1,\d+ @@\n-\{\}\n/)
    expect(snapshot()).toEqual(before)
  })

  it('name what is known when nothing is found', async () => {
    const { stderr, code } = await crosshook('install', '--yes')
    expect(code).toBe(1)
    expect(stderr).toContain('no agent was found')
    expect((await crosshook('install', 'agenthooks', '--yes')).stderr).toContain('is a hook format')
    expect((await crosshook('install', 'claude-cod', '--yes')).stderr).toContain(
      'Did you mean "claude-code"?',
    )
  })
})
