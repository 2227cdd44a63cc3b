/** A file that is being read, and how to say what is wrong in it. */

import type { Source } from '../../spec/dialect.ts'
import type { Loaded } from '../../spec/hook.ts'
import type { JsonDocument } from '../lib/json-document.ts'

/** What the readers of the three forms share. */
export interface Reading {
  source: Source
  document: JsonDocument
  /** The file's name without its ending: the first half of each hook's name. */
  stem: string
  loaded: Loaded
}

export interface Place {
  path?: readonly (string | number)[]
  line?: number
  hook?: string
  level?: 'error' | 'warning'
}

export function report(reading: Reading, place: Place, message: string, fix: string): void {
  const { path, line, hook, level = 'error' } = place
  reading.loaded.problems.push({
    level,
    file: reading.source.path,
    line: line ?? reading.document.line(path ?? []),
    ...(path && path.length > 0 ? { field: fieldName(path) } : {}),
    ...(hook === undefined ? {} : { hook }),
    message,
    fix,
  })
}

function fieldName(path: readonly (string | number)[]): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('')
}
