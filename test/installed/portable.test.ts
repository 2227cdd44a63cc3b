/** Wiring that is committed to a repository, and called where nothing but the repository is. */

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type KnownAgent, knownAgents } from '../../src/install/known.ts'
import { samplePayload } from '../../src/install/sample-call.ts'
import { calledBefore } from '../compile-cache.ts'
import { PORTABLE_HOOK } from '../portable-hook.ts'

const MAIN = join(import.meta.dirname, '../../dist/cli/main.cjs')
const BEFORE =
  '{ "model": "x",\n    "hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "mine"}]}]} }'

let base: string
let repository: string
let env: NodeJS.ProcessEnv

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'portable-')))
  repository = join(base, 'repo')
  env = calledBefore({
    PATH: [join(base, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: join(base, 'home'),
    CROSSHOOK_NO_DAEMON: '1',
  })
  for (const folder of ['bin', 'home', 'repo/.git']) mkdirSync(join(base, folder), { recursive: true })
  put('.git/HEAD', 'ref: refs/heads/main\n')
  put('.claude/settings.json', BEFORE)
  put('.agents/hooks/no-delete/HOOK.md', PORTABLE_HOOK)
})
afterEach(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true })
  writeFileSync(join(repository, path), text)
}

function run(argv: readonly string[], { input = '', cwd = repository, more = {} } = {}) {
  const [program = '', ...args] = argv
  return spawnSync(program, args, { cwd, env: { ...env, ...more }, input, encoding: 'utf8' })
}

function crosshook(args: string, cwd = repository): string {
  const { status, stdout, stderr } = run([process.execPath, MAIN, ...args.split(' ')], { cwd })
  expect(status, stdout + stderr).toBe(0)
  return stdout + stderr
}

/** As the setup of a hosted machine would. */
function bringProgram(folder = join(base, 'bin')): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'crosshook'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
  chmodSync(join(folder, 'crosshook'), 0o755)
}

function files(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(repository, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('.git/') && statSync(join(repository, path)).isFile())
      .map((path) => [path, readFileSync(join(repository, path), 'utf8')]),
  )
}

async function portable(): Promise<KnownAgent[]> {
  return (await knownAgents()).filter(({ installer }) => installer.portable)
}

/** What the entry of an agent runs, as its own reader of settings finds it. */
function entryOf({ installer }: KnownAgent, event: string, project = repository): string[] {
  for (const file of installer.files({ home: env.HOME!, project, env, level: 'project' })) {
    const text = existsSync(file.path) ? readFileSync(file.path, 'utf8') : undefined
    const ours = text === undefined ? [] : file.find(text).filter((entry) => entry.ours)
    const entry = ours.find((each) => each.event === event)
    if (entry) return entry.argv ? [...entry.argv] : ['/bin/sh', '-c', entry.command]
  }
  throw new Error(`no entry for ${event}`)
}

/** The native event on which this agent asks whether a tool may run. */
function toolEvent({ agent }: KnownAgent): string {
  return Object.keys(agent.capabilities).find((name) => agent.capabilities[name]!.event === 'before_tool')!
}

const DELETE = { name: 'Shell', input: { command: 'rm -rf data' } }

function call(agent: KnownAgent, more: { cwd?: string; more?: NodeJS.ProcessEnv } = {}): string {
  const event = toolEvent(agent)
  const input = samplePayload(agent, event, repository, 'session', DELETE)
  const { stdout, stderr } = run(entryOf(agent, event), { input, ...more })
  return stdout + stderr
}

describe('every agent that reads hooks of a repository', async () => {
  const agents = await portable()

  it('is refused without crosshook, told what is not trusted, and guarded; the rest stays as it was', () => {
    const before = files()
    crosshook(`install --portable ${agents.map(({ id }) => id).join(' ')} --yes`)
    const each = (expectation: (said: string) => unknown, more?: Parameters<typeof call>[1]) =>
      Object.fromEntries(agents.map((agent) => [agent.id, expectation(call(agent, more))]))
    const all = Object.fromEntries(agents.map(({ id }) => [id, true]))
    const isGuarded = (said: string) => said.includes('not in this repository')
    expect(each((said) => said.includes('it was not found where this agent runs'))).toEqual(all)
    bringProgram()
    expect(each((said) => !isGuarded(said))).toEqual(all)
    crosshook('trust no-delete --yes')
    expect(each(isGuarded)).toEqual(all)
    // From a folder below, which brings a script of its own.
    put('sub/.agents/crosshook/run.sh', 'exit 0\n')
    expect(each(isGuarded, { cwd: join(repository, 'sub') })).toEqual(all)
    rmSync(join(repository, 'sub'), { recursive: true })
    // Nothing that a project may set chooses hooks or code.
    const more = { NODE_OPTIONS: '-r /none.cjs', CROSSHOOK_TRUST: 'all', CROSSHOOK_DEPTH: '0' }
    expect(each(isGuarded, { more })).toEqual(all)
    rmSync(join(repository, '.agents/crosshook'), { recursive: true })
    const isMissing = (said: string) =>
      said.includes('.agents/crosshook/run.sh of this repository was not found')
    expect(each(isMissing)).toEqual(all)
    crosshook('uninstall --portable --yes')
    expect(files()).toEqual(before)
  })
})

