/** Agents tell crosshook of the events that some hook listens to, and of those that it needs itself. */

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { calledBefore } from '../compile-cache.ts'

const MAIN = join(import.meta.dirname, '../../dist/cli/main.cjs')
/** What crosshook needs itself. */
const OWN = ['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse']
const BEFORE =
  '{ "model": "x",\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]} }'

let home: string
let env: NodeJS.ProcessEnv

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'wiring-')))
  env = calledBefore({
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    CROSSHOOK_NO_DAEMON: '1',
  })
  put('.claude/settings.json', BEFORE)
  for (const project of ['one', 'two']) put(`${project}/.git/HEAD`, 'ref: refs/heads/main\n')
})
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

function hook(folder: string, name: string, trigger: string): void {
  const text = `---\nname: ${name}\ndescription: Listens.\ntrigger: ${trigger}\noutcome:\n  decision: deny\n  reason: no\n---\n`
  put(join(folder, name, 'HOOK.md'), text)
}

function crosshook(folder: string, args: string, input = ''): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args.split(' ')], {
    cwd: join(home, folder),
    env,
    input,
    encoding: 'utf8',
  })
  return { status, text: stdout + stderr }
}

function ran(folder: string, args: string): string {
  const { status, text } = crosshook(folder, args)
  expect(status, text).toBe(0)
  return text
}

function wired(): string[] {
  const { hooks } = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>
  }
  const isOurs = (command: string) => command.includes('crosshook')
  return Object.keys(hooks).filter((event) =>
    hooks[event]!.some((group) => group.hooks.some(({ command }) => isOurs(command))),
  )
}

const USER = '.config/agents/hooks'

it('install wires what is listened to, and with --all-events the rest', () => {
  hook(USER, 'gate', 'before_stop')
  ran('one', 'install claude-code --yes')
  expect(wired().sort()).toEqual([...OWN, 'Stop'].sort())
  ran('one', 'install claude-code --yes --all-events')
  expect(wired().length).toBeGreaterThan(20)
  // Nothing is taken from somebody who wanted all of them.
  ran('one', 'disable gate')
  expect(wired()).toContain('Stop')
  ran('one', 'uninstall --yes')
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe(BEFORE)
})

it('trust, disable, enable and remove wire anew; what another project needs stays; uninstall restores every byte', () => {
  ran('one', 'install claude-code --yes')
  expect(wired().sort()).toEqual(OWN.toSorted())
  hook('one/.agents/hooks', 'gate', 'before_stop')
  hook('two/.agents/hooks', 'note', 'notification')
  expect(ran('one', 'trust gate --yes')).toContain('Claude Code also tells crosshook of Stop')
  expect(ran('two', 'trust note --yes')).toContain('Claude Code also tells crosshook of Notification')
  expect(wired().sort()).toEqual([...OWN, 'Notification', 'Stop'].sort())
  expect(ran('one', 'disable gate')).toContain('Claude Code no longer tells crosshook of Stop')
  expect(wired()).not.toContain('Stop')
  expect(wired()).toContain('Notification')
  ran('one', 'enable gate')
  expect(wired()).toContain('Stop')
  ran('one', 'remove gate --yes')
  expect(wired()).not.toContain('Stop')
  // A project that is gone needs nothing.
  rmSync(join(home, 'two'), { recursive: true })
  ran('one', 'install claude-code --yes')
  ran('one', 'install claude-code --yes')
  expect(wired().sort()).toEqual(OWN.toSorted())
  ran('one', 'uninstall --yes')
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe(BEFORE)
})

it('a hook that was put there by hand is not dead in silence: doctor, status and the start of a session say so', () => {
  ran('one', 'install claude-code --yes')
  hook(USER, 'gate', 'before_stop')
  const sick = crosshook('one', 'doctor claude-code')
  expect(sick.status).toBe(1)
  expect(sick.text).toMatch(/Stop +missing +there is no entry for it: crosshook install claude-code/)
  const status = crosshook('one', 'status')
  expect(status.status).toBe(1)
  expect(status.text).toContain('gate (Claude Code does not call it yet: crosshook install claude-code)')
  const start = {
    session_id: 's',
    hook_event_name: 'SessionStart',
    source: 'startup',
    cwd: join(home, 'one'),
  }
  const told = crosshook('one', 'hook claude-code SessionStart', JSON.stringify(start))
  expect(told.text).toContain('gate listens to events for which Claude Code does not call crosshook yet')
  ran('one', 'install claude-code --yes')
  ran('one', 'status')
  const after = crosshook('one', 'hook claude-code SessionStart', JSON.stringify(start))
  expect(after.text).not.toContain('does not tell')
  ran('one', 'doctor claude-code')
})

