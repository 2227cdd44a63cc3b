/** Matchers as each agent reads them, tried with the tools of that agent and of others. */

import { describe, expect, it } from 'vitest'
import { compileMatcher } from '../engine/match.ts'
import type { Dialect } from '../spec/dialect.ts'
import type { HookEvent } from '../spec/event.ts'
import { dialect as claudeCode } from './claude-code/index.ts'
import { dialect as codex } from './codex/index.ts'
import { dialect as geminiCli } from './gemini-cli/index.ts'
import { dialect as kimiCode } from './kimi-code/index.ts'
import { dialect as qwenCode } from './qwen-code/index.ts'

const AGENTS = {
  'claude-code': {
    dialect: claudeCode,
    event: 'PreToolUse',
    file: 'settings.json',
    shell: 'Bash',
    session: 'SessionStart',
  },
  codex: { dialect: codex, event: 'PreToolUse', file: 'hooks.json', shell: 'Bash', session: 'SessionStart' },
  'gemini-cli': {
    dialect: geminiCli,
    event: 'BeforeTool',
    file: 'settings.json',
    shell: 'run_shell_command',
    session: 'SessionStart',
  },
  'qwen-code': {
    dialect: qwenCode,
    event: 'PreToolUse',
    file: 'settings.json',
    shell: 'run_shell_command',
    session: 'SessionStart',
  },
  'kimi-code': {
    dialect: kimiCode,
    event: 'PreToolUse',
    file: 'config.toml',
    shell: 'Bash',
    session: 'SessionStart',
  },
} as const

type Agent = keyof typeof AGENTS

/** Patterns that were tried with the shell tool of the real agents, and whether the hook ran. */
const SHELL: Record<Agent, { runs: string[]; silent: string[] }> = {
  'claude-code': {
    runs: ['', '*', 'Bash', 'Read | Bash', 'Read,Bash', 'as.', '.*', '^Bash$'],
    silent: ['Bas', 'bash', '[', 'Bash(echo *)', 'Read'],
  },
  codex: {
    runs: ['', '*', 'Bash', 'Bash|Write', '^Ba', 'Ba.*'],
    silent: ['Ba', 'bash', 'shell', 'exec_command', 'Bash | Write', 'Bash(echo *)', '^(?!Bash)', '['],
  },
  'gemini-cli': {
    runs: ['', '*', 'shell', 'run_shell_comman', '.*', 'read_file|run_shell_command'],
    silent: ['^shell', 'Run_Shell_Command', 'Bash', '!read_file', 'run_shell_command(echo *)'],
  },
  'qwen-code': {
    runs: ['', '*', 'Bash', 'Shell', 'ShellTool', 'Bash|Edit', 'run_shell', 'run_.*'],
    silent: ['[', 'read_file'],
  },
  'kimi-code': { runs: ['', 'Bash', 'Ba', '^Bash$'], silent: ['bash', '*bad(', '^Read$'] },
}

describe.each(Object.keys(SHELL) as Agent[])('a matcher of %s', (agent) => {
  const { shell } = AGENTS[agent]
  const own = event(agent, 'Shell', shell)
  const elsewhere = event('another', 'Shell', 'terminal')

  it.each(SHELL[agent].runs)('%j runs for the shell, in this agent and in others', async (text) => {
    expect([await runs(agent, text, own), await runs(agent, text, elsewhere)]).toEqual([true, true])
  })

  it.each(SHELL[agent].silent)('%j does not run for the shell', async (text) => {
    expect([await runs(agent, text, own), await runs(agent, text, elsewhere)]).toEqual([false, false])
  })

  it('does not run for another tool than the one it names', async () => {
    expect(await runs(agent, shell, event(agent, 'ReadFile', 'some_reader'))).toBe(false)
  })
})

