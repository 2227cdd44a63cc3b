import { chat } from '../stand-in/chat.ts'
import type { Agent } from './agent.ts'
import { installed } from './files.ts'

export const agent: Agent = {
  id: 'copilot',
  title: 'Copilot CLI',
  package: '@github/copilot',
  api: chat,
  configure() {},
  environment: ({ url }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'sk-fake',
    COPILOT_MODEL: 'fake-model',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  start: (_place, prompt) => [
    installed('@github/copilot-linux-x64/copilot'),
    '-p',
    prompt,
    '--allow-all-tools',
    '--allow-all-paths',
    '--trust-folder',
    '--no-color',
  ],
  tools: {
    shell: (command) => ({ tool: 'bash', input: { command, description: 'a step' } }),
    read: (path) => ({ tool: 'view', input: { path } }),
    write: (path, file_text) => ({ tool: 'create', input: { path, file_text } }),
    edit: (path, old_str, new_str) => ({ tool: 'edit', input: { path, old_str, new_str } }),
  },
  subagent: (prompt) => [
    {
      call: {
        tool: 'task',
        input: { name: 'part', description: 'a part', prompt, agent_type: 'general-purpose', mode: 'sync' },
      },
    },
  ],
}
