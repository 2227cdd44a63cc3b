/** The event table: the only place where an event is described. A new event is one row here. */

import type { Effect } from './outcome.ts'

/** Types of payload fields, from which TypeScript types and JSON Schema are made. */
interface FieldTypes {
  string: string
  integer: number
  boolean: boolean
  object: Record<string, unknown>
  array: unknown[]
  strings: string[]
  any: unknown
  'object?': Record<string, unknown> | null
}
export type FieldType = keyof FieldTypes
export type Fields = Readonly<Record<string, FieldType>>

/** What a deny means to the agent that fired the event. */
export type BlockMeaning =
  | 'prevents' // the operation does not happen
  | 'feedback' // it has happened; the model is told
  | 'continues' // the agent goes on working instead of stopping
  | 'reported' // nothing can be undone; people are told

export interface EventRow {
  readonly fields: Fields
  /** The field that a subject matcher is compared with; null when the event has none. */
  readonly subject: string | null
  /** Tool matchers apply. */
  readonly tool: boolean
  /** Effects, beside a deny, that an agent can be asked for on this event. */
  readonly effects: readonly Effect[]
  readonly block: BlockMeaning
  /** Starts a new turn or ends the session: what hooks remembered for it is forgotten. */
  readonly begins?: 'turn' | 'session'
  readonly ends?: 'session'
  /** Names of this event in other vocabularies, in snake_case; other spellings are derived. */
  readonly aliases: readonly string[]
}

const TOOL = { tool_name: 'string', tool_input: 'object', tool_use_id: 'string' } as const
const SUBAGENT = { subagent_name: 'string', subagent_type: 'string', task_description: 'string' } as const

function row<const R extends EventRow>(r: R): R {
  return r
}

