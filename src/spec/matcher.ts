/**
 * The matcher table: the only place where a condition of a matcher is described. A new one is a row here and its check
 * in engine/checks.ts, which does not compile without it. HOOK.md's schema, the reading of HOOK.md, `list`, `explain`,
 * `import` and docs/hook-fields.md are made from the rows.
 */

import { DOES, PLACES } from './act.ts'
import { type Schema, TEXT, TEXTS, type Typed } from './schema.ts'

/** In place of a schema: the value is itself a matcher, or a list of them. */
export const NESTED = { nested: 'matcher' } as const
export const NESTED_LIST = { nested: 'matchers' } as const
type ValueSchema = Schema | typeof NESTED | typeof NESTED_LIST

/** A matcher as the rows see it; the type `Matcher` is derived from the rows. */
type AnyMatcher = object
type RowValue<S> = S extends typeof NESTED
  ? AnyMatcher
  : S extends typeof NESTED_LIST
    ? readonly AnyMatcher[]
    : Readonly<Typed<S>>

export interface MatcherRow<S extends ValueSchema = ValueSchema, Value = RowValue<S>> {
  readonly schema: S
  /**
   * What the condition is about. `tool name`: its result is cached per name. `tool call`: it never holds for an event
   * without a tool, and HOOK.md warns about it there. `event`: anything else.
   */
  readonly of: 'tool name' | 'tool call' | 'event'
  /** Path of the field in a HOOK.md; null when only other formats and programs use it. */
  readonly written: string | null
  /** One sentence for the schema and the documentation. */
  readonly about: string
  /** The condition in few words, for `list` and `explain`; `nested` words a matcher inside this one. */
  words(value: Value, nested: (matcher: AnyMatcher) => string): string
}

export type MatcherRows = Readonly<Record<string, MatcherRow<ValueSchema, never>>>

function row<const S extends ValueSchema, const R extends MatcherRow<S>>(r: R & { schema: S }): R {
  return r
}

const NOT_PLACES = PLACES.map((place) => `!${place}` as const)

/** The event's field of that name is a number of at least this. */
function atLeast(name: string, about: string) {
  return row({
    schema: { type: 'number', minimum: 1 },
    of: 'event',
    written: `matcher.${name}`,
    about,
    words: (least) => `${name} ≥ ${least}`,
  })
}

