/** The older context files: hooks by name, with `conversation_start` or `per_prompt` as their trigger. */

import { baseHook, bash, booleanOf, commandOf, type Entry, limitsOf, warn } from './entry.ts'
import { EVENTS } from './events.ts'
import { type Reading, report } from './file-reader.ts'
import { isObject } from './tools.ts'

const TRIGGERS = { conversation_start: 'agentSpawn', per_prompt: 'userPromptSubmit' } as const

export function readContextHooks(
  reading: Reading,
  hooks: Record<string, unknown>,
  above: readonly (string | number)[],
): void {
  for (const [key, fields] of Object.entries(hooks)) {
    const path = [...above, key]
    const name = `${reading.stem}:${key}`
    if (!isObject(fields)) {
      report(
        reading,
        { path, hook: name },
        'the hook is not an object',
        'Write {"trigger": "per_prompt", "command": "…"}.',
      )
      continue
    }
    readEntry({ reading, fields, path, name, valid: true })
  }
}

function readEntry(entry: Entry): void {
  const { trigger, command: line } = entry.fields
  if (trigger !== 'conversation_start' && trigger !== 'per_prompt') {
    const fix = 'Write conversation_start or per_prompt.'
    report(
      entry.reading,
      { path: [...entry.path, 'trigger'], hook: entry.name },
      `unknown trigger ${JSON.stringify(trigger)}`,
      fix,
    )
    return
  }
  if (line === undefined || line === null) {
    warn(entry, 'command', 'the hook has no command and is left out', 'Give it a command, or remove it.')
    return
  }
  const command = commandOf(entry)
  const native = TRIGGERS[trigger]
  const limits = limitsOf(entry, native !== 'agentSpawn')
  const disabled = booleanOf(entry, 'disabled', false)
  if (!entry.valid) return
  entry.reading.loaded.hooks.push({
    ...baseHook(entry),
    ...limits,
    events: [EVENTS[native]],
    native_event: native,
    run: bash(command),
    blocks: false,
    ...(disabled ? { disabled } : {}),
  })
}
