/**
 * Changes values in the frontmatter of a HOOK.md and keeps every other byte: comments, order, quotes, line ends, unknown
 * fields. The result is parsed again, and refused if it does not have the wanted values.
 */

import { isDeepStrictEqual } from 'node:util'
import type { FieldEdit } from '../../spec/dialect.ts'
import { CrosshookError } from '../../spec/errors.ts'
import { type ParsedYaml, parseYaml } from './frontmatter.ts'
import { type MapNode, type Node, type Pair, treeOf } from './yaml-tree.ts'
import {
  afterDash,
  afterKey,
  blockScalar,
  flow,
  isMapping,
  keyOf,
  type Mapping,
  requoted,
} from './yaml-write.ts'

/** The fields and their values, or the error in the text. */
export function readFields(text: string): Mapping {
  return parsed(text).value as Mapping
}

/** Each edit sets the value at a path, or removes the field if it has no value. */
export function editFields(text: string, edits: readonly FieldEdit[]): string {
  const wanted = structuredClone(readFields(text))
  for (const { path, value } of edits) assign(wanted, path, value)
  return writeFields(text, wanted)
}

/** The text with exactly these fields. */
export function writeFields(text: string, wanted: Mapping): string {
  const before = parsed(text)
  for (const changes of [smallest, wholeFields]) {
    const after = applied(text, before, changes(before, wanted))
    const read = parseYaml(after)
    if (!('error' in read) && isDeepStrictEqual(plain(read.value), plain(wanted))) return after
  }
  throw new CrosshookError('refused', 'this change cannot be written without touching the rest of the file', {
    fix: 'Change the text of the HOOK.md itself: it may use anchors, aliases or tags.',
  })
}

function parsed(text: string): ParsedYaml {
  const found = parseYaml(text)
  if (!('error' in found)) return found
  const { line, message, fix } = found.error
  throw new CrosshookError('invalid_hooks', `line ${line}: ${message}`, { fix })
}

function assign(fields: Mapping, path: readonly (string | number)[], value: unknown): void {
  const [first, ...rest] = path
  if (first === undefined) return
  // These names would change the prototype of objects.
  if (first === '__proto__')
    throw new CrosshookError('usage', '`__proto__` is no field', { fix: 'Use another name.' })
  const holder = fields as Record<string | number, unknown>
  if (rest.length > 0) {
    const inner = holder[first]
    if (typeof inner !== 'object' || inner === null) {
      if (value === undefined) return
      holder[first] = typeof rest[0] === 'number' ? [] : {}
    }
    assign(holder[first] as Mapping, rest, value)
    // An empty `matcher:` is removed.
    if (value === undefined && isEmpty(holder[first])) remove(holder, first)
  } else if (value === undefined) remove(holder, first)
  else holder[first] = value
}

