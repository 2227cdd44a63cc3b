/** State while one call is followed: what was found, and the remaining budget. */

import * as parser from 'unbash'
import type { Act } from '../../spec/act.ts'
import { cutShort } from '../cut.ts'
import type { ProgramTable } from '../program.ts'
import type { SimpleCommand, Word } from '../word.ts'
import type { World } from '../world.ts'
import type { ShellState } from './state.ts'

export interface Run {
  parser: typeof import('unbash')
  programs: ProgramTable
  world: World
  found: Map<string, Act>
  /** By text, where only the commands are wanted: then no act is noted, and no place looked at. */
  commands?: Map<string, SimpleCommand>
  /** Remaining steps, so that no input takes long. */
  steps: number
  /** When it has taken long, by `now()`: steps differ in what they cost. */
  until: number
  /** From then on: when to stop, by `clock()`. */
  deadline?: number
  depth: number
  /** Above 0 while stages of a pipeline or background jobs are followed. */
  parallel: number
}

const MAX_STEPS = 60_000
/** Milliseconds of work. A usual line takes less than one. */
const MAX_TIME_MS = 50
/** Of CPU time that is left when that time has passed: a busy machine makes no line unknown. */
const LEFT_TIME_MS = 50
export const MAX_ACTS = 2_000
export const MAX_COMMANDS = 50_000
export const MAX_DEPTH = 24

export function newRun(programs: ProgramTable, world: World): Run {
  return {
    parser,
    programs,
    world,
    found: new Map(),
    steps: MAX_STEPS,
    until: now() + MAX_TIME_MS,
    depth: 0,
    parallel: 0,
  }
}

/** CPU time of this thread in milliseconds: it takes the system longer to tell than the time. Older Node versions only have a clock. */
function clock(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** False when the budget is used up. */
export function spend(run: Run, steps: number): boolean {
  if (run.steps <= 0) return false
  run.steps -= steps
  if (run.steps > 0 && ((steps < 16 && (run.steps & 15) !== 0) || !isLate(run))) return true
  run.steps = 0
  cutShort('too much to follow')
  return false
}

/** Milliseconds. */
function now(): number {
  const time = process.hrtime()
  return time[0] * 1000 + time[1] / 1e6
}

function isLate(run: Run): boolean {
  if (run.deadline === undefined && now() < run.until) return false
  run.deadline ??= clock() + LEFT_TIME_MS
  return clock() >= run.deadline
}

/** A long text is measured by CPU time from the start: reading it alone may take all the time there is. */
export function expectText(run: Run, text: string): void {
  if (text.length > LONG_CHARS)
    run.deadline ??= clock() + Math.max(MIN_TIME_MS, MS_FOR_MEGABYTE * (text.length / 1e6))
}

const LONG_CHARS = 64 * 1024
/** Milliseconds. What cannot be interrupted comes on top. */
const MIN_TIME_MS = 20
const MS_FOR_MEGABYTE = 30

export function note(run: Run, act: Act): void {
  if (run.commands) return
  const key = `${act.does}\0${act.path ?? ''}\0${act.host ?? ''}\0${act.command ?? ''}\0${act.why ?? ''}\0${act.places?.join() ?? ''}`
  const known = run.found.get(key)
  if (known) {
    if (act.certain && !known.certain) known.certain = true
    return
  }
  if (run.found.size < MAX_ACTS) run.found.set(key, act)
  else cutShort(`more than ${MAX_ACTS} acts`)
}

export function noteWords(run: Run, argv: readonly Word[]): void {
  if (run.commands)
    noteCommand(
      run,
      argv.map(({ text }) => text),
    )
}

/** Does nothing where acts are wanted. */
export function noteCommand({ commands }: Run, words: readonly string[]): void {
  const [program] = words
  if (!commands || program === undefined || program === '') return
  addCommand(commands, words)
  const base = program.slice(program.lastIndexOf('/') + 1)
  if (base !== program && base !== '') addCommand(commands, [base, ...words.slice(1)])
}

function addCommand(commands: Map<string, SimpleCommand>, words: readonly string[]): void {
  const text = words.join(' ')
  if (commands.has(text)) return
  if (commands.size < MAX_COMMANDS) commands.set(text, { words, text })
  else cutShort(`more than ${MAX_COMMANDS} commands`)
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

const MAX_SHOWN_CHARS = 400

export function short(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text
}
