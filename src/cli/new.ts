/** `crosshook new NAME`: creates a hook with passing cases, plain or from a template. */

import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { paths, projectHooks } from '../config/paths.ts'
import { confinementLevel } from '../executors/confine/level.ts'
import { eventName } from '../pipeline/decode/complete-event.ts'
import { CrosshookError } from '../spec/errors.ts'
import { nearest } from '../spec/nearest.ts'
import { LANGUAGES, type NewFile, scaffold } from './new-files.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { columns } from './table.ts'

export async function run(args: Arguments): Promise<number> {
  if (args.flag('templates')) return listTemplates(args)
  const name = checkName(args.words[0])
  const event = eventName(args.value('trigger') ?? 'before_tool')
  const language = checkLanguage(args.value('lang') ?? 'sh')
  if (args.flag('project') && args.flag('user'))
    throw new CrosshookError('usage', 'a hook belongs to the project or to you, not to both', {
      fix: 'Leave out --project or --user.',
    })
  const base = args.flag('user') ? paths(args.env).userHooks : projectHooks(process.cwd())
  const folder = join(base, name)
  if (existsSync(folder))
    throw new CrosshookError('exists', `${shortPath(folder)} is there already`, {
      fix: 'Choose another name, or remove the folder first.',
    })
  const template = args.value('template')
  const files =
    template === undefined
      ? scaffold({ name, event, language, confined: confinementLevel().confines })
      : await fromTemplate(template, name, args)
  for (const { path, text, executable } of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: 'wx' })
    if (executable) chmodSync(file, 0o755)
  }
  const made = files.map(({ path }) => join(folder, path))
  if (args.flag('json'))
    printJson({ name, event, folder, files: made, ...(template === undefined ? {} : { template }) })
  else print(nextSteps(name, made, args.flag('user')))
  return 0
}

async function listTemplates(args: Arguments): Promise<number> {
  const { listShelf } = await import('../builder/shelf.ts')
  const rows = await listShelf('templates')
  if (args.flag('json')) printJson(rows)
  else {
    const paint = painter(1)
    print(
      columns(rows.map(({ name, event, description }) => [paint.bold(name), paint.dim(event), description])),
    )
    print('\ncrosshook new NAME --template TEMPLATE makes a hook of your own of one of them.\n')
  }
  return 0
}

/** The template under another name, without its metadata as a template. */
async function fromTemplate(template: string, name: string, args: Arguments): Promise<NewFile[]> {
  for (const option of ['trigger', 'lang'])
    if (args.value(option) !== undefined)
      throw new CrosshookError('usage', `--${option} and --template do not go together`, {
        fix: 'A template says itself when it runs and in which language.',
      })
  const { templateFiles } = await import('../builder/template.ts')
  return templateFiles(template, name)
}

function nextSteps(name: string, made: readonly string[], isUser: boolean): string {
  const paint = painter(1)
  const steps = [
    [`crosshook test ${name}`, 'runs its cases'],
    ...(isUser ? [] : [[`crosshook trust ${name}`, 'lets it run; asks again after each change']]),
    ['crosshook list', 'shows it beside the others'],
  ] as const
  return [
    'Made:',
    ...made.map((file) => `  ${shortPath(file)}`),
    '',
    'Next: write your rule into the script, your cases into cases.yaml, then',
    ...steps.map(([command, what]) => `  ${paint.bold(command.padEnd(16 + name.length))}  ${what}`),
    '',
  ].join('\n')
}

/** Stricter than the format: the name is also a folder and a word on the command line. */
function checkName(name: string | undefined): string {
  if (name === undefined)
    throw new CrosshookError('usage', 'what is its name?', {
      fix: 'For example: crosshook new no-force-push',
    })
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 64)
    throw new CrosshookError('usage', `"${name}" cannot be the name of a hook`, {
      fix: `Use at most 64 small letters, digits and single hyphens${suggestion(name)}.`,
    })
  return name
}

function suggestion(name: string): string {
  const tame = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64)
  return tame === '' ? '' : `, such as ${tame}`
}

function checkLanguage(word: string): keyof typeof LANGUAGES {
  if (Object.hasOwn(LANGUAGES, word)) return word as keyof typeof LANGUAGES
  const close = nearest(word, Object.keys(LANGUAGES))
  throw new CrosshookError(
    'usage',
    `--lang ${word}: unknown language.${close ? ` Did you mean "${close}"?` : ''}`,
    {
      fix: `Known are: ${Object.keys(LANGUAGES).join(', ')}.`,
    },
  )
}
