/** Amazon Q Developer CLI, and Kiro, which grew from it. */

import type { Dialect, Source } from '../../spec/dialect.ts'
import { decode as decodeEvent, EVENTS, encode as encodeEvent, ID } from './events.ts'
import { decode as decodeReply, encode as encodeReply, wrapContext } from './replies.ts'
import { isObject, TOOL_TABLE } from './tools.ts'

export const dialect: Dialect = {
  id: ID,
  title: 'Amazon Q / Kiro',
  events: EVENTS,
  tools: TOOL_TABLE,
  format: {
    exitDecides: true,
    files: {
      project: ['.amazonq/cli-agents/*.json', '.kiro/agents/*.json', '.kiro/hooks/*.json'],
      user: ['.aws/amazonq/cli-agents/*.json', '.kiro/agents/*.json', '.kiro/hooks/*.json'],
    },
    recognises,
    read: async (source) => (await import('./config.ts')).read(source),
    encode: encodeEvent,
    decode: decodeReply,
    wrapContext,
  },
  agent: {
    proven: { by: 'docs', version: 'Amazon Q CLI 1.19, Kiro CLI 2.22' },
    process: { names: ['q', 'qchat', 'kiro-cli', 'kiro-cli-chat'], marks: [] },
    capabilities: {
      agentSpawn: { event: 'session_start', deny: false, effects: ['additional_context'] },
      userPromptSubmit: { event: 'before_agent', deny: false, effects: ['additional_context'] },
      preToolUse: { event: 'before_tool', deny: true, effects: [] },
      postToolUse: {
        event: 'after_tool',
        deny: false,
        effects: [],
        note: 'Also fires when a tool failed; nothing that a hook prints reaches the model.',
      },
      stop: { event: 'before_stop', deny: false, effects: [], note: 'A hook cannot make it go on.' },
    },
    notes: [
      'Hooks belong to one agent file: other agents of the same installation do not run them.',
      'Amazon Q sends no session id, so what hooks remember is shared by all of its sessions.',
      'What a hook prints is cut at 10240 bytes.',
    ],
    decode: decodeEvent,
    encode: encodeReply,
    install: async () => (await import('./install.ts')).installer,
  },
}

const TRIGGER =
  /"(?:agentSpawn|userPromptSubmit|preToolUse|postToolUse|stop|conversation_start|per_prompt|v1)"/

function recognises({ path, text }: Source): number {
  if (text === undefined) return 0
  const atHome = /(?:^|[\\/])(?:cli-agents|\.kiro[\\/](?:agents|hooks))[\\/][^\\/]+\.json$/.test(path)
  if (!TRIGGER.test(text)) return atHome ? 2 : 0
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch {
    // Not JSON: recognised by its path only, and reading it reports the error.
    return atHome ? 2 : 0
  }
  if (!isObject(root)) return 0
  if (Array.isArray(root.hooks)) return root.version === 'v1' ? 2 : 0
  const hooks = isObject(root.hooks) ? root.hooks : root
  if (Object.values(hooks).some((hook) => isObject(hook) && isContextTrigger(hook.trigger))) return 2
  // Other formats use some of these names too, in files whose version is a number.
  if (!isObject(root.hooks) || typeof root.version === 'number') return atHome ? 2 : 0
  const lists = Object.entries(EVENTS).flatMap(([name]) =>
    /^[a-z]/.test(name) && Object.hasOwn(hooks, name) ? [hooks[name]] : [],
  )
  const isOwn = lists.some(
    (list) => Array.isArray(list) && list.every((hook) => isObject(hook) && 'command' in hook),
  )
  return isOwn ? 2 : 0
}

function isContextTrigger(trigger: unknown): boolean {
  return trigger === 'conversation_start' || trigger === 'per_prompt'
}
