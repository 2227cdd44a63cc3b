import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { answersElsewhere } from './guard.ts'
import { createPipeline } from './pipeline.ts'

function state(...files: { agent: string; level: string; file: string }[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'caller-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  mkdirSync(join(folder, 'install'))
  writeFileSync(join(folder, 'install/manifest.json'), JSON.stringify({ version: 1, files }))
  return folder
}
const byCopilot = () => ['node', '@github', 'copilot', 'index']
const copilot = { COPILOT_PROJECT_DIR: '/p' }
const user = { agent: 'copilot', level: 'user', file: '/h/.copilot/hooks/x.json' }

it('an entry stays silent for a caller that has one of its own', () => {
  expect(answersElsewhere('claude-code', copilot, state(user), '/p', byCopilot)).toBe(true)
})

it('an entry answers when the caller has none of its own, here or at all', () => {
  expect(answersElsewhere('claude-code', copilot, state(), '/p', byCopilot)).toBe(false)
  expect(answersElsewhere('claude-code', copilot, join(tmpdir(), 'no-such-state'), '/p', byCopilot)).toBe(
    false,
  )
  const other = state({ agent: 'copilot', level: 'project', file: '/q/.github/hooks/x.json' })
  expect(answersElsewhere('claude-code', copilot, other, '/p', byCopilot)).toBe(false)
})

it('an entry always answers its own agent, also when that was started by another', () => {
  expect(answersElsewhere('copilot', copilot, state(user), '/p', byCopilot)).toBe(false)
  expect(
    answersElsewhere(
      'claude-code',
      { ...copilot, CLAUDE_CODE_SESSION_ID: 's' },
      state(user),
      '/p',
      byCopilot,
    ),
  ).toBe(false)
})

it('an entry answers whatever a variable says, when another program has started it', () => {
  for (const words of [['codex'], ['node', 'claude'], []])
    expect(answersElsewhere('claude-code', copilot, state(user), '/p', () => words)).toBe(false)
})

it('hooks that start agents that run those hooks come to an end', async () => {
  const pipeline = createPipeline({
    source: 'hook',
    silent: true,
    env: { HOME: state(), CROSSHOOK_DEPTH: '5' },
  })
  await expect(pipeline.handle({ agent: 'claude-code', read: () => '{}', cwd: tmpdir() })).rejects.toThrow(
    'without end',
  )
})

it('an entry that another program runs stays silent only where that one has an entry beside it', async () => {
  const call = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'run_in_terminal' }
  const told = async (...files: { agent: string; level: string; file: string }[]) => {
    const home = state()
    const folder = join(home, '.local/state/crosshook/install')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ version: 1, files }))
    const guard = join(home, '.config/agents/hooks/guard')
    mkdirSync(guard, { recursive: true })
    writeFileSync(
      join(guard, 'HOOK.md'),
      '---\nname: guard\ndescription: d\ntrigger: before_tool\noutcome: {decision: deny, reason: guarded}\n---\n',
    )
    const env = { HOME: home, CROSSHOOK_MANAGED_DIR: join(home, 'none') }
    const pipeline = createPipeline({ source: 'hook', silent: true, env })
    const read = () => JSON.stringify(call)
    const { stdout } = await pipeline.handle({ agent: 'copilot', event: 'preToolUse', read, cwd: home })
    return stdout
  }
  const beside = { agent: 'vscode', level: 'user', file: '/h/.copilot/hooks/y.json' }
  expect(await told(user, beside)).toBe('')
  expect(await told(user)).toContain('guarded')
  expect(await told(user, { ...beside, file: '/p/.github/hooks/y.json' })).toContain('guarded')
})
