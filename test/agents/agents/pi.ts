import { join } from 'node:path'
import { chat } from '../stand-in/chat.ts'
import type { Agent } from './agent.ts'
import { installed, NODE, put } from './files.ts'

export const agent: Agent = {
  id: 'pi',
  title: 'pi',
  package: '@earendil-works/pi-coding-agent',
  api: chat,
  configure({ home, url }) {
    put(join(home, '.pi/agent/models.json'), {
      providers: {
        fake: {
          baseUrl: `${url}/v1`,
          api: 'openai-completions',
          apiKey: 'sk-fake',
          compat: { supportsDeveloperRole: false },
          models: [{ id: 'fake-model' }],
        },
      },
    })
  },
  environment: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }),
  start: (_place, prompt) => [
    NODE,
    installed('@earendil-works/pi-coding-agent/dist/cli.js'),
    '-p',
    prompt,
    '--provider',
    'fake',
    '--model',
    'fake-model',
  ],
  tools: {
    shell: (command) => ({ tool: 'bash', input: { command } }),
    read: (path) => ({ tool: 'read', input: { path } }),
    write: (path, content) => ({ tool: 'write', input: { path, content } }),
    edit: (path, oldText, newText) => ({ tool: 'edit', input: { path, edits: [{ oldText, newText }] } }),
  },
}
