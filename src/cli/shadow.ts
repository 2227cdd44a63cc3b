/**
 * `crosshook shadow NAME` and `crosshook enforce NAME`: whether a hook decides, or only records what it would decide.
 */

import { existsSync } from 'node:fs'
import { paths } from '../config/paths.ts'
import { loadDialect } from '../dialects/list.ts'
import { assemble } from '../host/assemble.ts'
import { writeBytes } from '../install/settings-bytes.ts'
import { changeList } from '../install/settings-list.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { readText } from '../spec/read-file.ts'
import { hooksNamed } from './named-hooks.ts'
import type { Arguments } from './options.ts'
import { print, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const isShadow = args.command.name === 'shadow'
  const [name] = args.words
  if (name === undefined)
    throw new CrosshookError('usage', 'which hook?', { fix: 'Name one that `crosshook list` shows.' })
  const runtime = assemble({ env: args.env, source: 'cli' })
  const { hooks } = await runtime.hookSet(process.cwd())
  await runtime.close()
  const named = hooksNamed(name, hooks)
  if (named.some(({ scope }) => scope === 'managed'))
    throw new CrosshookError('refused', `${name} belongs to the machine: your settings do not change it`, {
      fix: 'Its administrator can write `mode: shadow` into it, or take that away.',
    })
  const { settings } = paths(args.env)
  const text = existsSync(settings) ? readText(settings) : ''
  const edited = changeList(text, { list: 'shadow', value: name, isWanted: isShadow }, settings)
  if (edited !== undefined) writeBytes(settings, Buffer.from(edited), 0o600)
  const files = isShadow ? [] : await enforceInFiles(named)
  if (args.flag('json')) printJson({ name, shadow: isShadow, settings, changed: edited !== undefined, files })
  else print(words(name, named, { isShadow, files, settings, isChanged: edited !== undefined }))
  return 0
}

/** Removes the line `mode: shadow` from hooks that have it. */
async function enforceInFiles(hooks: readonly Hook[]): Promise<string[]> {
  const changed: string[] = []
  for (const { format, origin } of hooks) {
    const editor = await (await loadDialect(format)).format?.editor?.()
    if (!editor) continue
    const text = readText(origin.file)
    if (editor.readFields(text).mode !== 'shadow') continue
    writeBytes(origin.file, Buffer.from(editor.editFields(text, [{ path: ['mode'] }])))
    changed.push(origin.file)
  }
  return changed
}

function words(
  name: string,
  hooks: readonly Hook[],
  {
    isShadow,
    files,
    settings,
    isChanged,
  }: { isShadow: boolean; files: string[]; settings: string; isChanged: boolean },
): string {
  const shown = visible(name)
  if (isShadow)
    return `${shown} is in shadow${isChanged ? '' : ' already'}: it runs, \`crosshook log\` says what it would have decided, and calls go on.\nEnd it with \`crosshook enforce ${shown}\`. (${shortPath(settings)})\n`
  if (!isChanged && files.length === 0) return `${shown} is not in shadow: it decides.\n`
  const retrust = files.length > 0 && hooks.some(({ scope }) => scope === 'project')
  return `${shown} decides again.\n${files.map((file) => `\`mode: shadow\` was taken out of ${shortPath(file)}.\n`).join('')}${retrust ? `Its bytes have changed: look at it, then \`crosshook trust ${shown}\`.\n` : ''}`
}
