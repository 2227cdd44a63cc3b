/** Sets `http` in the `[daemon]` table of config.toml and keeps every other byte. */

import { parse } from 'smol-toml'
import { CrosshookError, messageOf } from '../spec/errors.ts'

export function fixAddress(text: string, address: string, file: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const line = `http = "${address}"`
  const gap = text === '' || text.endsWith('\n') ? '' : eol
  const forms = [
    text.replace(/^([ \t]*http[ \t]*=[ \t]*)(?:"[^"]*"|'[^']*')/m, `$1"${address}"`),
    text.replace(/^([ \t]*\[daemon\][^\r\n]*)(\r?\n|$)/m, `$1${eol}${line}${eol}`),
    `${text}${gap}${text.trim() === '' ? '' : eol}[daemon]${eol}${line}${eol}`,
  ]
  const wanted = withAddress(text, address, file)
  const fitting = forms.find((form) => isSame(form, wanted))
  if (fitting !== undefined) return fitting
  throw new CrosshookError('bad_settings', `${file}: "daemon" is written in a form that cannot be added to`, {
    fix: `Write ${line} into its [daemon] table by hand.`,
  })
}

/** The settings that should result. */
function withAddress(text: string, address: string, file: string): unknown {
  try {
    const settings = parse(text) as { daemon?: Record<string, unknown> }
    return { ...settings, daemon: { ...settings.daemon, http: address } }
  } catch (error) {
    throw new CrosshookError(
      'bad_settings',
      `${file} is not valid TOML: ${messageOf(error).split('\n')[0]}. Nothing was changed.`,
      { cause: error },
    )
  }
}

function isSame(text: string, wanted: unknown): boolean {
  try {
    return sorted(parse(text)) === sorted(wanted)
  } catch {
    return false // not TOML: the next form is tried
  }
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
