/** Claude Code's settings.json: reads and writes its hooks. */

import type { NativeEntry, Source } from '../../spec/dialect.ts'
import type { Loaded, Run } from '../../spec/hook.ts'
import type { Matcher } from '../../spec/matcher.ts'
import {
  escapePattern,
  subjectPattern,
  subjectWords,
  toolNames,
  toolPattern,
} from '../lib/foreign-matchers.ts'
import { lineOf, parseSettings } from '../lib/json-settings.ts'
import { verdictTemplate } from '../lib/model-verdict.ts'
import { type Found, isOurs, listEntries } from '../lib/nested-hooks.ts'
import { eventNames, record, string } from '../lib/payload.ts'
import { type HookParts, type Refusal, readHooks } from '../lib/read-hooks.ts'
import { nameList, nestedSettings, wholeSeconds } from '../lib/write-hooks.ts'
import { capabilities } from './capabilities.ts'
import { events, ID } from './events.ts'
import { ruleMatcher } from './rule.ts'
import { tools } from './tools.ts'

const SHAPE = { agent: ID }

export function write(entries: readonly NativeEntry[]): string {
  return nestedSettings(entries, { matcher: nameList, timeout: wholeSeconds })
}

export function read(source: Source): Loaded {
  return readHooks(source, {
    format: ID,
    events: eventNames(ID, events),
    entries(text) {
      const root = record(parseSettings(text))
      const found = root.disableAllHooks === true ? [] : listEntries(root, SHAPE)
      return { found, line: (path) => lineOf(text, path) }
    },
    blocks: (event) => capabilities[event]?.deny ?? false,
    isOurs: ({ entry }) => isOurs(entry, SHAPE),
    hook: toHook,
  })
}

function toHook({ event, group, entry }: Found): HookParts | Refusal {
  const run = runOf(entry)
  if ('message' in run) return run
  const matcher = matcherOf(group.matcher, event)
  if ('message' in matcher) return matcher
  const condition = entry.if === undefined ? {} : ruleMatcher(String(entry.if))
  if (
    condition === undefined ||
    (entry.if !== undefined && !event.includes('Tool') && !event.includes('Permission'))
  )
    return {
      field: 'if',
      message: `"if": ${JSON.stringify(entry.if)} is no rule that could hold here, so the hook never runs.`,
      fix: 'Write a permission rule such as Bash(git *), on an event that has a tool.',
    }
  const seconds = typeof entry.timeout === 'number' ? entry.timeout : defaultSeconds(entry.type, event)
  return {
    run,
    matcher: { ...matcher, ...(Object.keys(condition).length > 0 ? both(matcher, condition) : {}) },
    timeout: seconds * 1000,
    on_failure: entry.onFailure === 'block' ? 'closed' : 'open',
    ...(entry.async === true || entry.asyncRewake === true ? { mode: 'background' as const } : {}),
    ...(run.type === 'http'
      ? { metadata: { headers: record(entry.headers), allowed_env: entry.allowedEnvVars ?? [] } }
      : {}),
  }
}

function defaultSeconds(type: unknown, event: string): number {
  if (type === 'prompt') return 30
  if (type === 'agent') return 60
  if (event === 'SessionEnd') return 1.5
  return event === 'UserPromptSubmit' ? 30 : 600
}

function runOf(entry: Record<string, unknown>): Run | Refusal {
  const command = string(entry.command)
  if (entry.type === 'command' && command !== undefined) {
    if (entry.shell === 'powershell')
      return { type: 'command', command, shell: 'pwsh', args: ['-NoProfile', '-NonInteractive', '-Command'] }
    const line = Array.isArray(entry.args)
      ? [command, ...entry.args.map(String)].map(quote).join(' ')
      : command
    return { type: 'command', command: line, shell: '/bin/sh', args: ['-c'] }
  }
  const url = string(entry.url)
  if (entry.type === 'http' && url !== undefined) return { type: 'http', url }
  const template = string(entry.prompt)
  const model = string(entry.model)
  const choice = model === undefined ? {} : { model: { name: model } }
  if (entry.type === 'prompt' && template !== undefined)
    return { type: 'prompt', template: verdictTemplate(template), ...choice }
  if (entry.type === 'agent' && template !== undefined)
    return { type: 'agent', template: verdictTemplate(template), ...choice }
  return {
    field: 'type',
    message: `A hook of type ${JSON.stringify(entry.type)} cannot be run here${entry.type === 'mcp_tool' ? ': it needs the servers of the agent' : ''}.`,
    fix: 'Use command (with "command"), http ("url"), prompt or agent ("prompt").',
  }
}

/** A command with `args` runs without a shell; only Claude Code's folder variables are replaced in arguments. */
function quote(argument: string): string {
  return argument
    .split(/(\$\{CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA)\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('${CLAUDE_') ? `"${part}"` : `'${part.replaceAll("'", "'\\''")}'`))
    .join('')
}

/** Events whose matcher Claude Code ignores. */
const NO_MATCHER = new Set([
  'PostToolBatch',
  'UserPromptSubmit',
  'Stop',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'CwdChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'MessageDisplay',
])
const TOOL_EVENTS = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
])
/** The old name of a tool still matches. */
const ALIASES = { Task: ['Task', 'Agent'] }

function matcherOf(value: unknown, event: string): Matcher | Refusal {
  const text = typeof value === 'string' ? value : ''
  if (text === '' || text === '*' || NO_MATCHER.has(event)) return {}
  const isTool = TOOL_EVENTS.has(event)
  const words = { id: ID, tools, aliases: ALIASES }
  if (event === 'FileChanged')
    return { subject_pattern: `(?:^|/)(?:${text.split('|').map(escapePattern).join('|')})$` }
  if (/^[\w|, ]*$/.test(text)) {
    const names = text.split(/[|,]/).map((name) => name.trim())
    return isTool ? toolNames(words, names) : subjectWords(names)
  }
  return (
    (isTool ? toolPattern(words, text) : subjectPattern(text)) ?? {
      field: 'matcher',
      message: `The matcher ${JSON.stringify(text)} is no pattern that can be used, so the hook never runs.`,
      fix: 'Write names separated by | or a regular expression without look-around.',
    }
  )
}

/** Both conditions must hold: as not(any(not a, not b)), because two fields of the same name cannot be merged. */
function both(a: Matcher, b: Matcher): Matcher {
  return Object.keys(a).length === 0 ? b : { not: { any: [{ not: a }, { not: b }] } }
}
