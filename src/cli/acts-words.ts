/** Prints acts as a tree: each command below what it is wrapped in, with what it does to what. */

import type { Act } from '../spec/act.ts'
import type { Painter } from './paint.ts'
import { visible } from './visible.ts'

export function actsTree(acts: readonly Act[], paint: Painter): string {
  if (acts.length === 0) return 'No known act was found.\n'
  const lines: string[] = []
  let shown: { key: string; command: string; depth: number } | undefined
  let files: { kind: string; count: number } | undefined
  const endFiles = () => {
    const more = (files?.count ?? 0) - MAX_FILES
    if (more > 0) lines.push(`${/^ */.exec(lines.at(-1)!)![0]}… and ${more} more files that the pattern fits`)
    files = undefined
  }
  for (const act of acts) {
    if (act.does === 'unknown') continue
    const wrappers = wrappersOf(act)
    const command = act.command ?? ''
    // What the code of a command does stands below the command itself.
    const isInside = command !== '' && command === shown?.command && wrappers.length > shown.depth
    const depth = isInside ? shown!.depth : wrappers.length
    const key = `${depth} ${command}`
    const indent = '  '.repeat(command === '' ? depth : depth + 1)
    const kind = act.spelled === undefined ? '' : `${key}\n${act.does}\n${act.spelled}\n${act.places?.join()}`
    if (kind === '' || kind !== files?.kind) {
      endFiles()
      if (kind !== '') files = { kind, count: 0 }
    }
    if (command !== '' && key !== shown?.key) {
      const through = depth > 0 ? paint.dim(`  (through ${visible(wrappers.join(', '))})`) : ''
      lines.push(`${'  '.repeat(depth)}${paint.bold(visible(command))}${through}`)
    }
    shown = { key, command, depth }
    if (files && ++files.count > MAX_FILES) continue
    const words = actWords(act, paint)
    if (words !== undefined) lines.push(`${indent}${words}`)
  }
  endFiles()
  const unknown = acts.filter(({ does }) => does === 'unknown')
  if (unknown.length > 0) lines.push(paint.yellow('Not followed:'))
  for (const { why = 'no reason', command, through } of unknown) {
    const around = through?.length ? ` (through ${through.join(', ')})` : ''
    lines.push(`  ${visible(why)}${command ? `: ${visible(command)}` : ''}${visible(around)}`)
  }
  return `${lines.join('\n')}\n`
}

/** Of one pattern that are all alike. */
const MAX_FILES = 4

/** A wrapper that follows itself (code in code) is named once. */
function wrappersOf({ through = [] }: Act): string[] {
  return through.filter((each, at) => each !== through[at - 1])
}

/** A plain `run` is already shown by the command above it. */
function actWords(act: Act, paint: Painter): string | undefined {
  const { does, path, host, places, certain, why } = act
  const isPlain = does === 'run' && path === undefined && host === undefined && !places?.length
  if (isPlain) return undefined
  const notes = [places?.length ? places.join(', ') : undefined, why, certain ? undefined : 'a guess']
  const colour = STRONG.has(does) ? paint.red : paint.green
  const tail = notes.filter((note) => note !== undefined).join('; ')
  return [
    colour(does.replaceAll('_', ' ')),
    ...targetWords(act).map(visible),
    tail && paint.dim(`[${visible(tail)}]`),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** For programs that read JSON: every act says why it was found, also one that needs no explanation. */
export function withReason(act: Act, tool: string): Act {
  const { does, command = tool, why } = act
  if (why !== undefined) return act
  return { ...act, why: `${command}: ${[does.replaceAll('_', ' '), ...targetWords(act)].join(' ')}` }
}

function targetWords({ path, spelled, host, recursive }: Act): string[] {
  return [
    ...(path === undefined
      ? []
      : [`${path === INPUT ? 'what it reads' : path}${recursive ? ' and all below' : ''}`]),
    ...(spelled === undefined || spelled === '.' ? [] : [`(written ${spelled})`]),
    ...(host === undefined ? [] : [`host ${host}`]),
  ]
}

/** What stands for words that only the run shows: see programs/wrappers.ts. */
const INPUT = '$input'

const STRONG: ReadonlySet<string> = new Set([
  'delete',
  'rewrite_history',
  'discard_work',
  'change_guards',
  'reveal_secret',
  'escalate',
  'kill',
  'send',
])
