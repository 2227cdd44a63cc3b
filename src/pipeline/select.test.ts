import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canaryFolder } from './guard.ts'
import { createPipeline } from './pipeline.ts'

let base: string
let home: string
let project: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'crosshook-own-')))
  home = join(base, 'home')
  project = join(base, 'project')
  mkdirSync(project)
})

afterEach(() => rmSync(base, { recursive: true, force: true, maxRetries: 10 }))

function put(path: string, content: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true })
  writeFileSync(join(base, path), content)
}

function ask(agent: string, payload: Record<string, unknown>, event?: string) {
  const env = { HOME: home, PATH: process.env.PATH, CROSSHOOK_TRUST: 'all', CROSSHOOK_MANAGED_DIR: base }
  const pipeline = createPipeline({ env, source: 'hook' })
  const read = () => JSON.stringify({ session_id: 's', cwd: project, ...payload })
  return pipeline
    .handle({ agent, read, cwd: project, ...(event ? { event } : {}) })
    .finally(() => pipeline.close())
}

const hook = (word: string) =>
  JSON.stringify({
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: `echo ${word} >&2; exit 2`, timeout: 5 }] },
      ],
    },
  })
const shell = { tool_name: 'Bash', tool_input: { command: 'ls' }, hook_event_name: 'PreToolUse' }

describe('hooks of an agent that count as ours', () => {
  beforeEach(() => put('home/.config/crosshook/config.toml', '[[sources]]\nformat = "claude-code"\n'))

  it.each(['home/.claude/settings.json', 'project/.claude/settings.json'])(
    'run in the other agents, and not a second time in their own: %s',
    async (file) => {
      put(file, hook('NO-SHELL'))
      expect(await ask('codex', shell)).toMatchObject({ stdout: expect.stringContaining('NO-SHELL') })
      expect(await ask('claude-code', shell)).toEqual({ stdout: '', stderr: '', exit_code: 0 })
    },
  )

  it('are left to an agent that also reads the settings of their own', async () => {
    put('project/.claude/settings.json', hook('NO-SHELL'))
    const call = { toolName: 'bash', toolArgs: JSON.stringify({ command: 'ls' }) }
    expect(await ask('copilot', call, 'preToolUse')).toEqual({ stdout: '', stderr: '', exit_code: 0 })
    put('home/.claude/settings.json', hook('NO-SHELL'))
    expect((await ask('copilot', call, 'preToolUse')).stdout).toContain('NO-SHELL')
  })

  it('run everywhere when they lie in a file that the agent does not read', async () => {
    put('home/shared.json', hook('NO-SHELL'))
    put(
      'home/.config/crosshook/config.toml',
      `[[sources]]\npath = "${join(home, 'shared.json')}"\nformat = "claude-code"\n`,
    )
    expect(await ask('claude-code', shell)).toMatchObject({ stdout: expect.stringContaining('NO-SHELL') })
  })
})

describe('the canary', () => {
  const state = () => join(home, '.local/state/crosshook')
  const fold = (name: string) => {
    const folder = join(canaryFolder(state()), name)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  it('is answered with a deny from the folder that doctor makes', async () => {
    const cwd = fold('crosshook-canary-1')
    expect(await ask('claude-code', { ...shell, cwd })).toMatchObject({
      stdout: expect.stringContaining('crosshook-canary-1'),
    })
  })

  it('is nothing special from any other folder of that name', async () => {
    const cwd = join(project, 'crosshook-canary-1')
    mkdirSync(cwd)
    expect(await ask('claude-code', { ...shell, cwd })).toMatchObject({ stdout: '' })
  })

  it('does not keep hooks from running where the agent cannot be stopped', async () => {
    put(
      'home/.config/agents/hooks/hello/HOOK.md',
      '---\nname: hello\ndescription: Says hello.\ntrigger: session_start\noutcome:\n  additional_context: HELLO\n---\n',
    )
    const cwd = fold('crosshook-canary-1')
    expect(await ask('claude-code', { hook_event_name: 'SessionStart', cwd })).toMatchObject({
      stdout: expect.stringContaining('HELLO'),
    })
  })
})
