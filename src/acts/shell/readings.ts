/** Other readings of a command, for patterns: they may be about what a line says, not only about what that becomes. */

import type { Command, Word as ParsedWord } from 'unbash'
import { runArgv } from '../follow.ts'
import type { Given } from '../started-command.ts'
import type { Word } from '../word.ts'
import { expandWord } from './expand.ts'
import { noteCommand, type Run } from './followed-call.ts'
import { assign, type ShellState, subshell } from './state.ts'

/** `argv` is what the command becomes, and was noted. */
export function otherReadings(
  run: Run,
  node: Command,
  argv: readonly Word[],
  state: ShellState,
  given: Given,
): void {
  const items = node.name ? [node.name, ...node.args] : node.args
  const targets = node.redirects.flatMap((each) =>
    each.type === 'Redirect' && each.target ? [each.operator, spelled(each.target)] : [],
  )
  const isPlain = items.every((item) => item.type === 'Word' && !item.parts)
  if (isPlain && targets.length === 0) return
  const words = items.map((item) => (item.type === 'Word' ? spelled(item) : item.text))
  if (targets.length > 0) noteCommand(run, [...words, ...targets])
  if (isPlain) return
  if (words.length !== argv.length || words.some((text, at) => text !== argv[at]!.text))
    runArgv(
      run,
      words.map((text) => ({ text })),
      subshell(state),
      { ...given, isGuess: true },
    )
  if (given.env.size > 0) withPrefix(run, items, state, given)
}

/** `X=/etc rm -rf $X` takes the X of before; who writes it seldom means that. */
function withPrefix(
  run: Run,
  items: readonly Command['args'][number][],
  state: ShellState,
  given: Given,
): void {
  for (const [name, value] of given.env) assign(state, name, value)
  runArgv(
    run,
    items.flatMap((item) => (item.type === 'Word' ? expandWord(run, item, state) : [{ text: item.text }])),
    state,
    { ...given, isGuess: true },
  )
}

/** Quotes removed, nothing expanded. */
function spelled({ parts, value }: ParsedWord): string {
  if (!parts) return value
  let text = ''
  for (const part of parts)
    if (part.type === 'DoubleQuoted' || part.type === 'LocaleString')
      for (const child of part.parts) text += child.type === 'Literal' ? child.value : child.text
    else text += 'value' in part && typeof part.value === 'string' ? part.value : part.text
  return text
}
