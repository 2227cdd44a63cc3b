/** `crosshook remove NAME`: takes away a hook that was added, if it is still as it came. */

import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readSource } from '../config/load.ts'
import { paths, projectHooks } from '../config/paths.ts'
import { openTrust } from '../config/trust.ts'
import { FOLDER_FORMAT } from '../dialects/list.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { didYouMean } from '../spec/nearest.ts'
import { ask, canAsk } from './ask.ts'
import { digestOf, readLock, writeLock } from './hook-lock.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { visible } from './visible.ts'

type State = 'unchanged' | 'changed' | 'not added' | 'gone'

interface Place {
  base: string
  hook: Hook | undefined
  folder: string
  state: State
}

export async function run(args: Arguments): Promise<number> {
  const [name] = args.words
  if (name === undefined)
    throw new CrosshookError('usage', 'which hook?', {
      fix: 'For example: crosshook remove git-guard',
    })
  const { base, hook, folder, state } = await find(name, args)
  await agree({ name, folder, state }, args)
  if (hook) openTrust(paths(args.env).state, false).untrust(hook)
  rmSync(folder, { recursive: true, force: true })
  const { [name]: _, ...rest } = readLock(base)
  writeLock(base, rest)
  if (args.flag('json')) printJson({ name, folder, state, removed: true })
  else print(`${painter(1).green('removed')} ${visible(name)} from ${shortPath(base)}\n`)
  return 0
}

async function find(name: string, args: Arguments): Promise<Place> {
  const bases = [
    ...(args.flag('project') ? [] : [paths(args.env).userHooks]),
    ...(args.flag('user') ? [] : [projectHooks(process.cwd())]),
  ]
  const known: string[] = []
  const places: Place[] = []
  for (const base of bases) {
    const lock = readLock(base)
    const hooks = await hooksIn(base)
    known.push(...Object.keys(lock), ...hooks.keys())
    const hook = hooks.get(name)
    // A hook that no longer validates is found by its folder.
    const folder = hook?.origin.dir ?? join(base, name)
    const pinned = lock[name]
    if (pinned === undefined && (dirname(folder) !== base || !existsSync(join(folder, 'HOOK.md')))) continue
    places.push({ base, hook, folder, state: stateOf(folder, pinned?.digest) })
  }
  const [place, other] = places
  if (other)
    throw new CrosshookError('usage', `"${name}" is a hook of yours and one of the project`, {
      fix: 'Say which with --user or --project.',
    })
  if (!place)
    throw new CrosshookError(
      'unknown_hook',
      `there is no hook "${name}" to remove.${didYouMean(name, known)}`,
    )
  return place
}

/** By the name in its HOOK.md, which need not be that of its folder. */
async function hooksIn(base: string): Promise<Map<string, Hook>> {
  if (!existsSync(base)) return new Map()
  const { hooks } = await readSource({ path: base, format: FOLDER_FORMAT }, 'source')
  return new Map(hooks.map((hook) => [hook.name, hook]))
}

function stateOf(folder: string, pinned: string | undefined): State {
  if (!existsSync(folder)) return 'gone'
  if (pinned === undefined) return 'not added'
  return digestOf({ origin: { file: '', dir: folder } }) === pinned ? 'unchanged' : 'changed'
}

async function agree(
  { name, folder, state }: { name: string; folder: string; state: State },
  args: Arguments,
): Promise<void> {
  if (state === 'unchanged' || state === 'gone' || args.flag('yes')) return
  const why =
    state === 'changed'
      ? `${visible(name)} was changed since it was added, and the changes would be lost`
      : `${visible(name)} was not added by \`crosshook add\`, so there may be no other copy of it`
  if (!canAsk() || args.flag('json'))
    throw new CrosshookError('refused', why, {
      fix: `To delete ${shortPath(folder)} all the same, say --yes.`,
    })
  if (!(await ask(`${why}. Delete ${shortPath(folder)}?`)))
    throw new CrosshookError('refused', `${visible(name)} was left as it is`, { fix: 'You said no.' })
}
