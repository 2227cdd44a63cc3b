/** State while one call is followed: what was found, and the remaining budget. */

import type { Act } from '../../spec/act.ts'
import { cutShort } from '../cut.ts'
import type { ProgramTable } from '../program.ts'
import type { World } from '../world.ts'
import type { ShellState } from './state.ts'

export interface Run {
  parser: typeof import('unbash')
  programs: ProgramTable
  world: World
  found: Map<string, Act>
  /** Remaining steps, so that no input takes long. */
  steps: number
  /** When to stop at the latest, by `clock()`: steps differ in what they cost. */
  deadline: number
  depth: number
  /** Above 0 while stages of a pipeline or background jobs are followed. */
  parallel: number
}

export const MOST_STEPS = 60_000
/** Milliseconds of work. A usual line takes less than one. */
export const LONGEST_TIME = 60
export const MOST_ACTS = 2_000
export const DEEPEST = 24

/** CPU time of this thread in milliseconds, so that a busy machine makes no line unknown. Older Node versions only have a clock. */
export function clock(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** False when the budget is used up. */
export function spend(run: Run, steps: number): boolean {
  if (run.steps <= 0) return false
  run.steps -= steps
  if (run.steps > 0 && ((steps < 16 && (run.steps & 15) !== 0) || clock() < run.deadline)) return true
  run.steps = 0
  cutShort('too much to follow')
  return false
}

export function note(run: Run, act: Act): void {
  const key = `${act.does}\0${act.path ?? ''}\0${act.host ?? ''}\0${act.command ?? ''}\0${act.why ?? ''}\0${act.places?.join() ?? ''}`
  const known = run.found.get(key)
  if (known) {
    if (act.certain && !known.certain) known.certain = true
    return
  }
  if (run.found.size < MOST_ACTS) run.found.set(key, act)
  else cutShort(`more than ${MOST_ACTS} acts`)
}

export function noteForkBomb(run: Run, why: string, command: string): void {
  note(run, {
    does: 'kill',
    certain: true,
    why: `${why} again and again: a fork bomb`,
    places: ['machine'],
    command: short(command),
  })
}

export function noteUnknown(run: Run, state: ShellState, why: string, command?: string): void {
  note(run, {
    does: 'unknown',
    certain: false,
    why,
    ...(command !== undefined && { command: short(command) }),
    ...(state.through.length > 0 && { through: [...state.through] }),
  })
}

const LONGEST_SHOWN = 400

export function short(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}
