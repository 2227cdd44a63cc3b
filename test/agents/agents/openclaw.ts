import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { chat } from '../stand-in/chat.ts'
import type { Agent } from './agent.ts'
import { installed, NODE, put } from './files.ts'

export const agent: Agent = {
  id: 'openclaw',
  title: 'OpenClaw',
  package: 'openclaw',
  api: chat,
  configure({ home, project, url }) {
    put(join(home, '.openclaw/openclaw.json'), {
      models: {
        providers: {
          fake: {
            baseUrl: `${url}/v1`,
            apiKey: 'sk-fake',
            api: 'openai-completions',
            models: [{ id: 'fake-model', name: 'Fake', contextWindow: 2_000_000, maxTokens: 4096 }],
          },
        },
      },
      agents: {
        defaults: { model: { primary: 'fake/fake-model' }, workspace: project, skipBootstrap: true },
      },
    })
  },
  environment: () => ({}),
  start: (_place, prompt) => [
    NODE,
    installed('openclaw/openclaw.mjs'),
    'agent',
    '--local',
    '--agent',
    'main',
    // Otherwise it goes on with the conversation before.
    '--session-id',
    randomUUID(),
    '--message',
    prompt,
  ],
  tools: {
    shell: (command) => ({ tool: 'exec', input: { command } }),
    read: (path) => ({ tool: 'read', input: { path } }),
    write: (path, content) => ({ tool: 'write', input: { path, content } }),
    edit: (path, oldText, newText) => ({ tool: 'edit', input: { path, edits: [{ oldText, newText }] } }),
  },
  subagent: () => [],
  silent: { session_start: 'it fires only in the gateway' },
  cannot: {
    subagent: 'without a gateway no subagent can be started',
    'large-input': 'it ends the run at a call that is so large',
    replayed: 'its transcripts are compressed and without secrets: they are not read',
  },
}
