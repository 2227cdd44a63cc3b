/** `crosshook list` */

import { confinementLevel } from '../executors/confine/level.ts'
import { assemble } from '../host/assemble.ts'
import { type Broken, brokenJson, findHooks, type HookRow, rowJson } from '../host/hook-rows.ts'
import { hearingOf, wiredAgents } from '../install/hearing.ts'
import { matcherWords } from '../spec/matcher.ts'
import { givenSources } from './event-arguments.ts'
import type { Arguments } from './options.ts'
import { type Painter, painter } from './paint.ts'
import { plural, print, printJson, warn } from './print.ts'
import { placeWords, shortPath } from './problem-words.ts'
import { registeredHooks } from './registered-hooks.ts'
import { brief, columns } from './table.ts'
import { visible } from './visible.ts'

export async function run(args: Arguments): Promise<number> {
  const sources = givenSources(args)
  const workDir = process.cwd()
  const runtime = assemble({ env: args.env, source: 'cli', ...(sources ? { sources } : {}) })
  const set = await runtime.hookSet(workDir)
  const { rows, broken, other } = await findHooks(runtime, set, workDir)
  await runtime.close()
  if (!sources) rows.push(...(await registeredRows(args.env)))
  for (const problem of other) warn(`${placeWords(problem)}: ${problem.message}`)
  if (args.flag('json')) printJson([...rows.map(rowJson), ...broken.map(brokenJson)])
  else print(table(rows, broken, painter(1)) + (await unheard(rows, args.env, painter(1))))
  return 0
}

/** Events that hooks listen to, and that an agent which crosshook is installed in does not tell of itself. */
async function unheard(rows: readonly HookRow[], env: NodeJS.ProcessEnv, paint: Painter): Promise<string> {
  const events = [...new Set(rows.flatMap(({ hook }) => hook.events))].filter((event) => !event.includes('/'))
  const agents = events.length > 0 ? await wiredAgents(env) : []
  const lines = events.flatMap((event) => {
    const titles = (how: string) =>
      agents.flatMap(({ title, dialect }) => (hearingOf(dialect, event).how === how ? [title] : []))
    const [derived, never] = [titles('derived'), titles('never')]
    const parts = [
      ...(derived.length > 0 ? [`derived from the transcript in ${derived.join(', ')}`] : []),
      ...(never.length > 0 ? [`unknown to ${never.join(', ')}, where hooks for it do not run`] : []),
    ]
    return parts.length > 0 ? [`${paint.yellow('note:')} ${event} is ${parts.join(', and ')}\n`] : []
  })
  return lines.length > 0 ? `\n${lines.join('')}` : ''
}

/** Hooks that programs have registered at the running daemon. */
async function registeredRows(env: NodeJS.ProcessEnv): Promise<HookRow[]> {
  const hooks = await registeredHooks(env)
  return hooks.map((hook) => ({ hook, trust: null, barred: null, problems: [], replaces: [] }))
}

function table(rows: readonly HookRow[], broken: readonly Broken[], paint: Painter): string {
  if (rows.length + broken.length === 0)
    return 'No hooks were found for this folder.\nStart one with `crosshook new NAME`, or look at `crosshook help`.\n'
  const most = widthsFor(process.stdout.columns)
  const head = ['NAME', 'EVENT', 'WHEN', 'SCOPE', 'FORMAT', 'TRUST', 'WHAT IT IS FOR'].map(paint.dim)
  const body = rows.map((row) => [
    paint.bold(brief(row.hook.name, most.name)),
    row.hook.events.map(visible).join(', '),
    brief(matcherWords(row.hook.matcher), most.when),
    row.hook.scope,
    row.hook.format,
    trustWords(row, paint),
    brief(row.hook.description ?? '', most.about),
  ])
  const bad = broken.map(({ name }) => [
    paint.bold(brief(name, 40)),
    '—',
    '—',
    '—',
    '—',
    '—',
    paint.red('does not load'),
  ])
  const lines = [head, ...body, ...bad].map((cells) =>
    cells.filter((_, at) => at !== FORMAT || most.hasFormat),
  )
  return columns(lines) + notes(rows, broken, paint)
}

/** The first column to be left out. */
const FORMAT = 4
/** Columns needed for events, scope, format and trust. */
const FIXED = 62

/** Column widths: names, conditions and descriptions shrink, and on a narrow terminal the format is left out. */
function widthsFor(columns: number | undefined) {
  if (!columns || columns >= FIXED + 140) return { name: 40, when: 40, about: 60, hasFormat: true }
  const hasFormat = columns >= 130
  const free = Math.max(36, columns - FIXED + (hasFormat ? 0 : 12))
  return {
    name: Math.max(12, Math.floor(free / 3)),
    when: Math.max(10, Math.floor(free / 4)),
    about: Math.max(12, Math.floor(free / 3)),
    hasFormat,
  }
}

function trustWords({ trust }: HookRow, paint: Painter): string {
  if (trust === null) return '—'
  return trust === 'trusted' ? paint.green(trust) : paint.yellow(trust)
}

const BARRED: Partial<Record<NonNullable<HookRow['barred']>, string>> = {
  disabled: 'is switched off in the settings',
  overridden: 'is overridden: a hook of the same name takes its place',
}

/** Notes about these hooks, below the table. */
function notes(rows: readonly HookRow[], broken: readonly Broken[], paint: Painter): string {
  const lines: string[] = []
  for (const { hook, barred } of rows) {
    const words = barred === null ? undefined : BARRED[barred]
    if (words) lines.push(`${paint.yellow('note:')} ${visible(hook.name)} (${hook.scope}) ${words}`)
  }
  for (const { hook } of rows)
    if (hook.shadow)
      lines.push(
        `${paint.yellow('note:')} ${visible(hook.name)} (${hook.scope}) is in shadow: it decides nothing until \`crosshook enforce ${visible(hook.name)}\``,
      )
  for (const { hook, trust, replaces } of rows)
    for (const other of replaces)
      lines.push(
        trust === 'trusted'
          ? `${paint.red('note:')} ${visible(hook.name)} of this project REPLACES your hook ${visible(other.name)} (${shortPath(other.origin.file)}), which does not run here`
          : `${paint.yellow('note:')} ${visible(hook.name)} of this project would replace your hook ${visible(other.name)} (${shortPath(other.origin.file)}) if you trusted it`,
      )
  for (const problem of [...rows, ...broken].flatMap(({ problems }) => problems)) {
    const level = problem.level === 'error' ? paint.red('error:') : paint.yellow('warning:')
    lines.push(`${level} ${placeWords(problem)}: ${visible(problem.message)}`)
  }
  const confined = rows.filter(({ hook }) => hook.sandbox && hook.run.type === 'command')
  const level = confined.length > 0 ? confinementLevel() : undefined
  if (level && !level.confines)
    lines.push(
      `${paint.red('error:')} ${confined.map(({ hook }) => visible(hook.name)).join(', ')} would not run: it asks to be confined, and ${level.words}`,
    )
  const waiting = rows.filter(({ trust }) => trust === 'untrusted' || trust === 'changed')
  if (broken.length > 0) lines.push('How to fix it: `crosshook validate`.')
  if (waiting.length > 0)
    lines.push(
      `${plural(waiting.length, 'project hook')} will not run before you have looked at ${waiting.length === 1 ? 'it' : 'them'}: \`crosshook trust\`.`,
    )
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`
}
