/** Acts on what lies below a path or is found by a search: our keys, secrets of the home folder, the guards. */

import type { Act, Does, Place } from '../spec/act.ts'
import { holdsGuards, holdsGuardsNamed } from './guard-places.ts'
import { heldBelow } from './held.ts'
import { absolute, normal } from './locate.ts'
import { locatePaths } from './locate-paths.ts'
import { derive } from './note-act.ts'
import { placesOf } from './places.ts'
import type { ActEffect, Effect } from './program.ts'
import { couldBeSecret } from './secret-files.ts'
import { note, type Run, short } from './shell/followed-call.ts'
import { hasPattern } from './shell/shell-pattern.ts'
import type { ShellState } from './shell/state.ts'
import type { Command } from './started-command.ts'
import type { Below, Word } from './word.ts'

/** What a search lists is written or deleted: `find ~ -name HOOK.md | xargs rm`. */
export function noteFoundGuards(
  run: Run,
  state: ShellState,
  does: Does,
  path: Word,
  command: Command | undefined,
): void {
  if (state.elsewhere !== undefined) return
  for (const { folder, name } of [...(path.below ?? []), ...(path.flow?.found ?? [])]) {
    const raw = absolute(run.world, folder, state.cwd)
    if (raw === null) continue
    const top = normal(raw)
    if (name !== undefined && couldBeSecret(name))
      noteFoundSecrets(run, state, { does, folder: top, name }, command)
    if (name === undefined ? !holdsGuards(run.world, top) : !holdsGuardsNamed(run.world, top, name)) continue
    note(run, {
      does: 'change_guards',
      path: top,
      ...(command && { program: command.name, command: short(command.text) }),
      certain: name !== undefined && !/[*?[]/.test(name) && command?.isGuess !== true,
      why: 'changes what a search finds, and files that guard are among it',
      ...(state.through.length > 0 && { through: [...state.through] }),
      places: ['guard'],
    })
  }
}

/** `find . -name '*.pem' | xargs cat`: their names tell what they are. */
function noteFoundSecrets(
  run: Run,
  state: ShellState,
  { does, folder, name }: { does: Does; folder: string; name: string },
  command: Command | undefined,
): void {
  const act: Act = {
    does,
    path: `${folder}/${name}`,
    ...(command && { program: command.name, command: short(command.text) }),
    certain: false,
    why: 'files of that name hold secrets',
    ...(state.through.length > 0 && { through: [...state.through] }),
    places: ['unknown', 'secret'],
  }
  note(run, act)
  derive(run, act)
}

/** Keys of ours and secrets of the home folder that go along when everything below a folder is read. */
export function noteHeld(
  run: Run,
  state: ShellState,
  effect: ActEffect,
  path: Word,
  command: Command | undefined,
): void {
  if (effect.search || state.elsewhere !== undefined) return
  const wholes: Below[] = [
    ...(path.below ?? []),
    ...(path.flow?.found ?? []),
    ...(effect.recursive && !path.unknown ? [{ folder: path.text }] : []),
  ]
  for (const { folder, name } of wholes) {
    const raw = absolute(run.world, folder, state.cwd)
    if (raw === null) continue
    if (name !== undefined && path.flow?.found && couldBeSecret(name))
      noteFoundSecrets(run, state, { does: effect.does, folder: normal(raw), name }, command)
    const isPattern = path.glob === true && folder === path.text && hasPattern(folder)
    const real = isPattern ? undefined : run.world.disk?.realpath(raw)
    const held = heldBelow(run.world, {
      path: real ?? normal(raw),
      glob: isPattern,
      dotglob: state.dotglob,
      ...(name !== undefined && { name }),
      ...(effect.without && { without: effect.without }),
    })
    for (const each of held) {
      const found: Act = {
        does: effect.does,
        path: each,
        spelled: short(path.text),
        ...(command && { program: command.name, command: short(command.text) }),
        certain: command?.isGuess !== true,
        why: 'it lies below what is read as a whole',
        ...(state.through.length > 0 && { through: [...state.through] }),
        places: [...new Set<Place>([...placesOf(run.world, each), 'secret'])],
      }
      note(run, found)
      derive(run, found)
    }
  }
}

/** Mounted over, linked to, handed to another program: where the guards are, that changes them. */
export function noteGuards(
  run: Run,
  state: ShellState,
  { guards: word, why, certain }: Extract<Effect, { guards: Word }>,
  command: Command,
): void {
  if (state.elsewhere !== undefined || word.text === '') return
  for (const { path, isUnknown, isGuess, places } of locatePaths(run, state, word, 'run'))
    if (isUnknown ? places.includes('guard') : holdsGuards(run.world, path))
      note(run, {
        does: 'change_guards',
        path,
        ...(word.text !== path && { spelled: short(word.text) }),
        program: command.name,
        command: short(command.text),
        certain: certain !== false && !isUnknown && !isGuess && !command.isGuess,
        why,
        ...(state.through.length > 0 && { through: [...state.through] }),
        places: ['guard'],
      })
}
