/** The YAML block at the top of a HOOK.md, as data with line numbers. No code runs, and no input stalls it. */

import { CORE_SCHEMA, constructFromEvents, EVENT_ID, parseEvents, YAMLException } from 'js-yaml'
import { messageOf } from '../../spec/errors.ts'

export interface Frontmatter {
  value: unknown
  /** Line in the file of each key, by its path: `matcher.tool`. */
  lines: ReadonlyMap<string, number>
  warnings: Note[]
}

export interface Note {
  line: number
  message: string
  fix: string
}

export const MAX_FILE = 256 * 1024
const MAX_FRONTMATTER = 64 * 1024
const MAX_REPAIRS = 100
const MAX_ALIASES = 10
const MAX_NODES = 20_000

/** The text of a HOOK.md → its frontmatter, or what is wrong with it. */
export function parseFrontmatter(text: string): Frontmatter | { error: Note } {
  const parsed = parseYaml(text)
  if ('error' in parsed) return parsed
  const { value, source, events, warnings } = parsed
  return { value, lines: keyLines(source, events), warnings }
}

export interface ParsedYaml {
  value: unknown
  /** The YAML that was parsed: that of the file, with a second backslash at each of `repairs`. */
  source: string
  /** Where the YAML begins in the file. */
  start: number
  /** Offsets in `source` of the backslashes that the file does not have. */
  repairs: number[]
  events: Events
  warnings: Note[]
}

export function parseYaml(text: string): ParsedYaml | { error: Note } {
  const yaml = split(text)
  if ('message' in yaml) return { error: yaml }
  const warnings: Note[] = []
  const repairs: number[] = []
  let { source } = yaml
  for (;;) {
    try {
      const events = parseEvents(source, { maxDepth: 50 })
      const documents = constructFromEvents(events, { source, schema: CORE_SCHEMA, maxAliases: MAX_ALIASES })
      if (documents.length !== 1) return { error: notMapping('is empty or has several documents') }
      const value = documents[0]
      const problem = shapeProblem(value)
      if (problem !== undefined) return { error: notMapping(problem) }
      return { value, source, start: yaml.start, repairs, events, warnings }
    } catch (thrown) {
      const mended = warnings.length < MAX_REPAIRS ? keepBackslash(source, thrown) : undefined
      if (mended === undefined) return { error: yamlError(thrown) }
      source = mended.source
      repairs.push(mended.at)
      warnings.push(mended.warning)
    }
  }
}

/** What is between the two `---` lines; line 1 of it is line 2 of the file. */
function split(text: string): { source: string; start: number } | Note {
  if (text.length > MAX_FILE)
    return {
      line: 1,
      message: `The file is larger than ${MAX_FILE} bytes.`,
      fix: 'Move long text to another file.',
    }
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const firstEnd = text.indexOf('\n', start)
  const first = text.slice(start, firstEnd === -1 ? text.length : firstEnd)
  const none: Note = {
    line: 1,
    message: 'The file has no YAML frontmatter: its first line must be `---`.',
    fix: 'Begin the file with a line `---`, then the fields, then another line `---`.',
  }
  if (first.trimEnd() !== '---') return none
  let from = firstEnd === -1 ? text.length : firstEnd + 1
  const yamlStart = from
  while (from < text.length) {
    const newline = text.indexOf('\n', from)
    const end = newline === -1 ? text.length : newline
    if (text.startsWith('---', from) && text.slice(from, end).trimEnd() === '---') {
      if (from - yamlStart > MAX_FRONTMATTER)
        return {
          line: 1,
          message: `The frontmatter is larger than ${MAX_FRONTMATTER} bytes.`,
          fix: 'Move long text below the second `---`.',
        }
      return { source: text.slice(yamlStart, from), start: yamlStart }
    }
    from = end + 1
  }
  return { ...none, message: 'The frontmatter is not closed by a second line `---`.' }
}

/**
 * The specification's own examples write `pattern: "\.py$"`, which YAML forbids (no such escape between
 * double quotes). It is read as the backslash itself.
 */
function keepBackslash(
  source: string,
  thrown: unknown,
): { source: string; at: number; warning: Note } | undefined {
  if (!(thrown instanceof YAMLException) || thrown.reason !== 'unknown escape sequence') return undefined
  const at = thrown.mark?.position
  if (at === undefined || source[at - 1] !== '\\') return undefined
  const sequence = `\\${source[at] ?? ''}`
  return {
    source: `${source.slice(0, at)}\\${source.slice(at)}`,
    at,
    warning: {
      line: (thrown.mark?.line ?? 0) + 2,
      message: `\`${sequence}\` is not an escape that YAML knows between double quotes; the backslash was kept.`,
      fix: 'Write the pattern between single quotes.',
    },
  }
}

function yamlError(thrown: unknown): Note {
  const isYaml = thrown instanceof YAMLException
  return {
    line: (isYaml ? (thrown.mark?.line ?? 0) : 0) + 2,
    message: `The frontmatter is not valid YAML: ${isYaml ? thrown.reason : messageOf(thrown)}.`,
    fix: 'Fix the YAML at this line; texts with special characters go between single quotes.',
  }
}

function notMapping(what: string): Note {
  return {
    line: 2,
    message: `The frontmatter ${what}.`,
    fix: 'Give fields such as `name: my-hook`, one to a line.',
  }
}

/** Limits aliases, which can make a huge or endless tree of a small text. */
function shapeProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not a mapping of fields'
  const open: unknown[] = [value]
  for (let count = 0; open.length > 0; count++) {
    if (count > MAX_NODES) return 'has too many values (an alias that contains itself?)'
    const node = open.pop()
    if (typeof node === 'object' && node !== null) for (const child of Object.values(node)) open.push(child)
  }
  return undefined
}

type Events = ReturnType<typeof parseEvents>
interface Frame {
  path: string
  kind: 'mapping' | 'sequence' | 'document'
  key: string | undefined
  index: number
}

function keyLines(source: string, events: Events): Map<string, number> {
  const lines = new Map<string, number>()
  const stack: Frame[] = []
  let line = 2
  let counted = 0
  const lineAt = (offset: number): number => {
    for (; counted < offset; counted++) if (source.charCodeAt(counted) === 10) line++
    return line
  }
  const enter = (kind: Frame['kind']): void => {
    stack.push({ path: valuePath(stack.at(-1)), kind, key: undefined, index: 0 })
  }
  for (const event of events) {
    const parent = stack.at(-1)
    if (event.type === EVENT_ID.DOCUMENT) enter('document')
    else if (event.type === EVENT_ID.MAPPING) enter('mapping')
    else if (event.type === EVENT_ID.SEQUENCE) enter('sequence')
    else if (event.type === EVENT_ID.POP) {
      stack.pop()
      valueDone(stack.at(-1))
    } else if (parent?.kind === 'mapping' && parent.key === undefined && event.type === EVENT_ID.SCALAR) {
      parent.key = source.slice(event.valueStart, event.valueEnd)
      lines.set(valuePath(parent), lineAt(event.valueStart))
    } else valueDone(parent)
  }
  return lines
}

function valuePath(frame: Frame | undefined): string {
  if (!frame || frame.kind === 'document') return ''
  const last = frame.kind === 'mapping' ? (frame.key ?? '') : String(frame.index)
  return frame.path === '' ? last : `${frame.path}.${last}`
}

function valueDone(frame: Frame | undefined): void {
  if (!frame) return
  if (frame.kind === 'mapping') frame.key = frame.key === undefined ? '' : undefined
  else frame.index++
}
