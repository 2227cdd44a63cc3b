/** `crosshook help [COMMAND|TOPIC]` */

import { readFileSync } from 'node:fs'
import { CrosshookError } from '../spec/errors.ts'
import { EVENTS } from '../spec/event.ts'
import { didYouMean } from '../spec/nearest.ts'
import { COMMON_OPTIONS, type Command } from './command-row.ts'
import { COMMANDS } from './commands.ts'
import type { Page } from './help-pages.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printAsIs, printJson } from './print.ts'

/** Width of the output without a terminal. */
const PLAIN_WIDTH = 100

export async function run(args: Arguments): Promise<number> {
  const [topic] = args.words
  const isJson = args.flag('json')
  const command = topic === undefined ? undefined : commandNamed(topic)
  if (topic === undefined) {
    if (isJson) printJson(shown().map(asJson))
    else print(overview(await pages()))
  } else if (command && args.words.length === 1) {
    if (isJson) printJson(asJson(command))
    else print(one(command) + moreOn(topic, await pages()))
  } else await showPage(topic === 'page' ? (args.words[1] ?? '') : topic, isJson)
  return 0
}

async function pages(): Promise<Page[]> {
  return (await import('./help-pages.ts')).helpPages()
}

async function showPage(topic: string, isJson: boolean): Promise<void> {
  const { pageWords } = await import('./help-pages.ts')
  const known = await pages()
  const page = known.find((each) => each.topic === topic.toLowerCase().replace('.', '-'))
  if (!page) {
    const names = [...shown().map(({ name }) => name), ...known.map((each) => each.topic)]
    throw new CrosshookError(
      'usage',
      `no command and no topic is called "${topic}".${didYouMean(topic, names)}`,
    )
  }
  if (!isJson) printAsIs(pageWords(page.file, painter(1), process.stdout.columns || PLAIN_WIDTH))
  else if (topic === 'events') printJson(EVENTS)
  else printJson({ topic, title: page.title, text: readFileSync(page.file, 'utf8') })
}

function commandNamed(name: string): Command | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
}

function shown(): Command[] {
  return Object.values(COMMANDS).filter((command) => !command.hidden)
}

function asJson({ name, words, summary, options }: Command) {
  return { name, words, summary, options: { ...options, ...COMMON_OPTIONS } }
}

function overview(known: readonly Page[]): string {
  const paint = painter(1)
  const commands = shown()
  const heads = commands.map((command) => [command.name, ...command.words].join(' '))
  const width = Math.min(28, Math.max(...heads.map((head) => head.length)))
  const rows = commands.map((command, i) => `  ${paint.bold(heads[i]!.padEnd(width))}  ${command.summary}`)
  const topics = known.map(
    ({ topic, title }) =>
      `  ${paint.bold((commandNamed(topic) ? `page ${topic}` : topic).padEnd(width))}  ${title}`,
  )
  return `crosshook: one hook runtime for every AI agent

Usage: crosshook COMMAND …

Begin: crosshook setup (guards for the agents on this machine)
Write: crosshook new NAME, crosshook validate, crosshook test NAME, crosshook trust NAME, crosshook install

${rows.join('\n')}

Topics (crosshook help TOPIC):
${topics.join('\n')}

More: crosshook help COMMAND
`
}

/** A page may have the same name as a command. */
function moreOn(name: string, known: readonly Page[]): string {
  return known.some(({ topic }) => topic === name) ? `\nMore: crosshook help page ${name}\n` : ''
}

function one(command: Command): string {
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
