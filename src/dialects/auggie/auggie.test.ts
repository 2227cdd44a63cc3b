import { describe, expect, it } from 'vitest'
import { HOOK_DEFAULTS, type Hook } from '../../spec/hook.ts'
import { read } from './config.ts'
import { dialect } from './index.ts'

const agent = dialect.agent!
const format = dialect.format!
const hint = { env: {}, cwd: '/' }
const base = { conversation_id: 'c', workspace_roots: ['/p'] }
const save = agent.decode(
  {
    ...base,
    hook_event_name: 'PreToolUse',
    tool_name: 'save-file',
    tool_input: { path: '/p/a', file_content: 'x' },
  },
  hint,
)
const hook: Hook = {
  ...HOOK_DEFAULTS,
  name: 'h',
  format: 'auggie',
  scope: 'user',
  events: [],
  native_event: 'PreToolUse',
  run: { type: 'command', argv: ['x'] },
  origin: { file: 'f' },
}

describe('Auggie', () => {
  it('names the session, the folder, the prompt and the tools in its own way', () => {
    expect(save).toMatchObject({
      event_type: 'before_tool',
      session_id: 'c',
      work_dir: '/p',
      tool_name: 'WriteFile',
      tool_input: { path: '/p/a', content: 'x' },
    })
    expect(agent.decode({ ...base, hook_event_name: 'PromptSubmit', user_prompt: 'p' }, hint)).toMatchObject({
      event_type: 'before_agent',
      prompt: 'p',
    })
    const failed = { ...base, hook_event_name: 'PostToolUse', tool_name: 'view', tool_error: 'E' }
    expect(agent.decode(failed, hint)).toMatchObject({ event_type: 'after_tool_failure', error: 'E' })
  })

  it('takes a rewrite as a whole', () => {
    expect(JSON.parse(agent.encode({ updated_input: { content: 'y' } }, save).stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { path: '/p/a', file_content: 'y' } },
    })
  })

  it('has hooks that answer as elsewhere, or with context at the top', () => {
    const stdout = '{"decision":"block","reason":"R","additionalContext":"C"}'
    expect(format.decode({ exit_code: 0, stdout, stderr: '' }, save, hook).outcome).toEqual({
      decision: 'deny',
      reason: 'R',
      additional_context: ['C'],
    })
    const text =
      '{"hooks":{"PreToolUse":[{"matcher":"launch-process","hooks":[{"type":"command","command":"g"}]}]}}'
    expect(read({ path: '/p/.augment/settings.json', text, scope: 'project' }).hooks).toMatchObject([
      { matcher: { tool_names: ['launch-process', 'Shell'] } },
    ])
  })
})
