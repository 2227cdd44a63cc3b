/** What a tool call does: the one way in. Loaded on demand, with everything it needs. */

import type { Act } from '../spec/act.ts'
import { unreadInput } from '../spec/tool.ts'
import { apply } from './apply.ts'
import { type CommandReader, commandReader } from './commands.ts'
import { cutShort, takeCuts } from './cut.ts'
import { hiddenText } from './hidden-text.ts'
import { keysInText } from './keys-in-text.ts'
import type { Programs, ProgramTable } from './program.ts'
import { lazyProgramTable, programTable } from './programs/index.ts'
import { newRun } from './shell/followed-call.ts'
import { newState } from './shell/state.ts'
import { toolEffects } from './tools.ts'
import { unplaced } from './unplaced.ts'
import { thisWorld, type World } from './world.ts'

export interface ToolCall {
  tool_name: string
  tool_input: Readonly<Record<string, unknown>>
  /** The folder of the event; paths are resolved by it. */
  work_dir?: string
  /** The agent's environment: whose home `~` is, where XDG folders are. */
  env?: NodeJS.ProcessEnv
}

export type ActsOf = (call: ToolCall, world?: World) => Act[]

/** Everything that a call does, including keys in its text. */
export function loadActs(more?: Programs): ActsOf {
  const follow = loadFollowed(more)
  return (call, world) => withKeysInText(call, follow(call, world))
}

export function withKeysInText(call: ToolCall, followed: readonly Act[]): Act[] {
  return [...keysInText(call), ...followed]
}

/** Without the keys in its text, for those who do not ask for them. `more` are rows beside those that are built in; they win. */
export function loadFollowed(more?: Programs): ActsOf {
  const programs = more ? withRows(more) : builtIn()
  return (call, world) => actsOf(programs, call, world ?? thisWorld(call.work_dir ?? process.cwd(), call.env))
}

/** For patterns on commands: the same reading, without the acts. Here, so that both kinds of guards load one file. */
export function loadCommands(): CommandReader {
  return commandReader(builtIn())
}

let table: ProgramTable | undefined

function builtIn(): ProgramTable {
  table ??= lazyProgramTable()
  return table
}

function withRows(more: Programs): ProgramTable {
  const own = programTable([more])
  return {
    get: (name) => own.get(name) ?? builtIn().get(name),
    has: (name) => own.has(name) || builtIn().has(name),
  }
}

function actsOf(
  programs: ProgramTable,
  { tool_name: name, tool_input: input }: ToolCall,
  world: World,
): Act[] {
  const run = newRun(programs, world)
  const state = newState(folderOf(input) ?? world.workDir)
  takeCuts()
  try {
    const command = { name: '', argv: [], text: '', isGuess: false }
    apply(run, state, toolEffects(name, input), command, {}, { input: null, env: new Map() })
  } catch (error) {
    // The parser should return a tree for any text, but it may fail or exhaust the stack: that must not hide the call.
    cutShort(`could not be followed: ${error instanceof Error ? error.message : String(error)}`)
  }
  const unread = unreadInput(name, input) ?? unplaced(name, input)
  return (name === 'Shell' ? hiddenText(input.command) : [])
    .concat([...run.found.values()].map(tidy))
    .concat(unread === undefined ? [] : { does: 'unknown', certain: false, why: unread })
    .concat(takeCuts().map(incomplete))
}

/** The folder that a shell tool is told to work in. */
function folderOf(input: Readonly<Record<string, unknown>>): string | undefined {
  for (const field of ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'dir_path']) {
    const value = input[field]
    if (typeof value === 'string' && value.startsWith('/')) return value
  }
  return undefined
}

function incomplete(why: string): Act {
  return { does: 'unknown', certain: false, incomplete: true, why }
}

/** Acts of tools that start nothing name no program. */
function tidy(act: Act): Act {
  if (act.program !== '' && !act.through?.includes('')) return act
  const { program, command, through, ...rest } = act
  const wrappers = through?.filter((each) => each !== '') ?? []
  return {
    ...rest,
    ...(program && { program }),
    ...(command && { command }),
    ...(wrappers.length > 0 && { through: wrappers }),
  }
}
