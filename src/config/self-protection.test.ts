import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPipeline, type Pipeline } from '../pipeline/pipeline.ts'

let base: string
let home: string
let project: string
let pipeline: Pipeline

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'self-'))
  ;[home, project] = ['home', 'home/project'].map((name) => join(base, name)) as [string, string]
  for (const folder of [
    project,
    join(project, '.agents/hooks/guard'),
    join(home, '.config/agents/hooks/mine'),
    join(home, '.config/crosshook'),
    join(home, '.local/state/crosshook'),
    join(home, '.claude'),
  ])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(home, '.local/state/crosshook/state.key'), 'x'.repeat(32), { mode: 0o600 })
  writeFileSync(join(home, '.claude/settings.json'), '{}')
  symlinkSync(join(home, '.claude/settings.json'), join(project, 'notes.md'))
  pipeline = open(home)
})
afterAll(() => {
  pipeline.close()
  rmSync(base, { recursive: true, force: true })
})

function open(home: string): Pipeline {
  const env = { PATH: process.env.PATH, HOME: home, CROSSHOOK_MANAGED_DIR: join(base, 'managed') }
  return createPipeline({ env, source: 'hook', silent: true })
}

/** As an agent's call. */
async function agentMay(tool_name: string, tool_input: object, through = pipeline): Promise<boolean> {
  const native = { session_id: 's', cwd: project, hook_event_name: 'PreToolUse', tool_name, tool_input }
  const { stdout } = await through.handle({
    agent: 'claude-code',
    event: 'PreToolUse',
    cwd: project,
    read: () => JSON.stringify(native),
  })
  return !/"permissionDecision": ?"(?:deny|ask)"/.test(stdout)
}

describe('without any hook of a person', () => {
  it.each([
    'crosshook uninstall --yes',
    'crosshook trust --yes',
    'npx crosshook@latest uninstall',
    'npx -y crosshook remove guard',
    'cd /tmp && crosshook daemon stop',
    "c''rosshook un''install --yes",
    'echo x > ~/.claude/settings.json',
    'echo x > .agents/hooks/guard/HOOK.md',
    'git log --output=.agents/hooks/guard/HOOK.md',
    'cp /dev/null ~/.config/crosshook/config.toml',
    'rm -rf ~/.local/state/crosshook',
    'rm -rf ~/.local/state',
    'mv ~/.config/agents ~/old',
    'ln -sf /dev/null ~/.claude/settings.json',
    'tee notes.md < /dev/null',
    'python3 -c "open(\\"$HOME/.claude/settings.json\\",\\"w\\")"',
    'sed -i s/a/b/ ~/.config/agents/hooks/mine/HOOK.md',
    'rm -rf ~',
    'node /opt/crosshook/dist/cli/main.cjs uninstall --yes',
    'chmod -x ~/.config/agents/hooks/mine',
    'chmod 000 ~/.config/agents/hooks',
    'cat ~/.local/state/crosshook/state.key',
    'base64 < ~/.local/state/crosshook/state.key',
  ])('an agent may not run: %s', async (command) => {
    expect(await agentMay('Bash', { command })).toBe(false)
  })

  it('an agent may not write there with other tools, nor through links', async () => {
    expect(await agentMay('Write', { file_path: join(home, '.claude/settings.json'), content: '' })).toBe(
      false,
    )
    expect(
      await agentMay('Edit', { file_path: join(project, 'notes.md'), old_string: 'a', new_string: 'b' }),
    ).toBe(false)
    expect(await agentMay('mcp__files__write_file', { path: '.agents/hooks/x/HOOK.md', content: '' })).toBe(
      false,
    )
    expect(await agentMay('Read', { file_path: join(home, '.local/state/crosshook/state.key') })).toBe(false)
  })

  it.each([
    'ls -la',
    'cat ~/.claude/settings.json',
    'crosshook list --json',
    'crosshook doctor',
    'crosshook log',
    'crosshook validate',
    'npm test',
    'git push',
    'rm -rf build',
    'echo crosshook uninstall --yes',
    'grep -rn "crosshook trust" docs',
    'echo x > notes.txt',
  ])('an agent may run: %s', async (command) => {
    expect(await agentMay('Bash', { command })).toBe(true)
  })

  it('the setting of a person turns them off', async () => {
    writeFileSync(join(home, '.config/crosshook/config.toml'), 'self_protection = false\n')
    const free = open(home)
    const { decision } = await free.fire('before_tool', {
      work_dir: project,
      tool_name: 'Shell',
      tool_input: { command: 'crosshook uninstall --yes' },
    })
    expect(decision).toBe('allow')
    free.close()
    rmSync(join(home, '.config/crosshook/config.toml'))
    const held = open(home)
    const { decision: again, hooks } = await held.fire('before_tool', {
      work_dir: project,
      tool_name: 'Shell',
      tool_input: { command: 'crosshook uninstall --yes' },
    })
    expect([again, hooks.map(({ name }) => name)]).toEqual(['deny', ['crosshook/self-protection']])
    held.close()
  })
})

it.each([...'\\*?[]{}(),!|+@'])('a home with %s in its name is protected like any other', async (sign) => {
  const odd = join(base, `a${sign}b`)
  mkdirSync(join(odd, '.local/state/crosshook'), { recursive: true })
  const theirs = open(odd)
  const key = join(odd, '.local/state/crosshook/state.key')
  expect(await agentMay('Read', { file_path: key }, theirs)).toBe(false)
  expect(await agentMay('Read', { file_path: join(odd, '.local/notes.md') }, theirs)).toBe(true)
  theirs.close()
})