export const EVENTS = {
  setup: row({
    fields: { trigger: 'string' },
    subject: 'trigger',
    tool: false,
    effects: ['additional_context', 'watch_paths', 'stop'],
    block: 'prevents',
    aliases: [],
  }),
  session_start: row({
    fields: { model: 'string', args: 'object', source: 'string' },
    subject: 'source',
    tool: false,
    effects: ['additional_context', 'initial_user_message', 'watch_paths', 'stop'],
    block: 'prevents',
    begins: 'session',
    aliases: ['pre_session', 'agent_spawn', 'conversation_start', 'task_start'],
  }),
  session_end: row({
    fields: { duration_seconds: 'integer', total_steps: 'integer', exit_reason: 'string' },
    subject: 'exit_reason',
    tool: false,
    effects: [],
    block: 'reported',
    ends: 'session',
    aliases: ['post_session', 'session_shutdown'],
  }),
  before_agent: row({
    fields: { prompt: 'string' },
    subject: null,
    tool: false,
    effects: ['additional_context', 'updated_input', 'stop', 'ask'],
    block: 'prevents',
    begins: 'turn',
    aliases: [
      'pre_agent_turn',
      'user_prompt_submit',
      'user_prompt_submitted',
      'before_submit_prompt',
      'per_prompt',
      'pre_prompt',
      'pre_user_prompt',
    ],
  }),
  after_agent: row({
    fields: { response: 'string' },
    subject: null,
    tool: false,
    effects: ['additional_context', 'updated_output', 'stop'],
    block: 'feedback',
    aliases: ['post_agent_turn', 'after_agent_response', 'post_response'],
  }),
  before_stop: row({
    fields: { stop_reason: 'string', step_count: 'integer', final_message: 'object?' },
    subject: 'stop_reason',
    tool: false,
    effects: ['additional_context', 'stop'],
    block: 'continues',
    aliases: ['pre_agent_turn_stop', 'stop', 'agent_stop'],
  }),
  stop_failure: row({
    fields: { error: 'string' },
    subject: 'error',
    tool: false,
    effects: [],
    block: 'reported',
    aliases: ['error_occurred', 'on_error', 'session_error'],
  }),
  before_model: row({
    fields: { prompt: 'string', system_prompt: 'string', model: 'string', tools: 'strings', request: 'any' },
    subject: 'model',
    tool: false,
    effects: ['additional_context', 'updated_input', 'retry', 'stop'],
    block: 'prevents',
    aliases: ['generate_start', 'pre_model_request', 'pre_model'],
  }),
  before_tool_selection: row({
    fields: { tools: 'strings', request: 'any' },
    subject: null,
    tool: false,
    effects: ['updated_input', 'stop'],
    block: 'prevents',
    aliases: [],
  }),
  after_model: row({
    fields: { prompt: 'string', model: 'string', response: 'any', usage: 'object', duration_ms: 'integer' },
    subject: 'model',
    tool: false,
    effects: ['additional_context', 'updated_output', 'retry', 'stop'],
    block: 'feedback',
    aliases: ['generate_end', 'post_model_request', 'post_model'],
  }),
  before_tool: row({
    fields: TOOL,
    subject: 'tool_name',
    tool: true,
    effects: ['ask', 'updated_input', 'confine', 'additional_context', 'retry', 'stop'],
    block: 'prevents',
    aliases: ['pre_tool_call', 'pre_tool_use', 'tool_call', 'tool_execute_before'],
  }),
  after_tool: row({
    fields: { ...TOOL, tool_output: 'any', duration_ms: 'integer' },
    subject: 'tool_name',
    tool: true,
    effects: ['updated_output', 'additional_context', 'stop', 'retry'],
    block: 'feedback',
    aliases: ['post_tool_call', 'post_tool_use', 'tool_result', 'tool_execute_after'],
  }),
  after_tool_failure: row({
    fields: { ...TOOL, tool_output: 'any', error: 'string', duration_ms: 'integer' },
    subject: 'tool_name',
    tool: true,
    effects: ['updated_output', 'additional_context', 'stop', 'retry'],
    block: 'feedback',
    aliases: ['post_tool_call_failure', 'post_tool_use_failure', 'tool_error'],
  }),
  permission_request: row({
    fields: { ...TOOL, permission_suggestions: 'any' },
    subject: 'tool_name',
    tool: true,
    effects: ['ask', 'updated_input', 'updated_permissions', 'additional_context', 'stop'],
    block: 'prevents',
    aliases: [],
  }),
  permission_granted: row({
    fields: { ...TOOL, reason: 'string' },
    subject: 'tool_name',
    tool: true,
    effects: ['additional_context'],
    block: 'reported',
    aliases: [],
  }),
  permission_denied: row({
    fields: { ...TOOL, reason: 'string' },
    subject: 'tool_name',
    tool: true,
    effects: ['retry', 'additional_context'],
    block: 'reported',
    aliases: [],
  }),
  subagent_start: row({
    fields: SUBAGENT,
    subject: 'subagent_type',
    tool: false,
    effects: ['additional_context', 'stop'],
    block: 'prevents',
    aliases: ['pre_subagent'],
  }),
  subagent_stop: row({
    fields: { ...SUBAGENT, result: 'string' },
    subject: 'subagent_type',
    tool: false,
    effects: ['additional_context', 'updated_output', 'stop'],
    block: 'continues',
    aliases: ['post_subagent'],
  }),
  teammate_idle: row({
    fields: { teammate_name: 'string' },
    subject: 'teammate_name',
    tool: false,
    effects: ['additional_context', 'stop'],
    block: 'continues',
    aliases: [],
  }),
  task_created: row({
    fields: { task_id: 'string', task_subject: 'string', task_description: 'string' },
    subject: 'task_subject',
    tool: false,
    effects: ['additional_context', 'stop'],
    block: 'prevents',
    aliases: [],
  }),
  task_completed: row({
    fields: { task_id: 'string', task_subject: 'string', task_description: 'string' },
    subject: 'task_subject',
    tool: false,
    effects: ['additional_context', 'stop'],
    block: 'prevents',
    aliases: [],
  }),
  pre_compact: row({
    fields: { trigger: 'string', token_count: 'integer', custom_instructions: 'string' },
    subject: 'trigger',
    tool: false,
    effects: ['additional_context', 'stop'],
    block: 'prevents',
    aliases: ['pre_context_compact', 'pre_compress'],
  }),
  post_compact: row({
    fields: { trigger: 'string', summary: 'string' },
    subject: 'trigger',
    tool: false,
    effects: ['additional_context'],
    block: 'reported',
    aliases: ['post_context_compact'],
  }),
  context_warning: row({
    fields: { token_count: 'integer', token_limit: 'integer', usage_percent: 'integer' },
    subject: null,
    tool: false,
    effects: ['additional_context', 'stop'],
    block: 'reported',
    aliases: [],
  }),
  file_changed: row({
    fields: { path: 'string', kind: 'string' },
    subject: 'path',
    tool: false,
    effects: ['additional_context', 'watch_paths'],
    block: 'reported',
    aliases: ['after_file_edit', 'file_edited'],
  }),
  cwd_changed: row({
    fields: { path: 'string', previous_path: 'string' },
    subject: 'path',
    tool: false,
    effects: ['additional_context', 'watch_paths'],
    block: 'reported',
    aliases: [],
  }),
  instructions_loaded: row({
    fields: { path: 'string', load_reason: 'string' },
    subject: 'path',
    tool: false,
    effects: ['additional_context', 'stop'],
    block: 'prevents',
    aliases: [],
  }),
  config_change: row({
    fields: { source: 'string', setting: 'string', path: 'string', previous: 'any', current: 'any' },
    subject: 'source',
    tool: false,
    effects: ['additional_context', 'stop'],
    block: 'prevents',
    aliases: [],
  }),
  elicitation: row({
    fields: { server: 'string', message: 'string', requested_schema: 'any' },
    subject: 'server',
    tool: false,
    effects: ['updated_output', 'additional_context', 'stop'],
    block: 'prevents',
    aliases: [],
  }),
  elicitation_result: row({
    fields: { server: 'string', action: 'string', content: 'any' },
    subject: 'server',
    tool: false,
    effects: ['updated_output', 'additional_context', 'stop'],
    block: 'prevents',
    aliases: [],
  }),
  notification: row({
    fields: { message: 'string', notification_type: 'string' },
    subject: 'notification_type',
    tool: false,
    effects: ['additional_context'],
    block: 'reported',
    aliases: [],
  }),
  worktree_create: row({
    fields: { path: 'string', worktree_name: 'string' },
    subject: 'path',
    tool: false,
    effects: ['updated_output', 'additional_context', 'stop'],
    block: 'prevents',
    aliases: [],
  }),
  worktree_remove: row({
    fields: { path: 'string' },
    subject: 'path',
    tool: false,
    effects: ['additional_context'],
    block: 'reported',
    aliases: [],
  }),
} as const satisfies Record<string, EventRow>