it('validate and test wire what was written by hand; for an agent they say who does', () => {
  ran('one', 'install claude-code --yes')
  hook(USER, 'gate', 'before_stop')
  put(join(USER, 'gate/cases.yaml'), '- name: stops\n  event: before_stop\n  expect:\n    decision: deny\n')
  const before = readFileSync(join(home, '.claude/settings.json'), 'utf8')
  env.CLAUDECODE = '1'
  for (const command of ['validate', 'test gate'])
    expect(ran('one', command)).toContain(
      'Claude Code does not call crosshook for Stop yet, which hooks listen to: they do not run there. A person wires it with `crosshook install claude-code`',
    )
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe(before)
  delete env.CLAUDECODE
  expect(ran('one', `validate ${join(home, USER, 'gate')}`)).toContain('also tells crosshook of Stop')
  expect(wired()).toContain('Stop')
  ran('one', 'status')
  hook(USER, 'note', 'notification')
  expect(ran('one', 'test gate')).toContain('also tells crosshook of Notification')
  // What is wrong with a hook is what validate says; that agents could be wired changes nothing about it.
  put(join(USER, 'bad/HOOK.md'), 'no fields')
  expect(crosshook('one', 'validate').status).toBe(1)
  expect(JSON.parse(crosshook('one', 'validate --json').text).ok).toBe(false)
})

it('wiring anew keeps the choice of --fail open, and the one of Codex to be trusted', () => {
  mkdirSync(join(home, '.codex'))
  ran('one', 'install claude-code codex --yes --fail open')
  hook('one/.agents/hooks', 'gate', 'before_stop')
  ran('one', 'trust gate --yes')
  const settings = readFileSync(join(home, '.claude/settings.json'), 'utf8')
  expect(settings.match(/--fail=open/g)).toHaveLength(OWN.length + 1)
  expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).toContain(':stop:0:0')
  ran('one', 'doctor codex')
  ran('one', 'uninstall --yes')
  expect(readdirSync(join(home, '.codex'))).toEqual([])
})

it('an agent with a file for each event has those that are needed', () => {
  const folder = join(home, '.cline/hooks')
  mkdirSync(join(home, '.cline'))
  ran('one', 'install cline --yes')
  expect(existsSync(join(folder, 'PreToolUse.sh'))).toBe(true)
  expect(existsSync(join(folder, 'PostToolUse.sh'))).toBe(false)
  hook(USER, 'after', 'after_tool')
  ran('one', 'enable after')
  expect(existsSync(join(folder, 'PostToolUse.sh'))).toBe(true)
  ran('one', 'disable after')
  expect(existsSync(join(folder, 'PostToolUse.sh'))).toBe(false)
  ran('one', 'uninstall --yes')
  expect(existsSync(folder)).toBe(false)
})

it('a hook for a warning that no agent gives has the events wired at which it can be derived', () => {
  ran('one', 'install claude-code --yes')
  expect(wired()).not.toContain('PostToolUse')
  hook('.config/agents/hooks', 'nearly-full', 'context_warning')
  expect(crosshook('one', 'doctor').text).toContain('there is no entry for it')
  ran('one', 'install claude-code --yes')
  expect(wired()).toEqual(expect.arrayContaining(['PostToolUse', 'UserPromptSubmit']))
  const derived = 'derived at PostToolUse and UserPromptSubmit from its transcript'
  expect(ran('one', 'explain context_warning')).toContain(derived)
  expect(ran('one', 'list')).toContain('context_warning is derived from the transcript in Claude Code')
  const doctor = crosshook('one', 'doctor claude-code').text
  expect(doctor).toContain(derived)
  expect(doctor).toContain('nearly-full cannot run at context_warning')
  put('.config/crosshook/config.toml', '[context]\nlimits = { "claude-*" = 200000 }\n')
  expect(crosshook('one', 'doctor claude-code').text).not.toContain('cannot run at context_warning')
})

it('an agent that nobody can know it of is named', () => {
  ran('one', 'install cursor --yes')
  hook('.config/agents/hooks', 'nearly-full', 'context_warning')
  expect(ran('one', 'explain context_warning')).toContain('has no context_warning, and nothing tells of it')
  expect(ran('one', 'list')).toContain('unknown to Cursor, where hooks for it do not run')
  expect(crosshook('one', 'doctor cursor').text).toContain('unheard  context_warning')
})
