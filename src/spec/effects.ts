/**
 * The table of effects: the only place where a field of a hook's answer is described. From its rows come `Outcome` and
 * `FireResult`, what `accept`, `merge` and `degrade` do, the schema of HOOK.md's `outcome`, OpenAPI, what a model is asked
 * for, docs/hook-fields.md and the Python types. A row that lacks a part does not compile.
 */

import { type Schema, TEXT, TEXTS, type Typed } from './schema.ts'

/** In `hide`: the places of keys and credentials. Also the default when a hook names nothing. */
export const KEYS = 'keys'

export const DECISIONS = ['allow', 'ask', 'deny'] as const

/** A row of the table. `Value` is what the schema describes; `Merged` only differs in `EffectRows`. */
export interface EffectRow<S extends Schema = Schema, Value = Typed<S>, Merged = Value> {
  readonly schema: S
  /** One sentence for schemas and documentation. */
  readonly about: string
  /** What `crosshook fire` writes before the value. */
  readonly label: string
  /** `listed`: ignored, with a warning, on events whose row in the event table does not list the effect. */
  readonly events: 'all' | 'listed'
  /** Joins the value of earlier hooks with that of the next one. */
  merge(before: Value | undefined, next: Value | undefined, how: Merging): Merged | undefined
  /** Strength of an answer with this field; the strongest answer provides decision and reason. Absent: 0. */
  strength?(value: Value): number
  /** What remains when the operation is refused, or left to a person to decide. Absent: everything. */
  refused?(value: Value, by: 'deny' | 'ask'): Merged | undefined
  /** What an agent must be able to do for it; null when every agent can. */
  readonly needs: Ability<Value> | null
  /** The value in `FireResult` when no hook gave one; null: the field is not in the result. */
  readonly result: { readonly empty: 'allow' | readonly [] | null } | null
  /** What a model that answers as a hook is told about the field; null: it is not asked for it. */
  readonly asked: string | null
}

export interface Merging {
  /** The next answer is stronger than everything before it. */
  readonly wins: boolean
  /** How the hook's rewritten input joins an earlier one. */
  readonly input: 'replace' | 'shallow'
}

export interface Ability<Value> {
  readonly effect: string
  /** Values that need the ability. Absent: all. */
  applies?(value: Value): boolean
  /** Without the ability: dropped with a note, or the operation is denied for the reason given here. */
  readonly otherwise: 'dropped' | ((value: Value, agent: string) => string)
  /** Another ability of agents that can carry it, for agents that do not know this one. */
  readonly by?: string
  /** For the table of agents: one letter, and what an agent with it can do. */
  readonly letter: string
  readonly words: string
}

export type EffectRows = Readonly<Record<string, EffectRow<Schema, never, unknown>>>

function row<const S extends Schema, const R extends EffectRow<S>>(r: R & { schema: S }): R {
  return r
}

const PERMISSION = {
  type: 'object',
  properties: {
    scope: { type: 'string', enum: ['user', 'project', 'session'] },
    tool_name_pattern: TEXT,
    behavior: { type: 'string', enum: DECISIONS },
    reason: TEXT,
  },
  required: ['scope', 'tool_name_pattern', 'behavior'],
  additionalProperties: false,
} as const

export type PermissionUpdate = Typed<typeof PERMISSION>

