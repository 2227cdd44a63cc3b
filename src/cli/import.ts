/** `crosshook import AGENT`: makes that agent's own hooks run in every other agent, or copies them as hook folders. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatFiles, readSource } from '../config/load.ts'
import { paths, projectHooks } from '../config/paths.ts'
import { loadDialect } from '../dialects/list.ts'
import { lineDiff } from '../host/line-diff.ts'
import { addSource } from '../install/add-source.ts'
import { type Copied, copyHook } from '../install/copy-hook.ts'
import { writeBytes } from '../install/settings-bytes.ts'
import type { Dialect } from '../spec/dialect.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook, Loaded } from '../spec/hook.ts'
import { matcherWords } from '../spec/matcher.ts'
import { readText } from '../spec/read-file.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { plural, print, printAsIs, printJson, warn } from './print.ts'
import { placeWords, shortPath } from './problem-words.ts'
import { brief, columns } from './table.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const [id] = args.words
  if (id === undefined)
    throw new CrosshookError('usage', 'which agent?', { fix: 'Run `crosshook agents` for the names.' })
  const dialect = await loadDialect(id)
  if (!dialect.format || !dialect.agent)
    throw new CrosshookError(
      'unknown_agent',
      `${dialect.title} has no hooks of its own that could be imported`,
    )
  return args.flag('copy') ? copyAll(args, dialect) : addToSources(args, dialect)
}

/** The files stay where they are and also run in the other agents. */
async function addToSources(args: Arguments, { id, title }: Dialect): Promise<number> {
  const { settings, home } = paths(args.env)
  const found = merge([await hooksOf(id, home, 'user'), await hooksOf(id, process.cwd(), 'project')])
  const text = existsSync(settings) ? readText(settings) : ''
  const edited = addSource(text, id, settings)
  const isDry = args.flag('dry-run')
  if (edited !== undefined && !isDry) writeBytes(settings, Buffer.from(edited), 0o600)
  for (const problem of found.problems) warn(`${placeWords(problem)}: ${problem.message}`)
  if (args.flag('json')) {
    const hooks = found.hooks.map(({ name, events, scope, origin }) => ({
      name,
      events,
      scope,
      file: origin.file,
    }))
    printJson({ format: id, settings, changed: edited !== undefined, dry_run: isDry, hooks })
    return 0
  }
  if (edited === undefined) print(`${title}'s hooks are imported already.\n`)
  else if (isDry)
    print(
      `${[`--- ${shortPath(settings)}`, `+++ ${shortPath(settings)}`, ...lineDiff(text, edited)].join('\n')}\n`,
    )
  else print(`Added ${id} to the sources in ${shortPath(settings)}.\n`)
  print(
    `\n${table(found.hooks)}\n${title} goes on running them by itself; crosshook runs them, as they are, in every other agent.\n`,
  )
  if (found.hooks.some(({ scope }) => scope === 'project'))
    print('Those of a project run after you have looked at them: `crosshook trust`.\n')
  return 0
}

/** Copies them, for people who leave the agent's format. */
async function copyAll(args: Arguments, { id, title, tools }: Dialect): Promise<number> {
  const isProject = args.flag('project')
  const { home, userHooks } = paths(args.env)
  const level = isProject ? 'project' : 'user'
  const { hooks } = await hooksOf(id, isProject ? process.cwd() : home, level)
  const base = isProject ? projectHooks(process.cwd()) : userHooks
  const done: (Copied & { file: string })[] = []
  let left = 0
  for (const [index, hook] of hooks.entries()) {
    const copied = copyHook(hook, nameFor(id, hook, index), tools)
    if (typeof copied === 'string') {
      left++
      warn(`${hook.name} is left out: ${copied}`)
      continue
    }
    const file = join(base, copied.name, 'HOOK.md')
    if (existsSync(file)) throw new CrosshookError('exists', `${shortPath(file)} is there already`)
    done.push({ ...copied, file })
  }
  for (const { file, text } of args.flag('dry-run') ? [] : done) {
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text, { flag: 'wx' })
  }
  if (args.flag('json'))
    printJson({
      format: id,
      dry_run: args.flag('dry-run'),
      left_out: left,
      files: done.map(({ file }) => file),
    })
  else if (args.flag('dry-run'))
    printAsIs(done.map(({ file, text }) => `+++ ${shortPath(file)}\n${visible(text)}\n`).join(''))
  else
    print(
      `${done.map(({ file }) => `${painter(1).green('made')} ${shortPath(file)}\n`).join('')}` +
        `${plural(done.length, 'hook')} of ${title} copied. Their programs are now told of events in the words of a HOOK.md ` +
        '(the tool is "Shell", not "Bash"), and may answer with exit code 2 and a reason on stderr, or with an outcome as JSON: ' +
        `answers in the words of ${title} are not understood. Look at each, try it with \`crosshook fire\`, ` +
        `and take the old entries out of ${title}'s settings.\n`,
    )
  return left === 0 ? 0 : 1
}

async function hooksOf(id: string, base: string, level: 'user' | 'project'): Promise<Loaded> {
  const files = await formatFiles(id, base, level, {})
  return merge(await Promise.all(files.map((path) => readSource({ path, format: id }, level))))
}

function merge(all: readonly Loaded[]): Loaded {
  return { hooks: all.flatMap(({ hooks }) => hooks), problems: all.flatMap(({ problems }) => problems) }
}

function nameFor(id: string, hook: Hook, index: number): string {
  const event = (hook.native_event ?? hook.events[0] ?? '').replace(/(?<=[a-z])(?=[A-Z])/g, '-')
  return `${id}-${event}-${index + 1}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
}

function table(hooks: readonly Hook[]): string {
  if (hooks.length === 0) return 'It has no hooks at present; those that come will be found.\n'
  return columns(
    hooks.map((hook) => [
      brief(hook.name, 60),
      hook.events.map(visible).join(', '),
      brief(matcherWords(hook.matcher), 40),
      hook.scope,
    ]),
  )
}