describe('a repository that is wired', () => {
  let claude: KnownAgent

  beforeEach(async () => {
    claude = (await portable()).find(({ id }) => id === 'claude-code')!
  })

  it('is taken out of another clone as well, whose bytes nobody has kept', () => {
    const before = files()
    crosshook('install --portable claude-code cursor opencode --yes')
    const clone = join(base, 'clone')
    cpSync(repository, clone, { recursive: true })
    env.HOME = join(base, 'other-home')
    crosshook('uninstall --portable cursor --yes', clone)
    expect(existsSync(join(clone, '.agents/crosshook/run.sh'))).toBe(true)
    crosshook('uninstall --portable --yes', clone)
    expect(existsSync(join(clone, '.agents/crosshook'))).toBe(false)
    expect(JSON.parse(readFileSync(join(clone, '.claude/settings.json'), 'utf8'))).toEqual(JSON.parse(BEFORE))
    expect(existsSync(join(clone, '.opencode/plugin/crosshook.js'))).toBe(false)
    expect(Object.keys(before).sort()).toEqual(
      readdirSync(clone, { recursive: true, encoding: 'utf8' })
        .filter((path) => !path.startsWith('.git/') && statSync(join(clone, path)).isFile())
        .sort(),
    )
  })

  it('is answered by the entry of the person, and by its own where that hears nothing', () => {
    put(
      '.agents/hooks/gate/HOOK.md',
      PORTABLE_HOOK.replace('no-delete', 'gate')
        .replace('before_tool', 'before_stop')
        .replace(/matcher:\n.*\n/, ''),
    )
    bringProgram()
    crosshook('install --portable claude-code --yes')
    crosshook('trust --yes')
    const stop = samplePayload(claude, 'Stop', repository, 'session')
    mkdirSync(join(env.HOME!, '.claude'))
    crosshook('untrust gate')
    crosshook('install claude-code --yes')
    expect(call(claude)).toBe('')
    expect(run(entryOf(claude, 'Stop'), { input: stop }).stdout).toContain('does not run')
    // Settings inside the repository are not the person's, whatever a variable says.
    cpSync(join(env.HOME!, '.claude'), join(repository, 'fake'), { recursive: true })
    crosshook('uninstall claude-code --yes')
    expect(call(claude, { more: { CLAUDE_CONFIG_DIR: join(repository, 'fake') } })).toContain(
      'not in this repository',
    )
  })

  it('runs a program of its dependencies, and with --fail open goes on and says so without one', () => {
    crosshook('install --portable claude-code --yes --fail open')
    const told = call(claude)
    expect(told).toContain('it was not found')
    expect(told).not.toContain('deny')
    crosshook('trust no-delete --yes')
    bringProgram(join(repository, 'node_modules/.bin'))
    expect(call(claude)).toContain('"permissionDecision":"deny"')
  })

  it('fetches the pinned version with npx where that was allowed', () => {
    const log = join(base, 'npx.log')
    writeFileSync(
      join(base, 'bin/npx'),
      `#!/bin/sh\necho "$@" >> '${log}'\necho '${join(base, 'fetched/crosshook')}'\n`,
    )
    chmodSync(join(base, 'bin/npx'), 0o755)
    bringProgram(join(base, 'fetched'))
    crosshook('trust no-delete --yes')
    crosshook('install --portable claude-code --yes')
    expect(call(claude)).toContain('it was not found')
    expect(existsSync(log)).toBe(false)
    crosshook('install --portable claude-code --yes --npx')
    expect(call(claude)).toContain('not in this repository')
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    expect(readFileSync(log, 'utf8')).toContain(`--package=crosshook@${version}`)
  })

  it('refuses when the program breaks off or the words of the agent are gone', () => {
    crosshook('install --portable claude-code --yes')
    writeFileSync(join(base, 'bin/crosshook'), '#!/bin/sh\nexit 0\n')
    chmodSync(join(base, 'bin/crosshook'), 0o755)
    expect(call(claude)).toMatch(/deny.*ended with code 0 and without an answer/)
    rmSync(join(repository, '.agents/crosshook/claude-code.replies'))
    const event = toolEvent(claude)
    const { status, stderr } = run(entryOf(claude, event), {
      input: samplePayload(claude, event, repository, 's'),
    })
    expect(status).toBe(2)
    expect(stderr).toContain('claude-code.replies is missing or damaged')
  })

  it('is known to verify, unless its script is another', () => {
    crosshook('install --portable claude-code cursor opencode --yes')
    put(
      '.claude/settings.json',
      readFileSync(join(repository, '.claude/settings.json'), 'utf8').replace(
        '"command": "mine"',
        '"command": "true"',
      ),
    )
    const entries = () => run([process.execPath, MAIN, 'verify']).stdout
    expect(entries()).toContain('1 hook entry')
    writeFileSync(join(repository, '.agents/crosshook/run.sh'), 'exit 0\n')
    expect(entries()).toContain('looks like an entry of crosshook, but this crosshook did not write it')
  })

  it('is said to lack what a new hook listens to; agents cannot touch its script', () => {
    crosshook('install --portable claude-code --yes')
    expect(crosshook('new gate --trigger before_stop')).toContain(
      '`crosshook install --portable claude-code` adds it',
    )
    crosshook('install --portable claude-code --yes')
    expect(crosshook('validate')).not.toContain('--portable')
    for (const command of ['rm -rf .agents/crosshook', 'echo exit 0 > .agents/crosshook/run.sh'])
      expect(run([process.execPath, MAIN, 'acts', command, '--json']).stdout).toContain('change_guards')
  })
})

it('an agent without hooks of a repository is named, and so are those that have them', () => {
  const { status, stderr } = run([process.execPath, MAIN, 'install', '--portable', 'kimi-code', '--yes'])
  expect(status).toBe(1)
  expect(stderr).toMatch(/reads no hooks of a repository[\s\S]*claude-code, .*codex/)
})
