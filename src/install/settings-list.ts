/** Adds or removes one text in a list of config.toml and keeps every other byte. */

import { parse } from 'smol-toml'
import { canonicalJson } from '../fast/digest.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'

export interface ListChange {
  /** A list at the top of the file, such as `shadow`. */
  list: string
  value: string
  isWanted: boolean
}

/** Undefined when nothing has to change. */
export function changeList(
  text: string,
  { list, value, isWanted }: ListChange,
  file: string,
): string | undefined {
  const before = parsed(text, file)
  const old = Array.isArray(before[list]) ? (before[list] as unknown[]) : []
  if (old.includes(value) === isWanted) return undefined
  const values = isWanted ? [...old, value] : old.filter((each) => each !== value)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const line = `${list} = [${values.map((each) => JSON.stringify(each)).join(', ')}]`
  const written = new RegExp(`^[ \\t]*${list}[ \\t]*=[ \\t]*\\[[^\\]]*\\]`, 'm')
  const { [list]: _, ...others } = before
  const wanted = values.length > 0 ? { ...others, [list]: values } : others
  const edits = [
    text.replace(written, () => line),
    text.replace(new RegExp(`${written.source}[ \\t]*\\r?\\n?`, 'm'), ''),
    // Before the first table, which would otherwise contain it.
    `${line}${eol}${text}`,
  ]
  for (const edited of edits) if (canonicalJson(tried(edited)) === canonicalJson(wanted)) return edited
  throw new CrosshookError('bad_settings', `${file}: "${list}" is written in a form that cannot be changed`, {
    fix: `Write it by hand: ${line}`,
  })
}

function tried(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined // not TOML: the next form is tried
  }
}

function parsed(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text)
  } catch (error) {
    throw new CrosshookError(
      'bad_settings',
      `${file} is not valid TOML: ${messageOf(error).split('\n')[0]}. Nothing was changed.`,
      { cause: error },
    )
  }
}