/** Strength: deny > ask > retry > skip > allow > nothing. */
export const EFFECTS = {
  decision: row({
    schema: { type: 'string', enum: DECISIONS },
    about: 'May the operation go on?',
    label: 'decision',
    events: 'all',
    merge: (a, b, { wins }) => (wins ? b : a),
    strength: (value) => ({ allow: 1, ask: 4, deny: 5 })[value],
    needs: {
      effect: 'ask',
      applies: (value) => value === 'ask',
      otherwise: (_, agent) => `${agent} cannot ask the person here, so the operation is refused`,
      letter: 'A',
      words: 'it can ask the person',
    },
    result: { empty: 'allow' },
    asked: 'May the operation go on? Leave it out to say nothing.',
  }),
  reason: row({
    schema: TEXT,
    about: 'Told to the model, and to the person when it blocks.',
    label: 'reason',
    events: 'all',
    // Belongs to the decision that won; among equals the first one counts.
    merge: (a, b, { wins }) => (wins ? (b ?? a) : (a ?? b)),
    needs: null,
    result: { empty: null },
    asked: 'Why, in one sentence, for the agent.',
  }),
  user_message: row({
    schema: TEXT,
    about: 'Told to the person.',
    label: 'message for the person',
    events: 'all',
    merge: joinLines,
    needs: null,
    result: { empty: null },
    asked: 'Why, in one sentence, for the person.',
  }),
  updated_input: row({
    schema: { type: 'object' },
    about: 'Takes the place of the input of the tool.',
    label: 'input becomes',
    events: 'listed',
    merge: (a, b, { input }) => (a && b && input === 'shallow' ? { ...a, ...b } : (b ?? a)),
    refused: (value, by) => (by === 'deny' ? undefined : value),
    needs: {
      effect: 'updated_input',
      otherwise: (_, agent) =>
        `a hook rewrote the input, which ${agent} cannot take here, so the operation is refused`,
      letter: 'I',
      words: 'the input can be rewritten',
    },
    result: { empty: null },
    asked: 'The whole tool input to use instead.',
  }),
  confine: row({
    schema: {
      type: 'object',
      properties: {
        write: TEXTS,
        read: TEXTS,
        hide: TEXTS,
        connect: TEXTS,
        otherwise: { type: 'string', enum: ['ask', 'deny'] },
      },
      required: [],
      additionalProperties: false,
    },
    about:
      'Run the shell command confined: it writes only to `write` (paths, `project`, `temp`), reads `read` (everything) but not `hide` (`keys`: the places of keys and credentials), and reaches the network only with `connect: ["*"]`. Where that is impossible, `otherwise` counts: `ask`, or `deny`.',
    label: 'runs confined',
    events: 'listed',
    // Only what both hooks allow is allowed.
    merge: (a, b) =>
      a && b
        ? {
            ...both('write', common(a.write ?? [], b.write ?? [])),
            ...both('read', a.read && b.read ? common(a.read, b.read) : (a.read ?? b.read)),
            ...both(
              'hide',
              a.hide || b.hide ? [...new Set([...(a.hide ?? [KEYS]), ...(b.hide ?? [KEYS])])] : undefined,
            ),
            ...both('connect', common(a.connect ?? [], b.connect ?? [])),
            ...(a.otherwise === 'ask' && b.otherwise === 'ask' ? { otherwise: 'ask' as const } : {}),
          }
        : (b ?? a),
    refused: (value, by) => (by === 'deny' ? undefined : value),
    needs: {
      // The pipeline has already turned it into a rewritten command where it can; here that was not possible.
      effect: 'confine',
      otherwise: (_, agent) => `a hook wants this confined, which ${agent} cannot do here, so it is refused`,
      by: 'updated_input',
      letter: 'F',
      words: 'shell commands can be confined',
    },
    result: { empty: null },
    asked: null,
  }),
  updated_output: row({
    schema: {},
    about: 'Takes the place of the output of the tool.',
    label: 'output becomes',
    events: 'listed',
    merge: (a, b) => (b === undefined ? a : b),
    needs: {
      effect: 'updated_output',
      otherwise: 'dropped',
      letter: 'O',
      words: 'the output can be replaced',
    },
    result: { empty: null },
    asked: 'The tool output to show instead.',
  }),
  additional_context: row({
    schema: TEXTS,
    about: 'Told to the model.',
    label: 'context for the model',
    events: 'listed',
    merge: concat,
    needs: {
      effect: 'additional_context',
      otherwise: 'dropped',
      letter: 'C',
      words: 'context reaches the model',
    },
    result: { empty: [] },
    asked: 'Facts that the agent should know.',
  }),
  stop: row({
    schema: { type: 'string', minLength: 1 },
    about: 'End the turn, and why.',
    label: 'stop',
    // On events where no agent can stop, it still blocks like a deny.
    events: 'all',
    merge: (a, b) => a ?? b,
    needs: {
      effect: 'stop',
      otherwise: (why) => `a hook asked to stop: ${why}`,
      letter: 'S',
      words: 'the turn can be stopped',
    },
    result: { empty: null },
    asked: 'Only if the agent must stop altogether: why.',
  }),
  retry: row({
    schema: { type: 'number', minimum: 0 },
    about: 'Try the operation again after so many milliseconds.',
    label: 'try again in (ms)',
    events: 'listed',
    merge: (a, b) => (a === undefined ? b : b === undefined ? a : Math.max(a, b)),
    strength: () => 3,
    refused: (value, by) => (by === 'deny' ? undefined : value),
    needs: {
      effect: 'retry',
      otherwise: (delay) => `a hook asks to try again in ${delay} ms`,
      letter: 'R',
      words: 'it tries again',
    },
    result: { empty: null },
    asked: null,
  }),
  skip: row({
    schema: { type: 'boolean' },
    about: 'Leave out the hooks that have not started.',
    label: 'skip',
    events: 'all',
    merge: (a, b) => a || b,
    strength: (value) => (value ? 2 : 0),
    needs: null,
    result: null,
    asked: null,
  }),
  updated_permissions: row({
    schema: { type: 'array', items: PERMISSION },
    about: "Rules to add to the agent's own permissions.",
    label: 'permissions',
    events: 'listed',
    merge: concat,
    // A permission granted by one hook ends when another hook refuses the operation or leaves it to a person.
    refused: (updates) => nonEmpty(updates.filter(({ behavior }) => behavior !== 'allow')),
    needs: {
      effect: 'updated_permissions',
      otherwise: 'dropped',
      letter: 'P',
      words: 'permissions can be changed',
    },
    result: { empty: null },
    asked: null,
  }),
  initial_user_message: row({
    schema: TEXT,
    about: 'The first message of the session, as if the person had written it.',
    label: 'first message',
    events: 'listed',
    merge: (a, b) => a ?? b,
    needs: {
      effect: 'initial_user_message',
      otherwise: 'dropped',
      letter: 'U',
      words: 'a first message can be given',
    },
    result: { empty: null },
    asked: null,
  }),
  watch_paths: row({
    schema: TEXTS,
    about: 'Files whose changes the agent should report.',
    label: 'watch',
    events: 'listed',
    merge(a, b) {
      const all = concat(a, b)
      return all && [...new Set(all)].sort()
    },
    needs: { effect: 'watch_paths', otherwise: 'dropped', letter: 'W', words: 'files can be watched' },
    result: { empty: null },
    asked: null,
  }),
  data: row({
    schema: { type: 'object' },
    about: 'Passed on to hooks that come after this one.',
    label: 'data',
    events: 'all',
    merge: (a, b) => (a && b ? { ...a, ...b } : (b ?? a)),
    needs: null,
    result: null,
    asked: null,
  }),
  log: row({
    schema: TEXT,
    about: 'For the journal and the debug log only.',
    label: 'log',
    events: 'all',
    merge: joinLines,
    needs: null,
    result: null,
    asked: null,
  }),
} as const satisfies EffectRows

function common(a: readonly string[], b: readonly string[]): string[] {
  return a.filter((one) => b.includes(one))
}

function both<K extends string>(key: K, value: string[] | undefined): { [key in K]?: string[] } {
  return (value === undefined ? {} : { [key]: value }) as { [key in K]?: string[] }
}

function concat<T>(a: T[] | undefined, b: T[] | undefined): T[] | undefined {
  return a && b ? [...a, ...b] : (b ?? a)
}

function nonEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined
}

function joinLines(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b
  return a.split('\n').includes(b) ? a : `${a}\n${b}`
}
