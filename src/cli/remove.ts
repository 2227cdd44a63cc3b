/** `crosshook remove NAME`: removes a hook, or all hooks of a pack, unless they were edited. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Paths, paths, projectHooks } from '../config/paths.ts'
import { openTrust } from '../config/trust.ts'
import { type Changes, change, finishChange } from '../packs/change.ts'
import { folderDigest, type Lock, readLock } from '../packs/lock-file.ts'
import { openKeyRing } from '../packs/trusted-keys.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { didYouMean } from '../spec/nearest.ts'
import { ask, canAsk } from './ask.ts'
import { hooksIn } from './hooks-in.ts'
import type { Arguments } from './options.ts'
import { painter } from './paint.ts'
import { print, printJson } from './print.ts'
import { shortPath } from './problem-words.ts'
import { visible } from './visible.ts'

type State = 'unchanged' | 'changed' | 'not added' | 'gone'

interface Place {
  name: string
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
  const bases = [
    ...(args.flag('project') ? [] : [paths(args.env).userHooks]),
    ...(args.flag('user') ? [] : [projectHooks(process.cwd())]),
  ]
  for (const base of bases) await finishChange(base)
  const places = await findPlaces(name, bases)
  for (const place of places) await agree(place, args)
  const [{ base }] = places as [Place]
  await take(places, base, paths(args.env))
  forgetPack(name, bases, args)
  if (args.flag('json')) {
    const done = places.map(({ name: each, folder, state }) => ({ name: each, folder, state, removed: true }))
    printJson(name.includes('/') ? done : done[0])
  } else
    for (const each of places)
      print(`${painter(1).green('removed')} ${visible(each.name)} from ${shortPath(base)}\n`)
  return 0
}

/**
 * Removes those hooks of a person, in one change, of which the lock file has an equal copy; the others stay. Returns why,
 * by name.
 */
export async function removeUnchanged(names: readonly string[], where: Paths): Promise<Map<string, string>> {
  const { userHooks: base } = where
  await finishChange(base)
  const lock = readLock(base)
  const hooks = await hooksIn(base)
  const places = names.flatMap((name) => placeOf(name, base, lock, hooks))
  const kept = new Map(names.map((name) => [name, 'there is no hook in its folder']))
  for (const place of places)
    if (isReplaceable(place)) kept.delete(place.name)
    else kept.set(place.name, wouldBeLost(place))
  const taken = places.filter(isReplaceable)
  if (taken.length > 0) await take(taken, base, where)
  return kept
}

async function take(places: readonly Place[], base: string, where: Paths): Promise<void> {
  const trust = openTrust(where.state, false)
  for (const { hook } of places) if (hook) trust.untrust(hook)
  await change(base, takeAway(places, readLock(base)))
}

/** A pack without hooks is removed; a pack that lost some keeps the others. */
function takeAway(places: readonly Place[], { hooks, packs }: Lock): Changes {
  const take = places.map(({ name, folder, base }) =>
    dirname(folder) === base ? folder.slice(base.length + 1) : name,
  )
  const names = new Set(places.map(({ name }) => name))
  const changed: NonNullable<Changes['packs']> = {}
  const dropPacks: string[] = []
  for (const pack of new Set(places.flatMap(({ name }) => hooks[name]?.pack ?? []))) {
    const rest = Object.entries(hooks).filter(([name, locked]) => locked.pack === pack && !names.has(name))
    const before = packs[pack]
    if (rest.length === 0) dropPacks.push(pack)
    else if (before)
      changed[pack] = {
        ...before,
        only: rest.map(([name, { renamed }]) => renamed ?? name).sort(),
        rights: Object.fromEntries(rest.map(([name]) => [name, before.rights[name] ?? []])),
      }
  }
  return { take: [...new Set([...take, ...names])], packs: changed, dropPacks }
}

/** A pack's key stays pinned while a copy of it is installed: a later pack of that name must have the same key. */
function forgetPack(name: string, bases: readonly string[], args: Arguments): void {
  if (!args.flag('forget-key')) return
  if (bases.some((base) => Object.hasOwn(readLock(base).packs, name))) return
  openKeyRing(paths(args.env).state).unpin(name)
}

async function findPlaces(name: string, bases: readonly string[]): Promise<Place[]> {
  const known: string[] = []
  const found: Place[][] = []
  for (const base of bases) {
    const lock = readLock(base)
    const hooks = await hooksIn(base)
    known.push(...Object.keys(lock.hooks), ...hooks.keys(), ...Object.keys(lock.packs))
    const names = Object.hasOwn(lock.packs, name)
      ? Object.keys(lock.hooks).filter((each) => lock.hooks[each]!.pack === name)
      : [name]
    const places = names.flatMap((each) => placeOf(each, base, lock, hooks))
    if (places.length > 0) found.push(places)
  }
  const [first, other] = found
  if (other)
    throw new CrosshookError('usage', `"${name}" is a hook of yours and one of the project`, {
      fix: 'Say which with --user or --project.',
    })
  if (!first)
    throw new CrosshookError(
      'unknown_hook',
      `there is no hook "${name}" to remove.${didYouMean(name, known)}`,
    )
  return first
}

function placeOf(name: string, base: string, lock: Lock, hooks: ReadonlyMap<string, Hook>): Place[] {
  const hook = hooks.get(name)
  // A hook that no longer validates is found by its folder.
  const folder = hook?.origin.dir ?? join(base, name)
  const pinned = lock.hooks[name]
  if (pinned === undefined && (dirname(folder) !== base || !existsSync(join(folder, 'HOOK.md')))) return []
  return [{ name, base, hook, folder, state: stateOf(folder, pinned?.digest) }]
}

function stateOf(folder: string, pinned: string | undefined): State {
  if (!existsSync(folder)) return 'gone'
  if (pinned === undefined) return 'not added'
  return folderDigest(folder) === pinned ? 'unchanged' : 'changed'
}

/** Nothing is lost with it: it can be added again. */
function isReplaceable({ state }: Place): boolean {
  return state === 'unchanged' || state === 'gone'
}

function wouldBeLost({ name, state }: Place): string {
  return state === 'changed'
    ? `${visible(name)} was changed since it was added, and the changes would be lost`
    : `${visible(name)} was not added by \`crosshook add\`, so there may be no other copy of it`
}

async function agree(place: Place, args: Arguments): Promise<void> {
  const { name, folder } = place
  if (isReplaceable(place) || args.flag('yes')) return
  const why = wouldBeLost(place)
  if (!canAsk() || args.flag('json'))
    throw new CrosshookError('refused', why, {
      fix: `To delete ${shortPath(folder)} all the same, say --yes.`,
    })
  if (!(await ask(`${why}. Delete ${shortPath(folder)}?`)))
    throw new CrosshookError('refused', `${visible(name)} was left as it is`, { fix: 'You said no.' })
}
