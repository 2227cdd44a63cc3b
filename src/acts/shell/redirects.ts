/** Where a command reads from and writes to. */

import type { Redirection, SyntaxNode } from 'unbash'
import { cutShort } from '../cut.ts'
import { noteAct, readPath, writePath } from '../note-act.ts'
import { arrive } from '../run-text.ts'
import type { Flow, Word } from '../word.ts'
import { execute } from './execute.ts'
import { expandParts, expandText, expandWord } from './expand.ts'
import type { Run } from './followed-call.ts'
import { assign, mergeFlows, NOTHING, type ShellState, subshell } from './state.ts'

/** Characters of a here-document whose expansions are followed. */
const MAX_EXPANDED_CHARS = 300_000

export interface Redirected {
  state: ShellState
  input: Flow | null
  /** Where the output goes; empty: to whoever reads it. */
  outputs: { path: string; append: boolean }[]
  /** Commands that read the output: `> >(sh)`. */
  readers?: SyntaxNode[]
  /** Host of a /dev/tcp connection that input or output is tied to. */
  socket?: string
  /** Operators and files as words, for patterns. */
  targets?: string[]
}

export function applyRedirects(
  run: Run,
  redirects: readonly Redirection[],
  state: ShellState,
  input: Flow | null,
): Redirected {
  if (redirects.length === 0) return { state, input, outputs: [] }
  const result: Redirected = { state, input, outputs: [] }
  const descriptors = new Map(state.descriptors)
  result.state = { ...state, descriptors }
  for (const redirect of redirects) {
    const descriptor = descriptorOf(redirect, state, descriptors)
    if (redirect.type === 'Redirect') {
      const reader = readerOf(redirect)
      if (reader) {
        if (descriptor === undefined || descriptor === 1) (result.readers ??= []).push(reader)
        else {
          // It is started now, whatever is written to it later.
          execute(run, reader, subshell(state), null)
          descriptors.set(descriptor, { reader })
        }
        continue
      }
      for (const target of redirect.target ? expandWord(run, redirect.target, state) : []) {
        if (run.commands) (result.targets ??= []).push(redirect.operator, target.text)
        redirectTo(run, redirect.operator, target, descriptor, result, descriptors)
      }
      continue
    }
    let word: Word
    if (redirect.type === 'HereString') {
      const text = redirect.target ? expandText(run, redirect.target, state) : { text: '' }
      word = { ...text, text: `${text.text}\n` }
    } else {
      const { body } = redirect
      if (body.text.length > MAX_EXPANDED_CHARS && redirect.delimiter?.quoted !== true) {
        if (/\$\(|`/.test(body.text)) cutShort('a here-document is too long to be expanded')
        word = { text: body.text, unknown: true }
      } else word = body.parts ? expandParts(run, body.parts, state) : { text: body.text }
    }
    // A text with unknown parts is still worth following: the parts stand as they were spelled.
    const flow: Flow = { ...word.flow, text: word.text, ...(word.unknown && { partly: true }) }
    if (descriptor === undefined || descriptor === 0) result.input = flow
    else descriptors.set(descriptor, flow)
  }
  return result
}

/** `{name}<file` opens a descriptor with a number of the shell's choice. */
function descriptorOf(
  { descriptor }: Redirection,
  state: ShellState,
  descriptors: ReadonlyMap<number, Flow>,
): number | undefined {
  if (!descriptor) return undefined
  if (descriptor.type === 'FileDescriptor') return descriptor.value
  const { name } = descriptor
  const number = FIRST_FREE + descriptors.size
  assign(state, name, { text: String(number) })
  return number
}

/** Bash takes numbers from 10 on. */
const FIRST_FREE = 10

function redirectTo(
  run: Run,
  operator: string,
  target: Word,
  descriptor: number | undefined,
  result: Redirected,
  descriptors: Map<number, Flow>,
): void {
  const { state } = result
  const { text } = target
  const socket = /^\/dev\/(?:tcp|udp)\/([^/]+)\/(.+)$/.exec(text)
  if (socket) {
    result.socket = socket[1]!
    noteAct(run, state, { does: 'connect', host: socket[1]!, why: 'a socket of the shell' }, undefined)
    if (operator === '<' || operator === '<>') {
      const flow: Flow = { hosts: [socket[1]!] }
      if (descriptor === undefined || descriptor === 0) result.input = flow
      else descriptors.set(descriptor, flow)
    }
    return
  }
  if (operator === '<&') {
    const known = descriptors.get(Number(text))
    if (known) result.input = known
    return
  }
  if (operator === '>&' && /^(?:\d+-?|-)$/.test(text)) {
    const reader = descriptors.get(Number.parseInt(text, 10))?.reader
    if (reader && descriptor !== 2) (result.readers ??= []).push(reader as SyntaxNode)
    return
  }
  if (operator === '<' || operator === '<>') {
    const flow = target.flow ?? readPath(run, state, target, undefined)
    if (descriptor === undefined || descriptor === 0) result.input = { ...flow }
    else descriptors.set(descriptor, flow)
    if (operator === '<') return
  }
  for (const path of writePath(run, state, target, undefined))
    if (descriptor === undefined || descriptor === 1)
      result.outputs.push({ path, append: operator.includes('>>') })
    else if (descriptor !== 2) state.files.set(path, {})
}

/** The commands of `>(…)`, when that is where the output goes. */
function readerOf({ operator, target }: Extract<Redirection, { type: 'Redirect' }>): SyntaxNode | undefined {
  const [part, ...more] = target?.parts ?? []
  return operator.startsWith('>') &&
    more.length === 0 &&
    part?.type === 'ProcessSubstitution' &&
    part.operator === '>'
    ? part.script
    : undefined
}

/** What a command printed goes into its files and to its readers; what is left over goes on. */
export function writeOutput(run: Run, { outputs, readers = [], state }: Redirected, output: Flow): Flow {
  for (const reader of readers) execute(run, reader, subshell(state), output)
  if (outputs.length === 0) return readers.length > 0 ? NOTHING : output
  for (const { path, append } of outputs) {
    const before = append ? state.files.get(path) : undefined
    arrive(run, state, path, before ? mergeFlows(before, output) : output, undefined)
  }
  return NOTHING
}
