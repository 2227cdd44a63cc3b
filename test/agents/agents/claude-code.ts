import { join } from 'node:path'
import { anthropic } from '../stand-in/anthropic.ts'
import type { Agent } from './agent.ts'
import { installed, put } from './files.ts'

export const agent: Agent = {
  id: 'claude-code',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code-linux-x64',
  api: anthropic,
  configure({ home, project }) {
    put(join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: ['sk-fake'], rejected: [] },
      projects: {
        [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] },
      },
    })
    put(join(home, '.claude/settings.json'), '{\n  "model": "claude-sonnet-4-5"\n}\n')
  },
  environment: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-fake',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  }),
  start: (_place, prompt) => [
    installed('@anthropic-ai/claude-code-linux-x64/claude'),
    '-p',
    prompt,
    '--dangerously-skip-permissions',
  ],
  tools: {
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'a step' } }),
    read: (file_path) => ({ tool: 'Read', input: { file_path } }),
    write: (file_path, content) => ({ tool: 'Write', input: { file_path, content } }),
    edit: (file_path, old_string, new_string) => ({
      tool: 'Edit',
      input: { file_path, old_string, new_string },
    }),
  },
  subagent: (prompt) => [
    {
      call: {
        tool: 'Agent',
        input: { description: 'a part', prompt, subagent_type: 'general-purpose', run_in_background: false },
      },
    },
  ],
}
