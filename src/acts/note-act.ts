/** Notes acts: once for each path that an effect is about, with what follows from them. */

import type { Act, Place } from '../spec/act.ts'
import { isDisguised } from './disguised-hosts.ts'
import { hostOf, isMetadataHost } from './hosts.ts'
import { type Located, locate } from './locate.ts'
import { locatePaths } from './locate-paths.ts'
import { noteFoundGuards, noteHeld } from './note-below.ts'
import type { ActEffect } from './program.ts'
import { note, type Run, short, spend } from './shell/followed-call.ts'
import { mergeFlows, NOTHING, type ShellState } from './shell/state.ts'
import type { Command } from './started-command.ts'
import type { Flow, Word } from './word.ts'
import { descriptor } from './written-files.ts'

const DISGUISED = { places: ['decoded'] as Place[], why: 'an address that leads elsewhere than it seems to' }

/** Notes an act, once for each path that it is about. */
export function noteAct(
  run: Run,
  state: ShellState,
  effect: ActEffect,
  command: Command | undefined,
): Located[] {
  if (run.commands)
    return effect.path === undefined
      ? []
      : locatePaths(
          run,
          state,
          typeof effect.path === 'string' ? { text: effect.path } : effect.path,
          effect.does,
        )
  const { does, why } = effect
  const hostText =
    effect.host === undefined ? undefined : typeof effect.host === 'string' ? effect.host : effect.host.text
  const host = hostText === undefined ? undefined : (hostOf(hostText) ?? hostText)
  const base: Act = {
    does,
    ...(host !== undefined && { host }),
    ...(command && { program: command.name, command: short(command.text) }),
    certain: effect.certain !== false && does !== 'unknown' && command?.isGuess !== true,
    ...(why !== undefined && { why }),
    ...(state.through.length > 0 && { through: [...state.through] }),
    ...(effect.place !== undefined && { places: [effect.place] }),
    ...(host !== undefined && isDisguised(host, hostText!) && DISGUISED),
    ...(effect.recursive && { recursive: true }),
  }
  if (effect.path === undefined) {
    note(run, base)
    derive(run, base)
    return []
  }
  const path = typeof effect.path === 'string' ? { text: effect.path } : effect.path
  // Looking at the disk is what costs most.
  if (!spend(run, path.glob ? 200 : 20)) return []
  const found = locatePaths(run, state, path, does, effect.recursive)
  if (does === 'read' || does === 'send') noteHeld(run, state, effect, path, command)
  if (does === 'write' || does === 'delete') noteFoundGuards(run, state, does, path, command)
  for (const each of found) {
    const own = effect.gentle ? withoutTop(each.places) : each.places
    const places = [...(effect.place === undefined ? [] : [effect.place]), ...own]
    const known = state.files.get(each.path)
    if (does === 'read' || does === 'send')
      for (const origin of known?.paths ?? [])
        places.push(
          ...locate(
            run.world,
            { text: origin },
            { cwd: state.cwd, does, recursive: false, isElsewhere: false, dotglob: false },
          ).flatMap((other) => other.places.filter((place) => place === 'secret')),
        )
    const act: Act = {
      ...base,
      path: each.path,
      ...(path.text !== each.path && { spelled: short(path.text) }),
      certain: base.certain && !each.isUnknown && !each.isGuess,
      ...(places.length > 0 && { places: [...new Set(places)] }),
    }
    note(run, act)
    derive(run, act)
  }
  return found
}

/** The project stays what it is. */
function withoutTop(places: readonly Place[]): readonly Place[] {
  return places.includes('project') ? places.filter((place) => place !== 'root') : places
}

/** Acts that follow from others: reading a secret reveals it, writing where the guards live changes them. */
export function derive(run: Run, act: Act): void {
  const { does, places = [] } = act
  if (
    (does === 'read' || does === 'send') &&
    (places.includes('secret') || (does === 'read' && places.includes('environment')))
  )
    note(run, { ...act, does: 'reveal_secret' })
  if (does === 'connect' && act.host !== undefined && isMetadataHost(act.host))
    note(run, {
      ...act,
      does: 'reveal_secret',
      places: ['secret'],
      why: 'the address that gives out the keys of the cloud account',
    })
  if (
    (does === 'write' || does === 'delete' || (does === 'connect' && act.path !== undefined)) &&
    places.includes('guard')
  )
    note(run, { ...act, does: 'change_guards' })
}

/** Notes that a path is read; gives what is in it. */
export function readPath(
  run: Run,
  state: ShellState,
  path: Word,
  command: Command | undefined,
  effect: Omit<ActEffect, 'does'> = {},
): Flow {
  const open = descriptor(path.text, state)
  if (open) return open
  let flow: Flow = NOTHING
  const found = noteAct(run, state, { ...effect, does: 'read', path }, command)
  for (const { path: each } of found) flow = mergeFlows(flow, state.files.get(each) ?? { paths: [each] })
  if (effect.place === 'environment') flow = mergeFlows(flow, { environment: true })
  return flow === NOTHING ? {} : flow
}

/** Notes that a path is written; gives the paths. */
export function writePath(
  run: Run,
  state: ShellState,
  path: Word,
  command: Command | undefined,
  effect: Omit<ActEffect, 'does'> = {},
): string[] {
  return noteAct(run, state, { ...effect, does: 'write', path }, command).map((each) => each.path)
}
