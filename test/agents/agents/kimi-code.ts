import { join } from 'node:path'
import { chat } from '../stand-in/chat.ts'
import type { Agent } from './agent.ts'
import { installed, NODE, put } from './files.ts'

export const agent: Agent = {
  id: 'kimi-code',
  title: 'Kimi Code',
  package: '@moonshot-ai/kimi-code',
  api: chat,
  configure({ home, url }) {
    put(
      join(home, '.kimi-code/config.toml'),
      `# settings of a person
default_model = "fake"
telemetry = false
default_permission_mode = "auto"

[providers.fake]
type = "openai"
base_url = "${url}/v1"
api_key = "sk-fake"

[models.fake]
provider = "fake"
model = "fake"
max_context_size = 2000000
capabilities = ["tool_use"]
`,
    )
  },
  environment: () => ({ KIMI_DISABLE_TELEMETRY: '1', KIMI_CODE_NO_AUTO_UPDATE: '1', KIMI_DISABLE_CRON: '1' }),
  start: (_place, prompt) => [
    NODE,
    installed('@moonshot-ai/kimi-code/dist/main.mjs'),
    '-p',
    prompt,
    '--output-format',
    'stream-json',
  ],
  tools: {
    shell: (command) => ({ tool: 'Bash', input: { command } }),
    read: (path) => ({ tool: 'Read', input: { path } }),
    write: (path, content) => ({ tool: 'Write', input: { path, content } }),
    edit: (path, old_string, new_string) => ({ tool: 'Edit', input: { path, old_string, new_string } }),
  },
  subagent: (prompt) => [
    { call: { tool: 'Agent', input: { description: 'a part', prompt, subagent_type: 'coder' } } },
  ],
  // It refuses to write `.env` before it asks any hook.
  secretFile: 'app.env',
}
