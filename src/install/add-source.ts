/** Adds a format to `sources` in config.toml and keeps every other byte. */

import { parse } from 'smol-toml'
import { CrosshookError, messageOf } from '../spec/errors.ts'

/** Undefined when it is already there. */
export function addSource(text: string, format: string, file: string): string | undefined {
  const before = sourcesOf(text, file)
  if (before.some((source) => isWhole(source, format))) return undefined
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' || text.endsWith('\n') ? '' : eol
  const asTable = `${text}${gap}${text.trim() === '' ? '' : eol}[[sources]]${eol}format = "${format}"${eol}`
  // A list in brackets cannot be continued as a table.
  const inList = text.replace(/^(\s*sources\s*=\s*\[)/m, `$1{ format = "${format}" }, `)
  for (const edited of [asTable, inList, inList.replace(/ \}, (\s*\])/, ' }$1')])
    if (isAdded(edited, before.length, format)) return edited
  throw new CrosshookError(
    'bad_settings',
    `${file}: "sources" is written in a form that cannot be added to`,
    {
      fix: `Add { format = "${format}" } to it by hand.`,
    },
  )
}

function isAdded(text: string, before: number, format: string): boolean {
  try {
    const sources = (parse(text) as { sources?: unknown[] }).sources ?? []
    return sources.length === before + 1 && sources.some((source) => isWhole(source, format))
  } catch {
    return false // not TOML: the next form is tried
  }
}

function sourcesOf(text: string, file: string): unknown[] {
  try {
    const { sources } = parse(text) as { sources?: unknown }
    return Array.isArray(sources) ? sources : []
  } catch (error) {
    throw new CrosshookError(
      'bad_settings',
      `${file} is not valid TOML: ${messageOf(error).split('\n')[0]}. Nothing was changed.`,
      { cause: error },
    )
  }
}

/** The format with all of its own files. */
function isWhole(source: unknown, format: string): boolean {
  const { path, format: id } = source as { path?: unknown; format?: unknown }
  return path === undefined && id === format
}
