import { join } from 'node:path'
import { chat } from '../stand-in/chat.ts'
import type { Agent } from './agent.ts'
import { put, pythonProgram } from './files.ts'

export const agent: Agent = {
  id: 'hermes',
  title: 'Hermes Agent',
  package: 'pypi:hermes-agent',
  api: chat,
  configure({ home, url }) {
    put(
      join(home, '.hermes/config.yaml'),
      `# settings of a person
model:
  default: fake-model
  provider: custom
  base_url: ${url}/v1
  api_key: sk-fake
  context_length: 2000000
terminal:
  backend: local
hooks: {}
`,
    )
  },
  environment: () => ({}),
  start: (_place, prompt) => [pythonProgram('hermes'), '-z', prompt, '--yolo'],
  tools: {
    shell: (command) => ({ tool: 'terminal', input: { command } }),
    read: (path) => ({ tool: 'read_file', input: { path } }),
    write: (path, content) => ({ tool: 'write_file', input: { path, content } }),
    edit: (path, old_string, new_string) => ({
      tool: 'patch',
      input: { mode: 'replace', path, old_string, new_string },
    }),
  },
  cannot: { 'never-done': 'pre_verify fires only in a turn that changed files' },
  subagent: (goal) => [{ call: { tool: 'delegate_task', input: { goal } } }],
}
