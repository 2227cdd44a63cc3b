/** Disables and enables hooks in `config.toml` (`disabled`) and keeps the rest of the file. */

import { existsSync, realpathSync, statSync } from 'node:fs'
import { parse } from 'smol-toml'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'
import { writeWhole } from './write-whole.ts'

/** Returns whether anything changed. */
export function switchHook(settingsFile: string, name: string, to: 'on' | 'off'): boolean {
  // Write to the target of a link, so that it stays a link.
  const file = existsSync(settingsFile) ? realpathSync(settingsFile) : settingsFile
  const text = existsSync(file) ? readText(file) : ''
  const changed = withSwitched(text, name, to, settingsFile)
  if (changed === text) return false
  writeWhole(file, changed, existsSync(file) ? statSync(file).mode & 0o777 : 0o600)
  return true
}

export function withSwitched(text: string, name: string, to: 'on' | 'off', file: string): string {
  const { disabled = [], ...rest } = read(text, file)
  const off = Array.isArray(disabled) ? (disabled as unknown[]) : undefined
  if (off?.includes(name) === (to === 'off')) return text
  const wanted = to === 'off' ? [name, ...(off ?? [])] : off?.filter((other) => other !== name)
  const changed = to === 'off' ? added(text, name) : removed(text, name)
  if (off && isSame(changed, JSON.stringify([wanted, rest]))) return changed
  throw new CrosshookError(
    'bad_settings',
    `${file} could not be changed without touching more than \`disabled\``,
    {
      fix: `Write it yourself: disabled = ${JSON.stringify(wanted)}`,
    },
  )
}

function isSame(text: string, wanted: string): boolean {
  try {
    const { disabled, ...rest } = parse(text)
    return JSON.stringify([disabled, rest]) === wanted
  } catch {
    return false
  }
}

const LIST = /^[ \t]*disabled[ \t]*=[ \t]*\[/m
const FIRST_TABLE = /^[ \t]*\[/m

/** At the front of the existing list, or as a new list before the first table. */
function added(text: string, name: string): string {
  const word = JSON.stringify(name)
  const found = LIST.exec(text)
  if (found && found.index < firstTable(text)) {
    const at = found.index + found[0].length
    const isEmpty = /^\s*\]/.test(text.slice(at))
    return `${text.slice(0, at)}${word}${isEmpty ? '' : ', '}${text.slice(at)}`
  }
  const line = `disabled = [${word}]\n`
  const at = firstTable(text)
  if (at === text.length) return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}`
  return `${text.slice(0, at)}${line}${text.slice(at)}`
}

function removed(text: string, name: string): string {
  const start = LIST.exec(text)?.index ?? 0
  const word = JSON.stringify(name).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const literal = `(?:${word}|'${word.slice(1, -1)}')`
  const list = text
    .slice(start)
    // With the comma after it, or the one before it.
    .replace(new RegExp(`${literal}[ \\t]*,[ \\t]*|(?:,[ \\t]*)?${literal}`), '')
  return text.slice(0, start) + list
}

function firstTable(text: string): number {
  return FIRST_TABLE.exec(text)?.index ?? text.length
}

function read(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text) as Record<string, unknown>
  } catch (error) {
    throw new CrosshookError('bad_settings', `${file} is not TOML: ${messageOf(error)}`, {
      fix: 'Nothing was changed. Fix it first: `crosshook validate` says where.',
      cause: error,
    })
  }
}