describe('matchers', () => {
  it('of MCP tools follow the names of each agent', async () => {
    const mcp = event('claude-code', 'mcp__lab__echo', 'mcp__lab__echo')
    expect(await runs('claude-code', 'mcp__lab__.*', mcp)).toBe(true)
    expect(await runs('claude-code', 'mcp__*', mcp)).toBe(true)
    expect(await runs('claude-code', 'mcp__lab', mcp)).toBe(false)
    expect(await runs('codex', 'mcp__lab', mcp)).toBe(false)
  })

  it('of an old tool name still match the new one', async () => {
    expect(await runs('claude-code', 'Task', event('claude-code', 'Subagent', 'Agent'))).toBe(true)
  })

  it('tell the edit tools of their own agent apart, and take any of another', async () => {
    expect(await runs('claude-code', 'Edit', event('claude-code', 'EditFile', 'NotebookEdit'))).toBe(false)
    expect(await runs('claude-code', 'NotebookEdit', event('claude-code', 'EditFile', 'NotebookEdit'))).toBe(
      true,
    )
    expect(await runs('claude-code', 'Edit', event('another', 'EditFile', 'replace'))).toBe(true)
  })

  it('of patches also run for files that are written or deleted', async () => {
    for (const tool of ['EditFile', 'WriteFile', 'DeleteFile'])
      expect(await runs('codex', 'apply_patch', event('another', tool, 'x'))).toBe(true)
    expect(await runs('codex', 'Write', event('codex', 'EditFile', 'apply_patch'))).toBe(true)
  })

  it('of sessions are exact, lists or patterns', async () => {
    const resume = { ...event('another', '', ''), event_type: 'session_start', source: 'resume' }
    const cases: [Agent, string, boolean][] = [
      ['claude-code', 'startup|resume', true],
      ['claude-code', 'startup', false],
      ['codex', 'resume', true],
      ['codex', 'res', false],
      ['gemini-cli', 'resume', true],
      ['gemini-cli', 'startup|resume', false],
      ['gemini-cli', 'res', false],
      ['qwen-code', 'res', true],
      ['kimi-code', 'res', true],
    ]
    for (const [agent, text, expected] of cases)
      expect([agent, text, await runs(agent, text, resume, AGENTS[agent].session)]).toEqual([
        agent,
        text,
        expected,
      ])
  })

  it('of prompts are searched in the prompt where the agent does so', async () => {
    const prompt = (text: string) => ({
      ...event('another', '', ''),
      event_type: 'before_agent',
      prompt: text,
    })
    expect(await runs('kimi-code', 'deploy', prompt('please deploy'), 'UserPromptSubmit')).toBe(true)
    expect(await runs('kimi-code', 'deploy', prompt('hello'), 'UserPromptSubmit')).toBe(false)
    expect(await runs('claude-code', 'ZZZ', prompt('hello'), 'UserPromptSubmit')).toBe(true)
  })
})

function event(agent: string, tool: string, native: string): HookEvent {
  return {
    event_type: 'before_tool',
    timestamp: '2026-01-01T00:00:00Z',
    session_id: 's',
    work_dir: '/p',
    context: {},
    agent,
    ...(tool === '' ? {} : { tool_name: tool, native_tool_name: native, tool_input: {} }),
  }
}

async function runs(agent: Agent, text: string, fired: HookEvent, nativeEvent?: string): Promise<boolean> {
  const { dialect, event: usual, file } = AGENTS[agent]
  const name = nativeEvent ?? usual
  const settings = file.endsWith('.toml')
    ? `[[hooks]]\nevent = "${name}"\nmatcher = ${JSON.stringify(text)}\ncommand = "x"\n`
    : JSON.stringify({ hooks: { [name]: [{ matcher: text, hooks: [{ type: 'command', command: 'x' }] }] } })
  const { hooks } = await (dialect as Dialect).format!.read({
    path: `/p/${file}`,
    scope: 'user',
    text: settings,
  })
  const hook = hooks[0]
  if (!hook?.events.includes(fired.event_type)) return false
  return (await compileMatcher(hook.matcher)).explain(fired).matched
}
