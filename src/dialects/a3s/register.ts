/** A registration (`PreToolUse`, matcher, config, handler) → a hook. Used by files, the library, the daemon and the SDKs. */

import { CrosshookError } from '../../spec/errors.ts'
import { eventRow, type HookEvent } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook, type Run, type Scope } from '../../spec/hook.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { didYouMean } from '../../spec/nearest.ts'
import type { Outcome } from '../../spec/outcome.ts'
import {
  type ConfigDefinition,
  complain,
  type MatcherDefinition,
  readConfig,
  readMatcher,
} from './definition.ts'
import { EVENTS, findEvent, ID, payloadOf } from './events.ts'
import { type Complaint, DEFAULT_SETTINGS, type Settings } from './settings.ts'
import { isObject, namesOf } from './tools.ts'

/** Events whose payload has `recentTools` and `tokenUsage`. */
const SITUATED = new Set(['PreToolUse', 'PermissionRequest'])

/** Used when a hook gives none. In gRPC messages 0 means "not given". */
const DEFAULT_PRIORITY = 100

export interface Definition {
  id: string
  matcher?: unknown
  config?: unknown
  /** Called with the event in A3S words; answers `{action: …}` or nothing. */
  handler?: (event: Record<string, unknown>) => unknown
  /** The client of the daemon that answers. */
  remote?: { client: string }
  /** A fixed answer in A3S words. */
  response?: unknown
  /** A shell command: the event on stdin, the answer on stdout. */
  command?: unknown
}

export interface Registered {
  id: string
  event: string
  matcher: MatcherDefinition
  config: ConfigDefinition
}

/** The id of a new registration, by which people know it: it begins with the name that the program gave. */
export function registrationId(name: string | undefined, unique: string): string {
  const word = (name ?? '')
    .replaceAll(/[^\w.:-]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
  return word === '' ? `hook-${unique}` : `${word}-${unique.slice(0, 8)}`
}

/** Throws what is wrong with the definition; `warnings` of a good one are in `metadata.warnings`. */
export function defineHook(
  event: string,
  definition: Definition,
  settings: Settings = DEFAULT_SETTINGS,
): Hook {
  const origin = { file: '', scope: 'sdk' as const }
  const { hook, complaints } = compileHook(event, definition, settings, origin)
  if (hook) return hook
  const { message, fix } = complaints.find(({ level }) => level === 'error')!
  throw new CrosshookError('bad_input', `Hook "${definition.id}" cannot be registered: ${message}`, { fix })
}

export function compileHook(
  eventName: string,
  definition: Definition,
  settings: Settings,
  origin: { file: string; line?: number; scope: Scope },
): { hook?: Hook; complaints: Complaint[] } {
  const complaints: Complaint[] = []
  const event = findEvent(eventName)
  if (!event) {
    const names = Object.keys(EVENTS)
    complain(
      complaints,
      'event',
      `unknown event "${eventName}".${didYouMean(eventName, names)}`,
      `Events: ${names.join(', ')}.`,
    )
  }
  const matcher = readMatcher(definition.matcher, complaints)
  const config = readConfig(definition.config, complaints)
  const run = event && runOf(definition, event.native, complaints)
  if (!event || !run || complaints.length > 0) return { complaints }
  const blocks = event.events.some((name) => eventRow(name).block === 'prevents' || name === EVENTS.SkillLoad)
  if (config.async && blocks)
    complaints.push({
      level: 'warning',
      field: 'config.async',
      message: `an asynchronous hook cannot stop ${event.native}: nobody waits for its answer`,
      fix: 'Remove `async` if the answer matters.',
    })
  const warnings = complaints.map(({ message }) => message)
  const registered: Registered = { id: definition.id, event: event.native, matcher, config }
  const hook: Hook = {
    ...HOOK_DEFAULTS,
    name: definition.id,
    format: ID,
    scope: origin.scope,
    events: event.events,
    native_event: event.native,
    matcher: matcherOf(matcher),
    run,
    order: (config.priority ?? DEFAULT_PRIORITY) - DEFAULT_PRIORITY,
    mode: config.async ? 'background' : 'concurrent',
    timeout: config.timeout || settings.defaultTimeout,
    on_failure: blocks && (config.failBehavior ?? settings.failBehavior) === 'block' ? 'closed' : 'open',
    retries: config.maxRetries ?? 0,
    blocks: blocks && !config.async,
    input_merge: 'shallow',
    origin: { file: origin.file, ...(origin.line === undefined ? {} : { line: origin.line }) },
    ...(settings.enabled ? {} : { disabled: true }),
    ...(SITUATED.has(event.native) ? { facts: true as const } : {}),
    metadata: { registered, ...(warnings.length > 0 ? { warnings } : {}) },
  }
  return { hook, complaints }
}

/** A registered hook as `listHooks` shows it. */
export function describeHook(hook: Hook): Registered {
  return hook.metadata?.registered as Registered
}

/** Throws when the limit of hooks is reached. A hook that replaces one of the same id does not count. */
export function checkLimits(
  existing: readonly Hook[],
  event: string,
  limits: Settings = DEFAULT_SETTINGS,
  id?: string,
): void {
  const native = findEvent(event)?.native ?? event
  const others = existing.filter((hook) => hook.format === ID && hook.name !== id)
  const same = others.filter((hook) => hook.native_event === native)
  if (same.length >= limits.maxHooksPerEvent)
    throw new CrosshookError(
      'limit',
      `${native} already has ${same.length} hooks, the most that maxHooksPerEvent allows.`,
    )
  if (others.length >= limits.maxTotalHooks)
    throw new CrosshookError(
      'limit',
      `There are already ${others.length} hooks, the most that maxTotalHooks allows.`,
    )
}

function matcherOf({ tool, pathPattern, commandPattern, sessionId, skill }: MatcherDefinition): Matcher {
  const shell = commandPattern === undefined ? undefined : namesOf('Bash')
  const names = tool === undefined ? shell : namesOf(tool).filter((name) => shell?.includes(name) ?? true)
  return {
    ...(names === undefined ? {} : { tool_names: names }),
    ...(pathPattern === undefined ? {} : { path_suffix: pathPattern }),
    ...(commandPattern === undefined ? {} : { command_text: commandPattern }),
    ...(sessionId === undefined ? {} : { session: sessionId }),
    ...(skill === undefined ? {} : { when: `skill_name.matches(${JSON.stringify(globRegex(skill))})` }),
  }
}

function runOf(
  { id, handler, remote, response, command }: Definition,
  native: string,
  complaints: Complaint[],
): Run | undefined {
  if (typeof handler === 'function')
    return { type: 'callback', name: id, call: (event: HookEvent) => handler(payloadOf(event, native)) }
  if (remote) return { type: 'remote', client: remote.client, hook_id: id }
  if (typeof command === 'string' && command.trim() !== '')
    return { type: 'command', command, shell: 'bash', args: ['-c'] }
  // The answer stays in A3S words: it is read as any other answer of this format.
  if (isObject(response)) return { type: 'outcome', outcome: response as Outcome }
  const fix = 'Give a handler, a command, or a response such as {"action": "block", "reason": "…"}.'
  complain(complaints, 'handler', 'the hook has nothing that answers', fix)
  return undefined
}

/** A glob over a skill's name: `*` is anything, `?` one character. */
function globRegex(glob: string): string {
  const words = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return `^${words}$`
}
