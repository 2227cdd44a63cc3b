/** Hook entries of an agent's settings → hooks. Loaded only while reading settings. */

import { basename, dirname } from 'node:path'
import type { Dialect, Source } from '../../spec/dialect.ts'
import { CrosshookError, messageOf } from '../../spec/errors.ts'
import { HOOK_DEFAULTS, type Hook, type Loaded, type Problem } from '../../spec/hook.ts'
import { didYouMean } from '../../spec/nearest.ts'
import type { Found } from './nested-hooks.ts'

/** What differs from hook to hook; the rest is the format's. */
export type HookParts = Pick<Hook, 'run' | 'matcher' | 'timeout'> & Partial<Hook>

/** Why an entry cannot be a hook, and what to do. */
export interface Refusal {
  message: string
  fix: string
  field?: string
}

export interface Reader {
  format: string
  events: Dialect['events']
  /** The entries of the text; throws CrosshookError when it cannot be read. */
  entries(text: string): { found: Found[]; line(path: Found['path']): number | undefined }
  /** May a hook on this native event stop anything? */
  blocks(nativeEvent: string): boolean
  /** `all` are the entries of the same file. */
  hook(found: Found, all: readonly Found[]): HookParts | Refusal
  isOurs(found: Found): boolean
}

export function readHooks(source: Source, reader: Reader): Loaded {
  const loaded: Loaded = { hooks: [], problems: [] }
  if (source.text === undefined) return loaded
  const file = source.path
  let entries: ReturnType<Reader['entries']>
  try {
    entries = reader.entries(source.text)
  } catch (thrown) {
    const fix = thrown instanceof CrosshookError ? thrown.fix : 'Correct the file.'
    return { hooks: [], problems: [{ level: 'error', file, message: messageOf(thrown), fix }] }
  }
  const counts = new Map<string, number>()
  for (const found of entries.found) {
    if (reader.isOurs(found)) continue
    const number = (counts.get(found.event) ?? 0) + 1
    counts.set(found.event, number)
    const name = `${label(source)}#${found.event}.${number}`
    const line = entries.line(found.path)
    const place = { file, hook: name, ...(line === undefined ? {} : { line }) }
    const problem = toHook(found, entries.found, place, source, reader, loaded.hooks)
    if (problem) loaded.problems.push(problem)
  }
  return loaded
}

function toHook(
  found: Found,
  all: readonly Found[],
  place: { file: string; hook: string; line?: number },
  source: Source,
  reader: Reader,
  hooks: Hook[],
): Problem | undefined {
  const events = Object.hasOwn(reader.events, found.event) ? reader.events[found.event] : undefined
  if (events === undefined)
    return {
      level: 'warning',
      ...place,
      field: `hooks.${found.event}`,
      message: `"${found.event}" is no event of this format, so the hook never runs.${didYouMean(found.event, Object.keys(reader.events))}`,
      fix: `Use one of: ${Object.keys(reader.events).join(', ')}.`,
    }
  const parts = reader.hook(found, all)
  if ('message' in parts) return { level: 'error', ...place, ...parts }
  hooks.push({
    ...HOOK_DEFAULTS,
    mode: 'concurrent',
    name: place.hook,
    format: reader.format,
    scope: source.scope,
    events: typeof events === 'string' ? [events] : events,
    native_event: found.event,
    blocks: reader.blocks(found.event),
    // No agent ends what a line for its shell leaves running (`play done.wav &`).
    children_stay: true,
    origin: { file: place.file, ...(place.line === undefined ? {} : { line: place.line }) },
    ...parts,
  })
  return undefined
}

/** `.agent/settings.json`, with `~/` for the person's own. */
function label(source: Source): string {
  const short = `${basename(dirname(source.path))}/${basename(source.path)}`
  return source.scope === 'user' ? `~/${short}` : short
}