export const MATCHER_FIELDS = {
  not_plain: row({
    schema: { type: 'boolean' },
    of: 'tool call',
    written: null,
    about: 'Not a call that plainly only reads, such as `ls src`.',
    words: () => 'anything but plain looking',
  }),
  tool: row({
    schema: TEXT,
    of: 'tool name',
    written: 'matcher.tool',
    about: 'Pattern searched in the name of the tool, canonical or native.',
    words: (text) => `tool ${text}`,
  }),
  tool_names: row({
    schema: TEXTS,
    of: 'tool name',
    written: null,
    about: 'The tool has one of these names.',
    words: (names) => `tool ${names.join(' or ')}`,
  }),
  tool_globs: row({
    schema: TEXTS,
    of: 'tool name',
    written: null,
    about: 'A glob over the names of the tool, in which `*` crosses `/`.',
    words: (globs) => `tool ${globs.join(' or ')}`,
  }),
  pattern: row({
    schema: TEXT,
    of: 'tool call',
    written: 'matcher.pattern',
    about: "Pattern searched in each value of the tool's input, then in the input as JSON text.",
    words: (text) => `input /${text}/`,
  }),
  path: row({
    schema: TEXT,
    of: 'tool call',
    written: 'matcher.path',
    about: 'Glob over each path that the tool touches; with `does`, over the path of the act.',
    words: (text) => `path ${text}`,
  }),
  does: row({
    schema: { type: 'array', items: { type: 'string', enum: DOES } },
    of: 'tool call',
    written: 'matcher.does',
    about:
      'What the call does, whatever the tool: one of these acts. `path`, `place`, `host`, `program` and `certain` are about the same act.',
    words: (acts) => `does ${acts.join(' or ')}`,
  }),
  place: row({
    schema: { type: 'array', items: { type: 'string', enum: [...PLACES, ...NOT_PLACES] } },
    of: 'tool call',
    written: 'matcher.place',
    about:
      'The kind of place of the act: `secret`, `guard`, `system`, `root`, `outside`…; `!temp` excludes one.',
    words: (places) => `place ${places.join(' or ')}`,
  }),
  host: row({
    schema: TEXTS,
    of: 'tool call',
    written: 'matcher.host',
    about: 'Glob over the host that the act is about (`*.example.org`); `!` before it excludes.',
    words: (hosts) => `host ${hosts.join(' or ')}`,
  }),
  program: row({
    schema: TEXTS,
    of: 'tool call',
    written: 'matcher.program',
    about: 'Glob over the name of its program (`git`); `!` before it excludes.',
    words: (programs) => `program ${programs.join(' or ')}`,
  }),
  certain: row({
    schema: { type: 'boolean' },
    of: 'tool call',
    written: 'matcher.certain',
    about: 'True: the act is certain. False: it could only be guessed.',
    words: (certain) => (certain ? 'certain' : 'not certain'),
  }),
  path_suffix: row({
    schema: TEXT,
    of: 'tool call',
    written: null,
    about: 'As `path`; without a slash it matches in any folder (`*.rs`).',
    words: (text) => `path ${text}`,
  }),
  command: row({
    schema: TEXT,
    of: 'tool call',
    written: 'matcher.command',
    about: 'Pattern tried on every simple command of the parsed line.',
    words: (text) => `command /${text}/`,
  }),
  command_text: row({
    schema: TEXT,
    of: 'tool call',
    written: null,
    about: 'Pattern searched in the unparsed command line, or plain text.',
    words: (text) => `command line /${text}/`,
  }),
  agents: row({
    schema: TEXTS,
    of: 'event',
    written: 'matcher.agent',
    about: 'The agents that this hook is for: one id, or several.',
    words: (ids) => `agent ${ids.join(' or ')}`,
  }),
  session: row({
    schema: TEXT,
    of: 'event',
    written: null,
    about: 'The id of the session.',
    words: (id) => `session ${id}`,
  }),
  subject: row({
    schema: TEXT,
    of: 'event',
    written: null,
    about: "Glob over the event's subject, such as the reason for stopping.",
    words: (text) => `subject ${text}`,
  }),
  subject_pattern: row({
    schema: TEXT,
    of: 'event',
    written: null,
    about: "Pattern searched in the event's subject.",
    words: (text) => `subject /${text}/`,
  }),
  usage_percent: atLeast('usage_percent', 'The context is at least so full, in percent.'),
  token_count: atLeast('token_count', 'At least so many tokens are in the context.'),
  when: row({
    schema: { type: 'string', minLength: 1 },
    of: 'event',
    written: 'when',
    about: 'A CEL expression over the event that must hold.',
    words: (text) => `when ${text}`,
  }),
  any: row({
    schema: NESTED_LIST,
    of: 'event',
    written: 'matcher.any',
    about: 'A list of matchers, of which at least one must hold.',
    words: (choices, nested) => `any of (${choices.map(nested).join('; ')})`,
  }),
  not: row({
    schema: NESTED,
    of: 'event',
    written: 'matcher.not',
    about: 'A matcher that must not hold.',
    words: (matcher, nested) => `not (${nested(matcher)})`,
  }),
} as const satisfies MatcherRows

type Rows = typeof MATCHER_FIELDS
export type MatcherField = keyof Rows

/** Every given condition must hold. Plain data, so that a hook can be cached; compiled by the engine. */
export type Matcher = {
  -readonly [Field in keyof Rows]?: MatcherValue<Field>
}

export type MatcherValue<Field extends MatcherField> = Rows[Field]['schema'] extends typeof NESTED
  ? Matcher
  : Rows[Field]['schema'] extends typeof NESTED_LIST
    ? readonly Matcher[]
    : Readonly<Typed<Rows[Field]['schema']>>

/** A matcher in few words. */
export function matcherWords(matcher: AnyMatcher, rows: MatcherRows = MATCHER_FIELDS): string {
  const parts: string[] = []
  for (const [field, value] of Object.entries(matcher)) {
    if (value === undefined) continue
    const known = Object.hasOwn(rows, field) ? rows[field] : undefined
    parts.push(
      known
        ? known.words(value as never, (inner) => matcherWords(inner, rows))
        : `${field}, which this version does not know`,
    )
  }
  return parts.length === 0 ? 'everything' : parts.join(', ')
}
