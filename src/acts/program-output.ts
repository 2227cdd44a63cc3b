/** What a program prints, and where that came from. */

import { mayNameKey } from './held.ts'
import { absolute } from './locate.ts'
import type { Call } from './program.ts'
import { isInert } from './program-effects.ts'
import type { Run } from './shell/followed-call.ts'
import { printed } from './shell/prints.ts'
import { mergeFlows, NOTHING, type ShellState } from './shell/state.ts'
import type { Below, Flow, Word } from './word.ts'

export function outputOf(
  run: Run,
  state: ShellState,
  call: Call,
  { output, read, hosts }: { output: Flow; read: Flow; hosts: readonly string[] },
): Flow {
  const { row } = call
  if (isInert(call)) return {}
  const text = row.prints?.(call) ?? printed(call, { cwd: state.cwd, world: run.world, read })
  const sources = row.hides ? NOTHING : mergeFlows(withoutText(call.input), withoutText(read))
  const found = foundBy(run, state, call)
  const spoken = PRINTS_ITS_WORDS.has(call.name) ? flowsOf(call.args) : NOTHING
  const nested = [output, spoken].reduce(
    (all, each) => (each === NOTHING ? all : mergeFlows(all, each)),
    sources,
  )
  const isDecoded =
    text === undefined && (row.decodes === true || (row.decodes !== undefined && call.given(row.decodes)))
  const flow: Flow = {
    ...nested,
    ...(hosts.length > 0 && row.fetches && { hosts: [...(nested.hosts ?? []), ...hosts] }),
    ...(isDecoded && { decoded: true }),
    ...(found && { found }),
    ...((row.searches || LISTS_PROCESSES.has(call.name)) &&
      call.args.some((word) => /crosshook/i.test(word.text)) && { ours: true }),
  }
  if (text !== undefined) {
    const partly =
      call.input?.partly || (read.text !== undefined && read.partly) || call.args.some((word) => word.unknown)
    return { ...flow, text, ...(partly && { partly }) }
  }
  if (output !== NOTHING && output.text !== undefined && !row.hides) return { ...flow, text: output.text }
  const listed = row.lists?.(call)
  if (listed !== undefined) return { ...flow, text: listed, partly: true, isListing: true }
  const { text: _, ...unknown } = flow
  return unknown
}

/** Files whose names it prints, or lets pass: a filter only where the pattern may name one of our keys. */
function foundBy(run: Run, state: ShellState, call: Call): readonly Below[] | undefined {
  const own = call.row.finds?.(call).map(({ folder, ...rest }) => ({
    ...rest,
    folder: absolute(run.world, folder, state.cwd) ?? folder,
  }))
  const passed = call.input?.found
  if (!passed || call.row.hides) return own
  const [pattern] = call.row.searches ? call.operands : []
  return pattern && !call.given('-v --invert-match') && !mayNameKey(pattern.text) ? [] : passed
}

const LISTS_PROCESSES: ReadonlySet<string> = new Set(['pgrep', 'pidof', 'ps', 'lsof', 'fuser'])

const PRINTS_ITS_WORDS: ReadonlySet<string> = new Set(['echo', 'printf'])

/** Where the words of a command come from: `x=$(curl …); echo "$x"`. */
function flowsOf(words: readonly Word[]): Flow {
  return words.reduce((all, { flow }) => (flow ? mergeFlows(all, withoutText(flow)) : all), NOTHING)
}

export function withoutText(flow: Flow | null): Flow {
  if (!flow) return NOTHING
  const { text: _, ...rest } = flow
  return rest
}
