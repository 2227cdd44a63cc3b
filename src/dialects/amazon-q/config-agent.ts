/** `"hooks": {"preToolUse": [{"matcher": "fs_*", "command": "…"}]}` of an agent file. */

import { didYouMean } from '../../spec/nearest.ts'
import { baseHook, bash, commandOf, type Entry, limitsOf, matcherOf, warn, warnOfUnknown } from './entry.ts'
import { AGENT_TRIGGERS, EVENTS } from './events.ts'
import { type Reading, report } from './file-reader.ts'
import { compileMatcher } from './matcher.ts'
import { mayBlock } from './replies.ts'
import { isObject } from './tools.ts'

type Trigger = (typeof AGENT_TRIGGERS)[number]

const FIELDS = ['command', 'matcher', 'timeout_ms', 'max_output_size', 'cache_ttl_seconds']

export function readAgentHooks(reading: Reading, triggers: Record<string, unknown>): void {
  for (const [trigger, list] of Object.entries(triggers)) {
    if (!isTrigger(trigger))
      report(
        reading,
        { path: ['hooks', trigger] },
        `unknown trigger \`${trigger}\`.${didYouMean(trigger, AGENT_TRIGGERS)}`,
        `Triggers: ${AGENT_TRIGGERS.join(', ')}.`,
      )
    else if (!Array.isArray(list))
      report(
        reading,
        { path: ['hooks', trigger] },
        `\`${trigger}\` is not a list`,
        'Write [{"command": "…"}].',
      )
    else for (const [index, fields] of list.entries()) readEntry(reading, trigger, index, fields)
  }
}

function readEntry(reading: Reading, trigger: Trigger, index: number, fields: unknown): void {
  const name = `${reading.stem}:${trigger}[${index}]`
  const path = ['hooks', trigger, index]
  if (!isObject(fields)) {
    report(reading, { path, hook: name }, 'the entry is not an object', 'Write {"command": "…"}.')
    return
  }
  const entry: Entry = { reading, fields, path, name, valid: true }
  warnOfUnknown(entry, FIELDS)
  const command = commandOf(entry)
  const pattern = matcherOf(entry)
  // Output of agentSpawn is not cached: the next agent must run the hook again.
  const limits = limitsOf(entry, trigger !== 'agentSpawn')
  const forTools = trigger === 'preToolUse' || trigger === 'postToolUse'
  if (pattern !== undefined && !forTools)
    warn(
      entry,
      'matcher',
      `\`matcher\` has no effect on ${trigger}`,
      'Remove it: only tool triggers have one.',
    )
  if (!entry.valid) return
  const events = ([] as string[]).concat(EVENTS[trigger])
  reading.loaded.hooks.push({
    ...baseHook(entry),
    ...limits,
    events,
    native_event: trigger,
    matcher: forTools ? compileMatcher(pattern) : {},
    run: bash(command),
    blocks: mayBlock(events[0]!, trigger),
    ...(pattern === undefined ? {} : { metadata: { matcher: pattern } }),
  })
}

function isTrigger(name: string): name is Trigger {
  return (AGENT_TRIGGERS as readonly string[]).includes(name)
}
