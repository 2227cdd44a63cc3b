/** The files that a word of a command means at this point of the line. */

import type { Does } from '../spec/act.ts'
import { absolute, type Located, locate, normal } from './locate.ts'
import type { Run } from './shell/followed-call.ts'
import type { ShellState } from './shell/state.ts'
import type { Word } from './word.ts'
import { throughLinks } from './written-files.ts'

export function folderOf(run: Run, state: ShellState, folder: Word): string | null {
  const [found] = locatePaths(run, state, folder, 'run')
  return found && !found.isUnknown ? found.path : null
}

export function locatePaths(
  run: Run,
  state: ShellState,
  path: Word,
  does: Does,
  recursive = false,
): Located[] {
  if (run.commands) return withoutPlaces(run, state, path)
  return locate(run.world, throughLinks(run, state, path), {
    cwd: state.cwd,
    does,
    recursive,
    isElsewhere: state.elsewhere !== undefined,
    dotglob: state.dotglob,
    shell: state,
  })
}

/** Enough to tell which files the line itself wrote. */
function withoutPlaces(run: Run, state: ShellState, path: Word): Located[] {
  if (path.unknown || path.text === '' || path.text === '-' || path.text.startsWith('/dev/')) return []
  const raw = absolute(run.world, throughLinks(run, state, path).text, state.cwd)
  return raw === null ? [] : [{ path: normal(raw), places: [] }]
}
