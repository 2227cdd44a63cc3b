import { join } from 'node:path'
import { chat } from '../stand-in/chat.ts'
import type { Agent } from './agent.ts'
import { installed, put } from './files.ts'

export const agent: Agent = {
  id: 'droid',
  title: 'Factory Droid',
  package: '@factory/cli-linux-x64',
  api: chat,
  configure({ home, url }) {
    put(join(home, '.factory/settings.json'), {
      customModels: [
        {
          model: 'fake-model',
          id: 'custom:fake-model',
          displayName: 'Fake',
          baseUrl: `${url}/v1`,
          apiKey: 'sk-fake',
          provider: 'generic-chat-completion-api',
          maxOutputTokens: 4096,
        },
      ],
    })
  },
  environment: () => ({
    FACTORY_API_KEY: 'fk-fake',
    FACTORY_DISABLE_TELEMETRY: '1',
    DROID_DISABLE_AUTO_UPDATE: '1',
  }),
  start: (_place, prompt) => [
    installed('@factory/cli-linux-x64/bin/droid'),
    'exec',
    '--auto',
    'high',
    '--model',
    'custom:fake-model',
    prompt,
  ],
  tools: {
    shell: (command) => ({
      tool: 'Execute',
      input: { command, summary: 'a step', riskLevel: 'low', riskLevelReason: 'a test' },
    }),
    read: (file_path) => ({ tool: 'Read', input: { file_path } }),
    write: (file_path, content) => ({ tool: 'Create', input: { file_path, content } }),
    edit: (file_path, old_str, new_str) => ({ tool: 'Edit', input: { file_path, old_str, new_str } }),
  },
  subagent: (prompt) => [
    {
      call: { tool: 'Task', input: { subagent_type: 'worker', description: 'a part', prompt, await: true } },
    },
  ],
  silent: { before_agent: 'UserPromptSubmit does not fire in `droid exec`' },
  cannot: { subagent: 'its subagents need a daemon that does not start offline' },
}
