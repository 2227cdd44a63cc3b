import { join } from 'node:path'
import { chat } from '../stand-in/chat.ts'
import type { Agent, Place } from './agent.ts'
import { installed, put } from './files.ts'
import { pluginPackage } from './plugin-package.ts'

export const agent: Agent = {
  id: 'opencode',
  title: 'OpenCode',
  package: 'opencode-ai',
  api: chat,
  configure(place) {
    put(join(place.project, 'opencode.json'), openCodeSettings(place))
    pluginPackage(join(place.home, '.config/opencode'))
  },
  environment: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_SHARE: '1',
  }),
  start: (_place, prompt) => [
    installed('opencode-linux-x64/bin/opencode'),
    'run',
    '--print-logs',
    '--log-level',
    'ERROR',
    prompt,
  ],
  tools: {
    shell: (command) => ({ tool: 'bash', input: { command, description: 'a step' } }),
    read: (filePath) => ({ tool: 'read', input: { filePath } }),
    write: (filePath, content) => ({ tool: 'write', input: { filePath, content } }),
    edit: (filePath, oldString, newString) => ({ tool: 'edit', input: { filePath, oldString, newString } }),
  },
  subagent: (prompt) => [
    { call: { tool: 'task', input: { description: 'a part', prompt, subagent_type: 'general' } } },
  ],
}

function openCodeSettings({ url }: Place): object {
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
    permission: { bash: 'allow', edit: 'allow', read: 'allow', task: 'allow' },
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Fake',
        options: { baseURL: `${url}/v1`, apiKey: 'sk-fake' },
        models: {
          'fake-model': { name: 'Fake', tool_call: true, limit: { context: 2_000_000, output: 4096 } },
        },
      },
    },
  }
}
