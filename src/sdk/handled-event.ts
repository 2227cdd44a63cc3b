/** Types of events for handlers and for `fire`: an unknown name or field is a type error. */

import type { BaseEvent, EVENTS, EventName, HookEvent } from '../spec/event.ts'
import type { TOOLS } from '../spec/tool.ts'

type Alias = (typeof EVENTS)[EventName]['aliases'][number]

/** `before_tool` → `BeforeTool`. */
type Pascal<S extends string> = S extends `${infer Head}_${infer Rest}`
  ? `${Capitalize<Head>}${Pascal<Rest>}`
  : Capitalize<S>

/** Canonical names, the names of other vocabularies (`PreToolUse`), and events of one agent (`agent/Event`). */
export type KnownEvent = Spelling<EventName | Alias> | `${string}/${string}`

type Spelling<S extends string> = S | Pascal<S> | Uncapitalize<Pascal<S>>
type Spelled<Name extends EventName> = Spelling<Name | (typeof EVENTS)[Name]['aliases'][number]>

/** The canonical event of a name; never for an agent's own event. */
type Canonical<E extends string> = { [Name in EventName]: E extends Spelled<Name> ? Name : never }[EventName]

/** Complete, since the library fills in what the caller left out. */
export type HandledEvent<E extends string> = [Canonical<E>] extends [never]
  ? HookEvent
  : Handled<Canonical<E>>

type Handled<E extends EventName> = Plain<E> & (E extends ToolEvent ? ToolFields : unknown)

/** `HookEvent` without its index signature. */
type Plain<E extends EventName> = BaseEvent & { event_type: E } & {
  -readonly [Field in DeclaredField<E>]?: HookEvent<E>[Field]
}
type DeclaredField<E extends EventName> = keyof (typeof EVENTS)[E]['fields'] & string

interface ToolFields {
  tool_name: string
  tool_input: ToolInput
  tool_use_id: string
}

/** What a program says of an event that it fires; the rest is filled in. */
export type GivenEvent<E extends string> = [Canonical<E>] extends [never]
  ? Partial<HookEvent>
  : Partial<Plain<Canonical<E>>>

/** Canonical text fields are typed, so that `event.tool_input.command` can be used after checking the tool's name. */
export type ToolInput = Record<TextField, string> & Record<string, unknown>

type ToolEvent = { [E in EventName]: (typeof EVENTS)[E]['tool'] extends true ? E : never }[EventName]
type ToolField = (typeof TOOLS)[keyof typeof TOOLS]['fields'][number]
type TextField = Exclude<ToolField, 'edits' | 'paths' | 'todos'>