function remove(holder: Record<string | number, unknown>, key: string | number): void {
  if (Array.isArray(holder) && typeof key === 'number') holder.splice(key, 1)
  else delete holder[key]
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Without prototypes, which the reader leaves out. */
function plain(value: unknown): unknown {
  return structuredClone(value)
}

/** Puts `text` in the place of what stands between the offsets. */
interface Change {
  from: number
  to: number
  text: string
}

/** Offsets of changes are those of the YAML as it was read; see `ParsedYaml.repairs`. */
function applied(text: string, { start, repairs }: ParsedYaml, changes: readonly Change[]): string {
  const inFile = (offset: number) => start + offset - repairs.filter((each) => each < offset).length
  let result = text
  for (const { from, to, text: instead } of changes.toSorted((a, b) => b.from - a.from || b.to - a.to))
    result = result.slice(0, inFile(from)) + instead + result.slice(inFile(to))
  return result
}

/** A field that must stay last when others are added. */
const LAST_FIELD = 'metadata'

function smallest(yaml: ParsedYaml, wanted: Mapping): Change[] {
  return mapChanges(yaml.source, treeOf(yaml), yaml.value as Mapping, wanted)
}

/** Fields of the top that differ, written anew. */
function wholeFields(yaml: ParsedYaml, wanted: Mapping): Change[] {
  const { source } = yaml
  const tree = treeOf(yaml)
  const had = yaml.value as Mapping
  const changed = tree.pairs.filter(
    ({ key }) => Object.hasOwn(wanted, key) && !isDeepStrictEqual(plain(had[key]), plain(wanted[key])),
  )
  return [
    ...changed.map((pair) => rewritten(source, pair, wanted[pair.key])),
    ...mapChanges(source, tree, had, {
      ...Object.fromEntries(Object.entries(wanted).filter(([key]) => !Object.hasOwn(had, key))),
      ...Object.fromEntries(Object.entries(had).filter(([key]) => Object.hasOwn(wanted, key))),
    }),
  ]
}

function changesOf(source: string, node: Node, had: unknown, wanted: unknown, place: Place): Change[] {
  if (isDeepStrictEqual(plain(had), plain(wanted))) return []
  if (node.kind === 'map' && isMapping(had) && isMapping(wanted)) {
    if (!needsRewriting(source, node, had, wanted)) return mapChanges(source, node, had, wanted)
  } else if (node.kind === 'list' && Array.isArray(had) && Array.isArray(wanted) && wanted.length > 0) {
    if (!node.isFlow || had.length === wanted.length) return listChanges(source, node, had, wanted)
  }
  return [place.rewrite(wanted)]
}

/** How to write a whole value at its place. */
interface Place {
  rewrite(value: unknown): Change
}

/** A flow mapping that gains or loses fields, one that becomes empty, one whose first field stands beside a dash. */
function needsRewriting(source: string, node: MapNode, had: Mapping, wanted: Mapping): boolean {
  const lost = node.pairs.filter(({ key }) => !Object.hasOwn(wanted, key))
  const gained = Object.keys(wanted).filter((key) => !Object.hasOwn(had, key))
  if (node.isFlow) return lost.length + gained.length > 0
  if (Object.keys(wanted).length === 0 || lost.length === node.pairs.length) return true
  const first = node.pairs[0]!
  return lost.includes(first) && columnText(source, first.keyStart).trim() !== ''
}

function mapChanges(source: string, node: MapNode, had: Mapping, wanted: Mapping): Change[] {
  const changes: Change[] = []
  for (const pair of node.pairs) {
    if (!Object.hasOwn(had, pair.key)) continue
    if (!Object.hasOwn(wanted, pair.key)) changes.push(wholeLines(source, pair.keyStart, pair.node.end))
    else
      changes.push(
        ...changesOf(source, pair.node, had[pair.key], wanted[pair.key], {
          rewrite: (value) =>
            node.isFlow ? inFlow(source, pair.node, value, pair.afterColon) : rewritten(source, pair, value),
        }),
      )
  }
  const gained = Object.keys(wanted).filter((key) => !Object.hasOwn(had, key))
  if (gained.length > 0 && node.pairs.length > 0) {
    const newline = newlineOf(source)
    const indent = columnOf(source, node.pairs[0]!.keyStart)
    const last = node.pairs.at(-1)!
    const isLastField = last.key === LAST_FIELD && node.pairs.length > 1
    const at = isLastField ? lineStart(source, last.keyStart) : nextLine(source, last.node.end)
    const text = gained.map(
      (key) => `${' '.repeat(indent)}${keyOf(key)}:${afterKey(wanted[key], indent, newline)}${newline}`,
    )
    changes.push({ from: at, to: at, text: text.join('') })
  }
  return changes
}

function listChanges(
  source: string,
  node: Extract<Node, { kind: 'list' }>,
  had: readonly unknown[],
  wanted: readonly unknown[],
): Change[] {
  const same = (a: number, b: number) => isDeepStrictEqual(plain(had[a]), plain(wanted[b]))
  const shorter = Math.min(had.length, wanted.length)
  let head = 0
  while (head < shorter && same(head, head)) head++
  let tail = 0
  while (tail < shorter - head && same(had.length - 1 - tail, wanted.length - 1 - tail)) tail++
  const inPlace = shorter - head - tail
  const changes: Change[] = []
  for (let i = head; i < head + inPlace; i++) {
    const { dash, node: item } = node.items[i]!
    const rewrite = (value: unknown): Change =>
      node.isFlow
        ? inFlow(source, item, value, item.start)
        : { from: dash + 1, to: item.end, text: itemText(source, item, value, columnOf(source, dash)) }
    changes.push(...changesOf(source, item, had[i], wanted[i], { rewrite }))
  }
  for (let i = head + inPlace; i < had.length - tail; i++)
    changes.push(wholeLines(source, node.items[i]!.dash, node.items[i]!.node.end))
  const more = wanted.slice(head + inPlace, wanted.length - tail)
  if (more.length > 0) {
    const newline = newlineOf(source)
    const indent = columnOf(source, node.items[0]!.dash)
    const before = node.items[head + inPlace]
    const at = before ? lineStart(source, before.dash) : nextLine(source, node.end)
    const text = more.map((item) => `${' '.repeat(indent)}-${afterDash(item, indent, newline)}${newline}`)
    changes.push({ from: at, to: at, text: text.join('') })
  }
  return changes
}

function itemText(source: string, node: Node, value: unknown, indent: number): string {
  const quoted = node.kind === 'scalar' ? requoted(value, node.style) : undefined
  return quoted === undefined ? afterDash(value, indent, newlineOf(source)) : ` ${quoted}`
}

/** The value of a field in a block mapping: in place where it stays on its line. */
function rewritten(source: string, { keyStart, afterColon, node }: Pair, value: unknown): Change {
  const indent = columnOf(source, keyStart)
  const newline = newlineOf(source)
  const isScalar = typeof value !== 'object' || value === null
  const isOneLine = node.kind === 'scalar' && node.style !== 'block' && node.style !== 'empty'
  if (isOneLine && isScalar) {
    const text = requoted(value, node.style) ?? blockScalar(value, indent, newline)
    return { from: node.start, to: node.end, text }
  }
  // A flow list or mapping stays one as long as it fits on its line.
  if (node.kind !== 'scalar' && node.isFlow && !isScalar && !isEmpty(value)) {
    const text = flow(value)
    if (text.length <= MAX_FLOW) return { from: node.start, to: node.end, text }
  }
  return { from: afterColon, to: node.end, text: afterKey(value, indent, newline) }
}

/** In characters. */
const MAX_FLOW = 160

function inFlow(_source: string, node: Node, value: unknown, afterColon: number): Change {
  const quoted = node.kind === 'scalar' ? requoted(value, node.style) : undefined
  const text = quoted ?? flow(value)
  if (node.kind === 'scalar' && node.style === 'empty')
    return { from: afterColon, to: node.end, text: ` ${text}` }
  return { from: node.start, to: node.end, text }
}

/** Includes the comment at the end of the last line, which belongs to the removed field. */
function wholeLines(source: string, from: number, to: number): Change {
  return { from: lineStart(source, from), to: nextLine(source, to), text: '' }
}

function lineStart(source: string, at: number): number {
  return source.lastIndexOf('\n', at - 1) + 1
}

function nextLine(source: string, at: number): number {
  const newline = source.indexOf('\n', at)
  return newline < 0 ? source.length : newline + 1
}

/** What stands before it on its line. */
function columnText(source: string, at: number): string {
  return source.slice(lineStart(source, at), at)
}

function columnOf(source: string, at: number): number {
  return at - lineStart(source, at)
}

function newlineOf(source: string): string {
  return /\r\n/.test(source) ? '\r\n' : '\n'
}
