/**
 * `crosshook disable NAME`, `crosshook enable NAME`: edits the list `disabled` of config.toml and keeps every other
 * byte.
 */

import { paths } from '../config/paths.ts'
import { switchHook } from '../config/switch-hook.ts'
import { assemble } from '../host/assemble.ts'
import { CrosshookError } from '../spec/errors.ts'
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
  if (isOff) await requireHook(name, args)
  const isChange = switchHook(file, name, isOff ? 'off' : 'on')
  if (args.flag('json')) printJson({ name, enabled: !isOff, changed: isChange, file })
  else {
    const paint = painter(1)
    const state = isOff ? paint.yellow('is switched off') : paint.green('is switched on')
    print(`${visible(name)} ${state}${isChange ? ` in ${shortPath(file)}` : ' already'}\n`)
  }
  return 0
}

/** Managed hooks cannot be disabled by a person, and a misspelt name would disable nothing. */
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