export type EventName = keyof typeof EVENTS
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[]

/** Fields that every event carries. */
export interface BaseEvent {
  event_type: string
  timestamp: string
  session_id: string
  work_dir: string
  /** What does not fit a field of its own: permission mode, transcript, subagent id… */
  context: Record<string, unknown>
  /** Id of the dialect whose agent fired the event. */
  agent?: string
  /** The agent's own name of the event and of the tool, and its payload exactly as received. */
  native_event?: string
  native_tool_name?: string
  native?: unknown
  /** What earlier hooks of a chain passed on, by hook name. */
  data?: Record<string, unknown>
}

type OwnFields<F extends Fields> = { -readonly [K in keyof F]?: FieldTypes[F[K]] }

/** An event as hooks see it; a name outside the table is an agent's own event. */
export type HookEvent<E extends string = string> = E extends EventName
  ? BaseEvent & { event_type: E } & OwnFields<(typeof EVENTS)[E]['fields']> & Record<string, unknown>
  : BaseEvent & Record<string, unknown>

/** What a caller must give; the rest is filled in. */
export type EventInput<E extends string = string> = Partial<HookEvent<E>>

const OWN_EVENT: EventRow = {
  fields: {},
  subject: null,
  tool: false,
  effects: ['additional_context', 'stop'],
  block: 'reported',
  aliases: [],
}

/** The row of an event; an agent's own event (`agent/Name`) gets a row with few effects. */
export function eventRow(name: string): EventRow {
  return Object.hasOwn(EVENTS, name) ? EVENTS[name as EventName] : OWN_EVENT
}

let aliasIndex: Map<string, EventName> | undefined

/** `PreToolUse`, `pre-tool-use`, `preToolUse` → `before_tool`; `agent/Event` stays; unknown → undefined. */
export function canonicalEvent(name: string): string | undefined {
  if (Object.hasOwn(EVENTS, name)) return name
  if (name.includes('/')) return name
  if (!aliasIndex) {
    aliasIndex = new Map()
    for (const event of EVENT_NAMES) for (const alias of EVENTS[event].aliases) aliasIndex.set(alias, event)
  }
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.\s]+/g, '_')
    .toLowerCase()
  return Object.hasOwn(EVENTS, snake) ? snake : aliasIndex.get(snake)
}
