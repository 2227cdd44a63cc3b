/** What a shell knows while a line is followed: variables, functions, folders, what files hold. */

import type { SyntaxNode } from 'unbash'
import { atMost, cutShort } from '../cut.ts'
import type { Flow, Word } from '../word.ts'

export interface Value {
  text: string
  unknown?: boolean
  flow?: Flow
  /** An array; `text` is its first item. */
  items?: Map<string, Word>
  /** By `unset`: it is known to be none. */
  isUnset?: boolean
  /** What it was before a branch that may not have been taken. */
  others?: readonly Word[]
  /** The pattern whose matches a loop goes through, or that are in an array: quotes do not make it a name. */
  glob?: boolean
}

export interface ShellState {
  variables: Map<string, Value>
  /** Names that stand for another variable (`declare -n`). */
  references: Map<string, string>
  functions: Map<string, SyntaxNode>
  aliases: Map<string, string>
  /** Program name → path (`hash -p`). */
  hashed: Map<string, string>
  /** `$0`, `$1`… */
  positional: readonly Word[]
  /** Null when the line does not tell where it is. */
  cwd: string | null
  folders: string[]
  /** Absolute path → what was written there by this line. Shared by everything that the line starts. */
  files: Map<string, Flow>
  /** Links that this line made → what they lead to. Shared like the files. */
  links: Map<string, string>
  /** Open file descriptors above 2. */
  descriptors: Map<number, Flow>
  /** What the command whose words are being expanded reads: `$(cat)` reads it too. */
  input: Flow | null
  /** Wrappers around what runs, outermost first. */
  through: readonly string[]
  /** Set when this runs on another machine or in a container. */
  elsewhere?: string
  /** Functions and files that are being followed. */
  active: ReadonlySet<unknown>
  dotglob: boolean
}

export function newState(cwd: string | null): ShellState {
  return {
    variables: new Map(),
    references: new Map(),
    functions: new Map(),
    aliases: new Map(),
    hashed: new Map(),
    positional: [],
    cwd,
    folders: [],
    files: new Map(),
    links: new Map(),
    descriptors: new Map(),
    input: null,
    through: [],
    active: new Set(),
    dotglob: false,
  }
}

/** A subshell: it sees everything and changes nothing but files. */
export function subshell(state: ShellState): ShellState {
  return {
    ...state,
    variables: copy(state.variables),
    references: copy(state.references),
    functions: copy(state.functions),
    aliases: copy(state.aliases),
    hashed: copy(state.hashed),
    folders: [...state.folders],
    descriptors: copy(state.descriptors),
  }
}

/** Most are empty, and walking through an empty map costs more than making one. */
function copy<Key, Item>(map: ReadonlyMap<Key, Item>): Map<Key, Item> {
  return map.size === 0 ? new Map() : new Map(map)
}

const MAX_VALUE_CHARS = 200_000
const MAX_ITEMS = 10_000
/** Of what commands print. */
const MAX_TEXT_CHARS = 2_000_000

export function resolveName(state: ShellState, name: string): string {
  for (let hops = 0; hops < 8; hops++) {
    const next = state.references.get(name)
    if (next === undefined) return name
    name = next
  }
  return name
}

export function assign(state: ShellState, name: string, value: Value): void {
  const target = resolveName(state, name)
  const [, base = target, index] = /^(\w+)\[(.*)\]$/.exec(target) ?? []
  if (index !== undefined) {
    assignItem(state, base, index, value)
    return
  }
  if (value.text.length <= MAX_VALUE_CHARS) state.variables.set(target, value)
  else {
    cutShort(`the value of ${target} is longer than ${MAX_VALUE_CHARS} characters`)
    state.variables.set(target, { text: `$${target}`, unknown: true })
  }
}

export function assignItem(state: ShellState, name: string, index: string, value: Value): void {
  const before = state.variables.get(name)
  const items = new Map(before?.items ?? (before ? [['0', before as Word]] : []))
  if (items.size < MAX_ITEMS) items.set(index, value)
  else cutShort(`more than ${MAX_ITEMS} items of an array`)
  state.variables.set(name, array(items))
}

export function array(items: Map<string, Word>): Value {
  const first = items.get('0')
  return { text: first?.text ?? '', ...(first?.unknown && { unknown: true }), items }
}

export function mergeFlows(first: Flow, second: Flow): Flow {
  if (first === second) return first
  const union = (a: readonly string[] = [], b: readonly string[] = []) => [...new Set([...a, ...b])]
  const paths = union(first.paths, second.paths)
  const hosts = union(first.hosts, second.hosts)
  const text =
    first.text !== undefined &&
    second.text !== undefined &&
    first.text.length + second.text.length < MAX_TEXT_CHARS
      ? first.text + second.text
      : undefined
  const isTooLong =
    first.tooLong ||
    second.tooLong ||
    (text === undefined && first.text !== undefined && second.text !== undefined)
  return {
    ...(isTooLong && { tooLong: true }),
    ...(text !== undefined && { text }),
    ...(paths.length > 0 && { paths }),
    ...(hosts.length > 0 && { hosts }),
    ...(text !== undefined && (first.partly || second.partly) && { partly: true }),
    ...(text && [first, second].every((flow) => flow.isListing || !flow.text) && { isListing: true }),
    ...((first.decoded || second.decoded) && { decoded: true }),
    ...((first.environment || second.environment) && { environment: true }),
    ...((first.ours || second.ours) && { ours: true }),
    ...((first.found || second.found) && { found: [...(first.found ?? []), ...(second.found ?? [])] }),
  }
}

export const NOTHING: Flow = Object.freeze({ text: '' })
export const UNKNOWN: Flow = Object.freeze({})

const MAX_OTHERS = 16

/** After a branch that may be taken or not: a variable that it set may still have the value from before. */
export function keepOthers(state: ShellState, before: ReadonlyMap<string, Value>): void {
  for (const [name, value] of state.variables) {
    const earlier = before.get(name)
    if (!earlier || earlier === value || earlier.text === value.text) continue
    const all = [...(value.others ?? []), plain(earlier), ...(earlier.others ?? [])]
    const others = atMost(all, MAX_OTHERS, `values that ${name} may have`)
    state.variables.set(name, { ...value, others })
  }
}

function plain({ text, unknown, flow }: Value): Word {
  return { text, ...(unknown && { unknown }), ...(flow && { flow }) }
}
