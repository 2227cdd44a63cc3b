import { join } from 'node:path'
import { chat } from '../stand-in/chat.ts'
import type { Agent } from './agent.ts'
import { installed, NODE, put } from './files.ts'

export const agent: Agent = {
  id: 'qwen-code',
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  api: chat,
  configure({ home }) {
    put(join(home, '.qwen/settings.json'), {
      $version: 3,
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      // Else it asks the model in the background.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    })
  },
  environment: ({ url }) => ({
    OPENAI_API_KEY: 'sk-fake',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'fake-model',
    QWEN_CODE_NO_RELAUNCH: 'true',
    NO_PROXY: '127.0.0.1,localhost',
  }),
  start: (_place, prompt) => [NODE, installed('@qwen-code/qwen-code/cli-entry.js'), '-p', prompt, '--yolo'],
  tools: {
    shell: (command) => ({
      tool: 'run_shell_command',
      input: { command, description: 'a step', is_background: false },
    }),
    read: (file_path) => ({ tool: 'read_file', input: { file_path } }),
    write: (file_path, content) => ({ tool: 'write_file', input: { file_path, content } }),
    edit: (file_path, old_string, new_string) => ({
      tool: 'edit',
      input: { file_path, old_string, new_string },
    }),
  },
  // UserPromptSubmit fires for tool results as well.
  asksBeforeModel: true,
  subagent: (prompt) => [
    {
      call: {
        tool: 'agent',
        input: { description: 'a part', prompt, subagent_type: 'general-purpose', run_in_background: false },
      },
    },
  ],
}
