/** Agent files, stand-alone hook files and the older context files → hooks. One bad entry is a problem of that entry only. */

import { basename } from 'node:path'
import type { Source } from '../../spec/dialect.ts'
import type { Hook, Loaded } from '../../spec/hook.ts'
import { callsCrosshook } from '../lib/command-marker.ts'
import { parseJson } from '../lib/json-document.ts'
import { readAgentHooks } from './config-agent.ts'
import { readContextHooks } from './config-context.ts'
import { readStandaloneHooks } from './config-standalone.ts'
import { type Reading, report } from './file-reader.ts'
import { isObject } from './tools.ts'

/** crosshook's own entry is not read as a hook: it would call crosshook recursively. */
export function read(source: Source): Loaded {
  const { hooks, problems } = readAll(source)
  const isOurs = ({ run }: Hook) => run.type === 'command' && 'command' in run && callsCrosshook(run.command)
  return { hooks: hooks.filter((hook) => !isOurs(hook)), problems }
}

function readAll(source: Source): Loaded {
  const document = parseJson(source.text ?? '')
  const reading: Reading = {
    source,
    document,
    stem: basename(source.path).replace(/\.json$/, ''),
    loaded: { hooks: [], problems: [] },
  }
  const root = document.value
  if (document.error)
    report(
      reading,
      { line: document.error.line },
      `not valid JSON: ${document.error.message}`,
      'Correct the JSON text.',
    )
  else if (!isObject(root))
    report(reading, { path: [] }, 'the file holds no JSON object', 'Write an agent file: {"hooks": {…}}.')
  else if (root.hooks === undefined && looksLikeContext(root)) readContextHooks(reading, root, [])
  else if (root.hooks === undefined) return reading.loaded
  else if (Array.isArray(root.hooks)) readStandaloneHooks(reading, root.hooks)
  else if (!isObject(root.hooks))
    report(
      reading,
      { path: ['hooks'] },
      '`hooks` is not an object',
      'Write "hooks": {"preToolUse": [{"command": "…"}]}.',
    )
  else if (looksLikeContext(root.hooks)) readContextHooks(reading, root.hooks, ['hooks'])
  else readAgentHooks(reading, root.hooks)
  return reading.loaded
}

/** Hooks by name, each with a trigger of the older kind. */
function looksLikeContext(hooks: Record<string, unknown>): boolean {
  const entries = Object.values(hooks)
  return entries.length > 0 && entries.some((entry) => isObject(entry) && typeof entry.trigger === 'string')
}
