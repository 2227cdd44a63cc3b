import { chat } from '../stand-in/chat.ts'
import type { Agent } from './agent.ts'
import { installed, NODE } from './files.ts'

const LETTA = [NODE, installed('@letta-ai/letta-code/letta.js')]

export const agent: Agent = {
  id: 'letta',
  title: 'Letta Code',
  package: '@letta-ai/letta-code',
  api: chat,
  configure() {},
  environment: ({ url }) => ({
    LETTA_LOCAL_BACKEND_EXPERIMENTAL: '1',
    LMSTUDIO_BASE_URL: `${url}/v1`,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: 'sk-fake',
    DISABLE_AUTOUPDATER: '1',
    LETTA_CODE_TELEM: '0',
  }),
  prepare: ({ url }) => [
    [...LETTA, 'connect', 'lmstudio', '--base-url', `${url}/v1`, '--api-key', 'sk-fake'],
  ],
  start: (_place, prompt) => [
    ...LETTA,
    '-p',
    prompt,
    '--new-agent',
    '--model',
    'lmstudio/fake-model',
    '--yolo',
    '--no-memfs',
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
        input: {
          description: 'a part',
          prompt,
          subagent_type: 'general-purpose',
          model: 'lmstudio/fake-model',
          run_in_background: false,
        },
      },
    },
  ],
  silent: {
    session_start: 'SessionStart does not fire without a terminal',
    before_agent: 'UserPromptSubmit does not fire without a terminal',
    before_stop: 'Stop does not fire without a terminal',
  },
}
