/** `crosshook help [COMMAND]` */

import { EVENT_NAMES, EVENTS } from '../spec/event.ts'
import { COMMANDS, COMMON_OPTIONS, type Command, findCommand } from './commands.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'

export function run(args: Arguments): number {
  const [topic] = args.words
  if (args.flag('json')) {
    printJson(
      topic === 'events' ? EVENTS : topic === undefined ? shown().map(asJson) : asJson(findCommand(topic)),
    )
    return 0
  }
  print(topic === undefined ? overview() : topic === 'events' ? events() : one(topic))
  return 0
}

function shown(): Command[] {
  return Object.values(COMMANDS).filter((command) => !command.hidden)
}

function asJson({ name, words, summary, options }: Command) {
  return { name, words, summary, options: { ...options, ...COMMON_OPTIONS } }
}

function overview(): string {
  const paint = painter(1)
  const commands = shown()
  const heads = commands.map((command) => [command.name, ...command.words].join(' '))
  const width = Math.max(...heads.map((head) => head.length))
  const rows = commands.map((command, i) => `  ${paint.bold(heads[i]!.padEnd(width))}  ${command.summary}`)
  return `crosshook: one hook runtime for every AI agent\n\nUsage: crosshook COMMAND …\n\n${rows.join('\n')}\n\nMore: crosshook help COMMAND, crosshook help events\n`
}

function one(name: string): string {
  const command = findCommand(name)
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS })
  const heads = options.map(
    ([option, { value, short }]) =>
      `${short ? `-${short}, ` : ''}--${option}${value === undefined ? '' : ` ${value}`}`,
  )
  const width = Math.max(...heads.map((head) => head.length))
  const rows = options.map(
    ([, { text, multiple }], i) => `  ${heads[i]!.padEnd(width)}  ${text}${multiple ? ' (repeatable)' : ''}`,
  )
  return `Usage: crosshook ${[command.name, ...command.words].join(' ')} [options]\n\n${command.summary}\n\n${rows.join('\n')}\n`
}

function events(): string {
  const width = Math.max(...EVENT_NAMES.map((name) => name.length))
  const rows = EVENT_NAMES.map(
    (name) => `  ${name.padEnd(width)}  ${Object.keys(EVENTS[name].fields).join(', ')}`,
  )
  return `Events and their own fields (every event also has timestamp, session_id, work_dir, context):\n\n${rows.join('\n')}\n\nNames of other systems (PreToolUse, pre_tool_use, preToolUse, …) are understood too.\n`
}
