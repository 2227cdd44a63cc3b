/** Arguments of a command, checked against its table. */

import { parseArgs } from 'node:util'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { didYouMean } from '../spec/nearest.ts'
import { COMMON_OPTIONS, type Command } from './command-row.ts'

export interface Arguments {
  command: Command
  words: string[]
  flag(name: string): boolean
  value(name: string): string | undefined
  values(name: string): string[]
  /** The environment of the program. */
  env: NodeJS.ProcessEnv
}

export function parse(command: Command, args: readonly string[], env: NodeJS.ProcessEnv): Arguments {
  const options = { ...command.options, ...COMMON_OPTIONS }
  let parsed: Parsed
  try {
    parsed =
      (command.passesOn ? { values: {}, positionals: [...args] } : undefined) ??
      plainArguments(args, options) ??
      parseArgs({
        args: [...args],
        allowPositionals: true,
        strict: true,
        options: Object.fromEntries(
          Object.entries(options).map(([name, option]) => [
            name,
            {
              type: option.value === undefined ? ('boolean' as const) : ('string' as const),
              multiple: option.multiple ?? false,
              ...(option.short ? { short: option.short } : {}),
            },
          ]),
        ),
      })
  } catch (error) {
    throw new CrosshookError('usage', explain(messageOf(error), Object.keys(options)), {
      fix: `${quoting(command)}Run \`crosshook help ${command.name}\` for its options.`,
    })
  }
  const most = command.words.length
  const endless = command.words.at(-1)?.endsWith('…')
  if (!endless && parsed.positionals.length > most)
    throw new CrosshookError(
      'usage',
      `\`crosshook ${command.name}\` does not know what to do with "${parsed.positionals[most]}"`,
      {
        fix: `Run \`crosshook help ${command.name}\`.`,
      },
    )
  return {
    command,
    words: parsed.positionals,
    flag: (name) => parsed.values[name] === true,
    value: (name) => {
      const value = parsed.values[name]
      return typeof value === 'string' ? value : undefined
    },
    values: (name) => (parsed.values[name] ?? []) as string[],
    env,
  }
}

interface Parsed {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  positionals: string[]
}

/** For plain words and flags, as in most calls of `fire`: loading Node's parser takes longer than this. */
function plainArguments(args: readonly string[], options: Command['options']): Parsed | undefined {
  const parsed: Parsed = { values: {}, positionals: [] }
  for (const arg of args) {
    const option =
      arg.startsWith('--') && Object.hasOwn(options, arg.slice(2)) ? options[arg.slice(2)] : undefined
    if (!arg.startsWith('-')) parsed.positionals.push(arg)
    else if (!option || option.value !== undefined || option.multiple) return undefined
    else parsed.values[arg.slice(2)] = true
  }
  return parsed
}

export function isDebug(args: Arguments): boolean {
  return args.flag('debug') || args.env.CROSSHOOK_DEBUG === '1'
}

/** Where a shell line is expected, its options are taken for ours. */
function quoting({ name, words }: Command): string {
  return /COMMAND.*…/.test(words.at(-1) ?? '')
    ? `Put a command that has options in quotes: \`crosshook ${name} 'ls -l'\`. `
    : ''
}

function explain(message: string, names: string[]): string {
  const unknown = /Unknown option '(-[^']+)'/.exec(message)?.[1]
  if (unknown === undefined) return message.split('. ')[0]!
  return `unknown option ${unknown}.${didYouMean(unknown.replace(/^-+/, ''), names)}`
}
