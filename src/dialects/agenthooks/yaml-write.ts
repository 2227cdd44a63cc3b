/** Values as YAML, in the style that HOOK.md files are written in. */

import { dump } from 'js-yaml'

/** A list or mapping no longer than this stands on one line. In characters. */
const MAX_ONE_LINE_CHARS = 100

export type Mapping = Record<string, unknown>

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What comes after `key:`, its leading space or line break included. `indent` is the column of the key. */
export function afterKey(value: unknown, indent: number, newline: string): string {
  const inner = indent + 2
  if (Array.isArray(value)) {
    const line = flow(value)
    if (value.every((item) => !isMapping(item) && !Array.isArray(item)) && line.length <= MAX_ONE_LINE_CHARS)
      return ` ${line}`
    return value.map((item) => `${newline}${pad(inner)}-${afterDash(item, inner, newline)}`).join('')
  }
  if (isMapping(value) && Object.keys(value).length > 0)
    return Object.entries(value)
      .map(([key, each]) => `${newline}${pad(inner)}${keyOf(key)}:${afterKey(each, inner, newline)}`)
      .join('')
  return ` ${isMapping(value) ? '{}' : blockScalar(value, indent, newline)}`
}

/** What comes after the `-` at column `indent`, its leading space included. */
export function afterDash(value: unknown, indent: number, newline: string): string {
  if (typeof value !== 'object' || value === null) return ` ${blockScalar(value, indent, newline)}`
  const line = flow(value)
  if (line.length <= MAX_ONE_LINE_CHARS || Array.isArray(value)) return ` ${line}`
  // The first field stands beside the dash, the others below it.
  const fields = Object.entries(value).map(
    ([key, each]) => `${keyOf(key)}:${afterKey(each, indent + 2, newline)}`,
  )
  return ` ${fields.join(`${newline}${pad(indent + 2)}`)}`
}

/** On one line, safe inside brackets. */
export function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (!isMapping(value)) return inBrackets(value)
  const fields = Object.entries(value).map(([key, each]) => `${inBrackets(key)}: ${flow(each)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** A text in the quotes that the one before it had, where they can hold it. */
export function requoted(value: unknown, style: string): string | undefined {
  if (typeof value !== 'string' || /[\r\n]/.test(value)) return undefined
  if (style === 'single') return `'${value.replaceAll("'", "''")}'`
  return style === 'double' ? JSON.stringify(value) : undefined
}

export function blockScalar(value: unknown, indent: number, newline: string): string {
  const text = write({ k: value }, -1).slice('k:'.length).trim()
  // Lines of a text in several lines are indented by two below the dummy key.
  return text.replaceAll('\n  ', `${newline}${pad(indent + 2)}`).replaceAll(/(?<!\r)\n/g, newline)
}

export function keyOf(key: string): string {
  return write({ [key]: 1 }, -1)
    .trimEnd()
    .slice(0, -': 1'.length)
}

function inBrackets(value: unknown): string {
  if (typeof value === 'string' && /[\r\n]/.test(value)) return JSON.stringify(value)
  return write([value], 0).trimEnd().slice(1, -1)
}

function write(value: unknown, flowLevel: number): string {
  return dump(value, { flowLevel, lineWidth: -1, noRefs: true, indent: 2 } as Parameters<typeof dump>[1])
}

function pad(indent: number): string {
  return ' '.repeat(indent)
}
