/** Command entries of an agent's settings → hooks, by the few things in which these agents differ. Loaded only while reading settings. */

import type { Capability, Dialect, Source } from '../../spec/dialect.ts'
import { eventRow } from '../../spec/event.ts'
import type { Loaded, Run } from '../../spec/hook.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { callsCrosshook } from './command-marker.ts'
import {
  type MatcherWords,
  subjectPattern,
  subjectWords,
  toolNames,
  toolPattern,
} from './foreign-matchers.ts'
import { lineOf, parseSettings } from './json-settings.ts'
import { type Found, listEntries, type Shape } from './nested-hooks.ts'
import { record, string } from './payload.ts'
import { type HookParts, type Refusal, readHooks } from './read-hooks.ts'

/** How a matcher is read: a list of names, a pattern for the whole name, a pattern found anywhere, or names if it has only letters and bars. */
export type MatcherKind = 'names' | 'whole' | 'search' | 'names or search' | 'names or whole' | 'none'

export interface CommandFormat {
  words: MatcherWords
  events: Dialect['events']
  capabilities: Readonly<Record<string, Capability>>
  /** Entries stand below other keys in some files; several shapes may be in one. */
  shapes(root: Record<string, unknown>, path: string): readonly Shape[]
  matcher: MatcherKind
  /** Events that are a kind of tool by themselves, or whose matcher is compared with something else. */
  special?(event: string, matcher: string): Matcher | undefined
  /** Milliseconds that an entry may take. */
  timeout(entry: Record<string, unknown>): number
  /** The line for a shell, when it is not in `command`. */
  command?(entry: Record<string, unknown>): string | undefined
  /** What else an entry says. */
  more?(entry: Record<string, unknown>, event: string): Partial<HookParts>
  mode?: 'sequence' | 'concurrent'
}

export function readCommandHooks(source: Source, format: CommandFormat): Loaded {
  return readHooks(source, {
    format: format.words.id,
    events: format.events,
    entries(text) {
      const root = record(parseSettings(text))
      const off = root.disableAllHooks === true || root.disabled === true
      const found = off ? [] : format.shapes(root, source.path).flatMap((shape) => listEntries(root, shape))
      return { found, line: (path) => lineOf(text, path) }
    },
    blocks: (event) => format.capabilities[event]?.deny ?? false,
    // Several agents share folders, so the entry of any of them may be here.
    isOurs: ({ entry }) => [entry.command, entry.bash, entry.url].some(callsCrosshook),
    hook: (found) => toHook(found, format),
  })
}

function toHook({ event, group, entry }: Found, format: CommandFormat): HookParts | Refusal {
  const run = runOf(entry, format)
  if ('message' in run) return run
  const value = group.matcher ?? entry.matcher
  const matcher =
    format.special?.(event, typeof value === 'string' ? value : '') ?? matcherOf(value, event, format)
  if ('message' in matcher) return matcher
  const description = string(entry.description) ?? string(entry.name)
  return {
    run,
    matcher,
    timeout: format.timeout(entry),
    mode: entry.async === true ? 'background' : (format.mode ?? 'concurrent'),
    ...(description === undefined ? {} : { description }),
    ...(entry.enabled === false || entry.disabled === true ? { disabled: true } : {}),
    ...format.more?.(entry, event),
  }
}

function runOf(entry: Record<string, unknown>, format: CommandFormat): Run | Refusal {
  const type = entry.type ?? 'command'
  const command = format.command?.(entry) ?? string(entry.command)
  if (type === 'command' && command !== undefined)
    return { type: 'command', command, shell: '/bin/sh', args: ['-c'] }
  const url = string(entry.url)
  if (type === 'http' && url !== undefined) return { type: 'http', url }
  return {
    field: 'type',
    message: `A hook of type ${JSON.stringify(type)} cannot be run here.`,
    fix: 'Use a command.',
  }
}

function matcherOf(
  value: unknown,
  event: string,
  { words, matcher, events }: CommandFormat,
): Matcher | Refusal {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '' || text === '*' || matcher === 'none') return {}
  const isTool = [events[event] ?? []].flat().some((name) => eventRow(name).tool)
  const isNames = matcher === 'names' || (matcher.startsWith('names') && /^[\w|, -]*$/.test(text))
  if (isNames) {
    const names = text.split(/[|,]/).map((name) => name.trim())
    return isTool ? toolNames(words, names) : subjectWords(names)
  }
  const pattern = matcher.endsWith('whole') ? `^(?:${text})$` : text
  return (
    (isTool ? toolPattern(words, pattern) : subjectPattern(pattern)) ?? {
      field: 'matcher',
      message: `The matcher ${JSON.stringify(text)} is no pattern that can be used, so the hook never runs.`,
      fix: 'Write names separated by | or a regular expression without look-around.',
    }
  )
}
