/** `crosshook disable NAME`, `crosshook enable NAME`: the list `disabled` of config.toml, and every other byte as it was. */

import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parse } from 'smol-toml'
import { paths } from '../config/paths.ts'
import { assemble } from '../host/assemble.ts'
import { writeBytes } from '../install/settings-bytes.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { hooksNamed } from './named-hooks.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments, isOff: boolean): Promise<number> {
  const [name] = args.words
  if (name === undefined)
    throw new CrosshookError('usage', 'which hook?', {
      fix: `For example: crosshook ${args.command.name} git-guard`,
    })
  const { settings: file } = paths(args.env)
  const text = read(file)
  const before = disabledIn(text, file)
  if (isOff) await requireHook(name, args)
  const names = isOff ? [...new Set([...before, name])] : before.filter((each) => each !== name)
  const isChange = names.length !== before.length
  if (isChange) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeBytes(file, Buffer.from(withDisabled(text, names, file)), 0o600)
  }
  if (args.flag('json')) printJson({ name, enabled: !isOff, changed: isChange, file })
  else {
    const paint = painter(1)
    const state = isOff ? paint.yellow('is switched off') : paint.green('is switched on')
    print(`${visible(name)} ${state}${isChange ? ` in ${shortPath(file)}` : ' already'}\n`)
  }
  return 0
}

/** The machine's hooks cannot be switched off by a person, and a misspelt name would guard nothing less. */
async function requireHook(name: string, args: Arguments): Promise<void> {
  const runtime = assemble({ env: args.env, source: 'cli' })
  const { hooks } = await runtime.hookSet(process.cwd())
  await runtime.close()
  const found = hooksNamed(name, hooks)
  if (found.every(({ scope }) => scope === 'managed'))
    throw new CrosshookError('refused', `${name} belongs to the machine`, {
      fix: 'Only its administrator can switch it off.',
    })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

export function withDisabled(text: string, names: readonly string[], file: string): string {
  const line = `disabled = ${JSON.stringify(names)}`
  const written = /^disabled\s*=\s*\[[^\]]*\]/m
  const edited = written.test(text)
    ? text.replace(written, () => line)
    : // Before the first table, of which it would be a part otherwise.
      `${line}\n${text}`
  if (JSON.stringify(disabledIn(edited, file)) === JSON.stringify(names)) return edited
  throw new CrosshookError('bad_settings', `${file}: "disabled" is written in a form that cannot be edited`, {
    fix: `Write it by hand: ${line}`,
  })
}

function disabledIn(text: string, file: string): string[] {
  try {
    const { disabled } = parse(text) as { disabled?: unknown }
    return Array.isArray(disabled) ? disabled.map(String) : []
  } catch (error) {
    throw new CrosshookError(
      'bad_settings',
      `${file} is not valid TOML: ${messageOf(error).split('\n')[0]}. Nothing was changed.`,
      { cause: error },
    )
  }
}
