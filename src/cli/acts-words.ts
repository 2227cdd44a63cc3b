/** Prints acts as a tree: each command below what it is wrapped in, with what it does to what. */

import type { Act } from '../spec/act.ts'
import type { Painter } from './paint.ts'
import { visible } from './visible.ts'

export function actsTree(acts: readonly Act[], paint: Painter): string {
  if (acts.length === 0) return 'No known act was found.\n'
  const lines: string[] = []
  let shown: string | undefined
  for (const act of acts) {
    if (act.does === 'unknown') continue
    const depth = act.through?.length ?? 0
    const command = act.command ?? ''
    const key = `${depth} ${command}`
    const indent = '  '.repeat(command === '' ? depth : depth + 1)
    if (command !== '' && key !== shown) {
      const through = depth > 0 ? paint.dim(`  (through ${visible(act.through!.join(', '))})`) : ''
      lines.push(`${'  '.repeat(depth)}${paint.bold(visible(command))}${through}`)
    }
    shown = key
    const words = actWords(act, paint)
    if (words !== undefined) lines.push(`${indent}${words}`)
  }
  const unknown = acts.filter(({ does }) => does === 'unknown')
  if (unknown.length > 0) lines.push(paint.yellow('Not followed:'))
  for (const { why = 'no reason', command, through } of unknown) {
    const around = through?.length ? ` (through ${through.join(', ')})` : ''
    lines.push(`  ${visible(why)}${command ? `: ${visible(command)}` : ''}${visible(around)}`)
  }
  return `${lines.join('\n')}\n`
}

/** A plain `run` is already shown by the command above it. */
function actWords(
  { does, path, spelled, host, places, certain, why, recursive }: Act,
  paint: Painter,
): string | undefined {
  const isPlain = does === 'run' && path === undefined && host === undefined && !places?.length
  if (isPlain) return undefined
  const target = [
    path === undefined ? undefined : `${path}${recursive ? ' and all below' : ''}`,
    spelled === undefined ? undefined : `(written ${spelled})`,
    host === undefined ? undefined : `host ${host}`,
  ]
  const notes = [places?.length ? places.join(', ') : undefined, why, certain ? undefined : 'a guess']
  const colour = STRONG.has(does) ? paint.red : paint.green
  const tail = notes.filter((note) => note !== undefined).join('; ')
  return [
    colour(does.replaceAll('_', ' ')),
    ...target.filter((part) => part !== undefined).map(visible),
    tail && paint.dim(`[${visible(tail)}]`),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

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
