import { join } from 'node:path'
import { gemini } from '../stand-in/gemini.ts'
import type { Agent } from './agent.ts'
import { installed, NODE, put } from './files.ts'

export const agent: Agent = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  api: gemini,
  configure({ home, project }) {
    put(join(home, '.gemini/settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      hooksConfig: { enabled: true },
    })
    put(join(home, '.gemini/trustedFolders.json'), { [project]: 'TRUST_FOLDER' })
  },
  environment: ({ url }) => ({
    GEMINI_API_KEY: 'sk-fake',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
    NO_PROXY: '127.0.0.1,localhost',
  }),
  // A model that is named needs no side call to choose one; without --yolo there is no shell tool.
  start: (_place, prompt) => [
    NODE,
    installed('@google/gemini-cli/bundle/gemini.js'),
    '-m',
    'gemini-2.5-flash',
    '-p',
    prompt,
    '--yolo',
  ],
  tools: {
    shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'a step' } }),
    read: (file_path) => ({ tool: 'read_file', input: { file_path } }),
    write: (file_path, content) => ({ tool: 'write_file', input: { file_path, content } }),
    edit: (file_path, old_string, new_string) => ({
      tool: 'replace',
      input: { file_path, instruction: 'change it', old_string, new_string },
    }),
  },
  subagent: (prompt) => [{ call: { tool: 'invoke_agent', input: { agent_name: 'generalist', prompt } } }],
  subagentEnd: (result) => ({ call: { tool: 'complete_task', input: { result: { response: result } } } }),
  asksBeforeModel: true,
  // It refuses to write `.env` before it asks any hook.
  secretFile: 'app.env',
}
