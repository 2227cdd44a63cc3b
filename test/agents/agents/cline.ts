import { chat } from '../stand-in/chat.ts'
import type { Agent } from './agent.ts'
import { installed } from './files.ts'

const CLINE = installed('@cline/cli-linux-x64/bin/cline')

export const agent: Agent = {
  id: 'cline',
  title: 'Cline',
  package: '@cline/cli-linux-x64',
  api: chat,
  configure() {},
  environment: () => ({ CLINE_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', CLINE_NO_AUTO_UPDATE: '1' }),
  prepare: ({ url }) => [
    [CLINE, 'auth', '-p', 'openai-compatible', '-k', 'sk-fake', '-m', 'fake-model', '-b', `${url}/v1`],
  ],
  start: (_place, prompt) => [CLINE, '--auto-approve', 'true', prompt],
  tools: {
    shell: (command) => ({ tool: 'run_commands', input: { commands: [command] } }),
    read: (path) => ({ tool: 'read_files', input: { files: [{ path }] } }),
    write: (path, new_text) => ({ tool: 'editor', input: { path, new_text } }),
    edit: (path, old_text, new_text) => ({ tool: 'editor', input: { path, old_text, new_text } }),
  },
  subagent: (task) => [
    { call: { tool: 'spawn_agent', input: { systemPrompt: 'You do a part of the work.', task } } },
  ],
  denyEndsRun: true,
  silent: { before_agent: 'UserPromptSubmit does not fire without a terminal' },
  cannot: {
    told: 'a deny ends the run, and the model never hears why',
    'large-input': 'its editor takes no text of 1 MB',
  },
}
