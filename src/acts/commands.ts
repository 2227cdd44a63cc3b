/** Every simple command that a line would run, for patterns: the line is read as for acts, but none is noted. */

import { takeCuts } from './cut.ts'
import { runArgv } from './follow.ts'
import type { Program, ProgramTable } from './program.ts'
import { runScript } from './shell/execute.ts'
import { newRun, noteCommand, type Run } from './shell/followed-call.ts'
import { looseWords } from './shell/loose.ts'
import { newState } from './shell/state.ts'
import type { SimpleCommand } from './word.ts'
import type { World } from './world.ts'

export interface CommandReader {
  /** The commands of a line, each with and without what wraps it (`sudo`, `env`, `bash -c`…). */
  line(text: string): SimpleCommand[]
  /** The same for a command that is given as a list of words and goes through no shell. */
  argv(words: readonly string[]): SimpleCommand[]
}

export function commandReader(programs: ProgramTable): CommandReader {
  const start = (run: Run, words: readonly string[]) =>
    runArgv(
      run,
      words.map((text) => ({ text })),
      newState(NOWHERE.workDir),
      { input: null, env: new Map() },
    )
  /** Lines of the last calls: agents repeat theirs, and one call makes several events. */
  const known = new Map<string, SimpleCommand[]>()
  const read = (text: string) =>
    collect(programs, text, (run) => runScript(run, text, newState(NOWHERE.workDir), null))
  return {
    line(text) {
      let found = known.get(text)
      if (found) return found
      found = read(text)
      if (text.length > MAX_CACHED_CHARS) return found
      if (known.size >= MAX_CACHED) known.delete(known.keys().next().value!)
      known.set(text, found)
      return found
    },
    argv: (words) => collect(programs, words.join(' '), (run) => start(run, words)),
  }
}

const MAX_CACHED = 64
const MAX_CACHED_CHARS = 2_000

/** A pattern is about the line as it is written: `~` and `$HOME` stay, and no file is looked at. */
const NOWHERE: World = {
  workDir: '$PWD',
  home: '$HOME',
  user: 'user',
  platform: 'linux',
  variables: {},
  disk: null,
  own: [],
}

function collect(programs: ProgramTable, text: string, read: (run: Run) => void): SimpleCommand[] {
  const commands = new Map<string, SimpleCommand>()
  takeCuts()
  let isBroken = false
  try {
    read({ ...newRun(programs, NOWHERE), commands })
  } catch {
    // The parser should return a tree for any text, but it may fail or exhaust the stack.
    isBroken = true
  }
  if (takeCuts().length > 0 || isBroken) readLoosely(programs, commands, text)
  return [...commands.values()]
}

/** Most words of one command in a text that is too much to be followed. */
const MAX_WORDS = 2_000

/** What is too long or too deep is cut into words loosely: more may match, nothing hides. */
function readLoosely(programs: ProgramTable, commands: Map<string, SimpleCommand>, text: string): void {
  const run = { ...newRun(programs, NOWHERE), commands }
  const seen = new Set<string>()
  for (const words of looseWords(text)) {
    const line = words.join(' ')
    if (seen.has(line)) continue
    seen.add(line)
    noteCommand(run, words)
    noteCommand(run, innermost(programs, words))
    if (words.length > MAX_WORDS) continue
    try {
      runArgv(
        run,
        words.map((word) => ({ text: word })),
        newState(NOWHERE.workDir),
        { input: null, env: new Map() },
      )
    } catch {
      // Its words are noted.
    }
  }
  takeCuts()
}

/** Skips all wrappers and their options at once: of those that are stacked too deep only what they start is left. */
function innermost(programs: ProgramTable, words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !/^-|^[A-Za-z_]\w*=/.test(word) && !starts(programs.get(word)))
  return at === -1 ? [] : words.slice(at)
}

function starts(row: Program | undefined): boolean {
  if (!row) return false
  const roles = typeof row.operands === 'string' ? [row.operands] : (row.operands ?? [])
  return row.stdin === 'script' || roles.some((role) => /^(?:command|script)\*?$/.test(role))
}
