/** Where each value of a YAML text stands, so that one of them can be changed and every other byte kept. */

import { COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE } from 'js-yaml'
import type { ParsedYaml } from './frontmatter.ts'

export type Node = ScalarNode | MapNode | ListNode

interface Placed {
  /** The value's own text, quotes and brackets included. Of an empty value: where its text would stand. */
  start: number
  end: number
}

export interface ScalarNode extends Placed {
  kind: 'scalar'
  style: 'plain' | 'single' | 'double' | 'block' | 'alias' | 'empty'
}

export interface MapNode extends Placed {
  kind: 'map'
  isFlow: boolean
  pairs: Pair[]
}

export interface ListNode extends Placed {
  kind: 'list'
  isFlow: boolean
  items: { dash: number; node: Node }[]
}

export interface Pair {
  key: string
  keyStart: number
  /** After the colon; after the key where a flow mapping leaves the colon out. */
  afterColon: number
  node: Node
}

const STYLES = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'block',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'block',
} as const

/** The root of the document, which is a mapping. */
export function treeOf({ source, events }: Pick<ParsedYaml, 'source' | 'events'>): MapNode {
  let at = 1 // the first event opens the document
  const node = (from: number): Node => {
    const event = events[at++]!
    if (event.type === EVENT_ID.SCALAR) return scalar(source, event, from)
    if (event.type === EVENT_ID.ALIAS)
      return { kind: 'scalar', style: 'alias', start: event.anchorStart - 1, end: event.anchorEnd }
    if (event.type === EVENT_ID.MAPPING) return mapping(event.start, event.style === COLLECTION_STYLE.FLOW)
    if (event.type === EVENT_ID.SEQUENCE) return list(event.start, event.style === COLLECTION_STYLE.FLOW)
    throw new Error(`an event of type ${event.type} where a value was expected`)
  }
  const mapping = (start: number, isFlow: boolean): MapNode => {
    const pairs: Pair[] = []
    let from = isFlow ? start + 1 : start
    while (events[at]?.type !== EVENT_ID.POP) {
      const key = node(from)
      const colon = skipBlank(source, key.end)
      const afterColon = source[colon] === ':' ? colon + 1 : key.end
      const value = node(afterColon)
      pairs.push({ key: keyText(source, key), keyStart: key.start, afterColon, node: value })
      from = value.end
    }
    at++
    return { kind: 'map', isFlow, pairs, start, end: isFlow ? closing(source, from) : from }
  }
  const list = (start: number, isFlow: boolean): ListNode => {
    const items: ListNode['items'] = []
    let from = isFlow ? start + 1 : start
    while (events[at]?.type !== EVENT_ID.POP) {
      const dash = isFlow ? from : source.indexOf('-', skipBlank(source, from))
      const item = node(isFlow ? from : dash + 1)
      items.push({ dash, node: item })
      from = item.end
    }
    at++
    return { kind: 'list', isFlow, items, start, end: isFlow ? closing(source, from) : from }
  }
  const root = node(0)
  if (root.kind !== 'map') throw new Error('the document is not a mapping')
  return root
}

type ScalarEvent = Extract<ParsedYaml['events'][number], { type: typeof EVENT_ID.SCALAR }>

function scalar(source: string, event: ScalarEvent, from: number): ScalarNode {
  const { valueStart, valueEnd, style } = event
  if (valueStart < 0) return { kind: 'scalar', style: 'empty', start: from, end: from }
  const name = STYLES[style]
  if (name === 'plain') return { kind: 'scalar', style: name, start: valueStart, end: valueEnd }
  if (name !== 'block') return { kind: 'scalar', style: name, start: valueStart - 1, end: valueEnd + 1 }
  // The text begins on the line below its `|` or `>`; blank lines at its end are not part of it.
  const header = source.slice(from, valueStart).search(/[|>]/)
  const end = valueStart + source.slice(valueStart, valueEnd).trimEnd().length
  return { kind: 'scalar', style: 'block', start: header < 0 ? valueStart : from + header, end }
}

function keyText(source: string, { start, end, ...key }: Node): string {
  const isQuoted = 'style' in key && (key.style === 'single' || key.style === 'double')
  return isQuoted ? source.slice(start + 1, end - 1) : source.slice(start, end)
}

/** The next character that is neither space nor part of a comment. */
export function skipBlank(source: string, from: number): number {
  let at = from
  for (;;) {
    const char = source[at]
    if (char === ' ' || char === '\t' || char === '\n' || char === '\r') at++
    else if (char === '#' && /^$|\s/.test(source[at - 1] ?? '')) {
      const newline = source.indexOf('\n', at)
      at = newline < 0 ? source.length : newline
    } else return at
  }
}

/** After the bracket that closes a flow collection, whose last value ends at `from`. */
function closing(source: string, from: number): number {
  let at = skipBlank(source, from)
  while (source[at] === ',') at = skipBlank(source, at + 1)
  return at + 1
}
