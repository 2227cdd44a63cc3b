/** `.kiro/hooks/*.json`, version v1: a list of named hooks, each with a trigger and an action. */

import { messageOf } from '../../spec/errors.ts'
import type { Hook } from '../../spec/hook.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { didYouMean } from '../../spec/nearest.ts'
import {
  baseHook,
  bash,
  booleanOf,
  commandOf,
  complain,
  type Entry,
  matcherOf,
  numberOf,
  warn,
} from './entry.ts'
import { EVENTS, ID } from './events.ts'
import { type Reading, report } from './file-reader.ts'
import { compileRegex } from './matcher.ts'
import { mayBlock } from './replies.ts'
import { isObject } from './tools.ts'

/** Triggers → events. What only this agent has keeps its own name. */
const TRIGGERS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(EVENTS)
      .filter(([name]) => /^[A-Z]/.test(name))
      .map(([name, events]) => [name, ([] as string[]).concat(events)]),
  ),
  ...Object.fromEntries(
    ['PostFileCreate', 'PostFileDelete', 'PreTaskExec', 'Manual'].map((name) => [name, [`${ID}/${name}`]]),
  ),
}

/** Names of agent files and of other editions. */
const ALIASES: Readonly<Record<string, string>> = {
  agentSpawn: 'SessionStart',
  userPromptSubmit: 'UserPromptSubmit',
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  stop: 'Stop',
  PreTask: 'PreTaskExec',
  PostTask: 'PostTaskExec',
}

const DEFAULT_SECONDS = 60
const MAX_SECONDS = 2_147_483

export function readStandaloneHooks(reading: Reading, list: readonly unknown[]): void {
  const taken = new Set<string>()
  for (const [index, fields] of list.entries()) {
    const path = ['hooks', index]
    if (!isObject(fields)) {
      report(reading, { path }, 'the entry is not an object', 'Write {"name", "trigger", "action"}.')
      continue
    }
    const own = typeof fields.name === 'string' && fields.name !== '' ? fields.name : `[${index}]`
    const name = `${reading.stem}:${own}${taken.has(own) ? `[${index}]` : ''}`
    taken.add(own)
    readEntry({ reading, fields, path, name, valid: true })
  }
}

function readEntry(entry: Entry): void {
  const { trigger, name, description } = entry.fields
  if (typeof name !== 'string' || name === '')
    complain(entry, 'name', '`name` is missing', 'Give the hook a name.')
  const native = typeof trigger === 'string' && Object.hasOwn(ALIASES, trigger) ? ALIASES[trigger]! : trigger
  if (typeof native !== 'string' || !Object.hasOwn(TRIGGERS, native)) {
    const word = String(trigger)
    const names = Object.keys(TRIGGERS)
    complain(
      entry,
      'trigger',
      `unknown trigger \`${word}\`.${didYouMean(word, names)}`,
      `Triggers: ${names.join(', ')}.`,
    )
    return
  }
  const run = actionOf(entry)
  const matcher = compile(entry, native, matcherOf(entry))
  const seconds = numberOf(entry, 'timeout', 0, DEFAULT_SECONDS)
  const enabled = booleanOf(entry, 'enabled', true)
  if (!entry.valid || !run) return
  const events = TRIGGERS[native]!
  entry.reading.loaded.hooks.push({
    ...baseHook(entry),
    ...(typeof description === 'string' ? { description } : {}),
    events,
    native_event: native,
    matcher,
    run,
    // 0 means without a limit there.
    timeout: Math.min(seconds === 0 ? MAX_SECONDS : seconds, MAX_SECONDS) * 1000,
    blocks: mayBlock(events[0]!, native),
    ...(enabled ? {} : { disabled: true }),
  })
}

function actionOf(entry: Entry): Hook['run'] | undefined {
  const { action } = entry.fields
  if (isObject(action) && action.type === 'command') return bash(commandOf(entry, action))
  if (
    isObject(action) &&
    action.type === 'agent' &&
    typeof action.prompt === 'string' &&
    action.prompt !== ''
  )
    return { type: 'outcome', outcome: { additional_context: [action.prompt] } }
  complain(
    entry,
    'action',
    '`action` is neither a command nor a prompt',
    'Write {"type": "command", "command": "…"} or {"type": "agent", "prompt": "…"}.',
  )
  return undefined
}

/** A pattern over tool names, or over the path of a file that changed. */
function compile(entry: Entry, trigger: string, pattern: string | undefined): Matcher {
  if (pattern === undefined) return {}
  try {
    if (/ToolUse$/.test(trigger)) return compileRegex(pattern)
    if (trigger.startsWith('PostFile')) {
      return Object.keys(compileRegex(pattern)).length === 0 ? {} : { subject_pattern: pattern }
    }
    warn(
      entry,
      'matcher',
      `\`matcher\` has no effect on ${trigger}`,
      'Remove it: tool and file triggers have one.',
    )
  } catch (thrown) {
    complain(
      entry,
      'matcher',
      `\`matcher\` is not a regular expression: ${messageOf(thrown)}`,
      'Correct the pattern.',
    )
  }
  return {}
}
