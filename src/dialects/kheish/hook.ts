/** One definition → one hook. */

import type { Source } from '../../spec/dialect.ts'
import { eventRow } from '../../spec/event.ts'
import { HOOK_DEFAULTS, type Hook, type ModelChoice, type Run } from '../../spec/hook.ts'
import type { Matcher } from '../../spec/matcher.ts'
import { eventInfo, type KheishEvent, TOOLS } from './names.ts'
import type { Definition, ExecutorSettings } from './schema.ts'

const TIMEOUTS: Record<ExecutorSettings['type'], number> = {
  command: 5_000,
  http: 5_000,
  prompt: 15_000,
  agent: 30_000,
  callback: 15_000,
}
const MAX_OUTPUT_BYTES = 128 * 1024
const DEFAULT_OUTPUT_TOKENS = 1_024
const TURNS = 4

export function toHook(
  event: KheishEvent,
  definition: Definition,
  source: Source,
  line: number | undefined,
): Hook {
  const { name, executor, failure_policy } = definition
  const info = eventInfo(event)
  return {
    ...HOOK_DEFAULTS,
    name,
    format: 'kheish',
    scope: source.scope,
    events: [info.event],
    native_event: event,
    matcher: toMatcher(event, definition.matcher ?? ''),
    run: toRun(executor),
    mode: info.policy ? 'sequence' : 'concurrent',
    timeout: executor.timeout_ms ?? TIMEOUTS[executor.type],
    budget: 'total',
    on_failure: failure_policy.mode,
    // After a blocked tool call the run goes on; elsewhere a block ends it.
    failure_stops: !eventRow(info.event).tool,
    retries: failure_policy.max_retries,
    // Observers can block too in Kheish; agents that cannot obey it report so.
    blocks: true,
    reports_refused_input: true,
    output_limit: MAX_OUTPUT_BYTES,
    on_overflow: 'fail',
    awaits_output: true,
    redact_reasons: true,
    origin: { file: source.path, ...(line !== undefined && { line }) },
  }
}

/** One glob over the subject: a tool by any of its names, otherwise what the event is about. */
export function toMatcher(event: KheishEvent, glob: string): Matcher {
  if (/^\**$/.test(glob)) return {}
  const info = eventInfo(event)
  if (eventRow(info.event).tool) {
    const canonical = [
      ...new Set(
        Object.keys(TOOLS)
          .filter((tool) => globMatches(glob, tool))
          .map((tool) => TOOLS[tool]!.name),
      ),
    ]
    if (canonical.length === 0) return { tool_globs: [glob] }
    return { any: [{ tool_globs: [glob] }, { tool_names: canonical }] }
  }
  if (info.subject === undefined || !globMatches(glob, info.subject)) return { subject: glob }
  // An agent that does not name the subject means the only one that Kheish knows.
  return { any: [{ subject: glob }, { not: { subject: '?*' } }] }
}

/** `*` any run of characters, `?` one character, everything else itself. */
export function globMatches(glob: string, text: string): boolean {
  let g = 0
  let t = 0
  let star = -1
  let from = 0
  while (t < text.length) {
    if (glob[g] === '*') {
      star = g++
      from = t
    } else if (g < glob.length && (glob[g] === '?' || glob[g] === text[t])) {
      g++
      t++
    } else if (star >= 0) {
      g = star + 1
      t = ++from
    } else return false
  }
  while (glob[g] === '*') g++
  return g === glob.length
}

function toRun(executor: ExecutorSettings): Run {
  switch (executor.type) {
    case 'command':
      return {
        type: 'command',
        command: executor.command,
        shell: executor.shell ?? '/bin/bash',
        args: ['-lc'],
      }
    case 'http':
      return { type: 'http', url: executor.url }
    case 'prompt':
      return { type: 'prompt', ...promptOf(executor) }
    case 'agent':
      return {
        type: 'agent',
        ...promptOf(executor),
        tools: allowedTools(executor.tool_surface),
        max_turns: executor.max_turns ?? TURNS,
      }
    case 'callback':
      return { type: 'callback', name: executor.name }
  }
}

type Prompting = Extract<ExecutorSettings, { type: 'prompt' | 'agent' }>

function promptOf(executor: Prompting): { template: string; system_prompt?: string; model: ModelChoice } {
  const { provider, generation } = executor.model ?? {}
  const { model, max_output_tokens } = generation ?? {}
  return {
    template: executor.template,
    ...(executor.system_prompt && { system_prompt: executor.system_prompt }),
    model: {
      ...(provider && { provider }),
      ...(typeof model === 'string' && { name: model }),
      ...(generation && { generation }),
      max_output_tokens: typeof max_output_tokens === 'number' ? max_output_tokens : DEFAULT_OUTPUT_TOKENS,
    },
  }
}

/** No tools unless they are listed. Known tools by their canonical names. */
function allowedTools(surface: Extract<ExecutorSettings, { type: 'agent' }>['tool_surface']): string[] {
  const denied = new Set((surface?.denylist ?? []).map((name) => name.trim()))
  const allowed = (surface?.allowlist ?? [])
    .map((name) => name.trim())
    .filter((name) => name !== '' && !denied.has(name))
  return [...new Set(allowed.map((name) => (Object.hasOwn(TOOLS, name) ? TOOLS[name]!.name : name)))]
}
