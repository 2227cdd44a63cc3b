/** What a tool call does: the one way in. Imported only when somebody asks; everything it needs comes with it. */

import * as parser from 'unbash'
import { findSecrets } from '../redact/find.ts'
import type { Act } from '../spec/act.ts'
import { apply } from './follow.ts'
import type { Programs, ProgramTable } from './program.ts'
import { lazyProgramTable, programTable } from './programs/index.ts'
import { clock, LONGEST_TIME, MOST_STEPS, note, type Run } from './shell/run.ts'
import { newState } from './shell/state.ts'
import { toolEffects } from './tools.ts'
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

/** Who asks often asks this once. `more` are rows beside those that are built in; they win. */
export function loadActs(more?: Programs): ActsOf {
  const programs = more ? withRows(more) : builtIn()
  return (call, world) =>
    actsOf(parser, programs, call, world ?? thisWorld(call.work_dir ?? process.cwd(), call.env))
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
  parser: typeof import('unbash'),
  programs: ProgramTable,
  { tool_name: name, tool_input: input }: ToolCall,
  world: World,
): Act[] {
  const run: Run = {
    parser,
    programs,
    world,
    found: new Map(),
    steps: MOST_STEPS,
    deadline: clock() + LONGEST_TIME,
    depth: 0,
    parallel: 0,
  }
  const state = newState(folderOf(input) ?? world.workDir)
  try {
    const command = { name: '', argv: [], text: '', isGuess: false }
    if (!READS.test(name)) noteSecretsIn(run, input)
    apply(run, state, toolEffects(name, input), command, {}, { input: null, env: new Map() })
  } catch (error) {
    // The parser promises a tree for any text and the stack has an end: whatever breaks that must not hide the call.
    note(run, {
      does: 'unknown',
      certain: false,
      why: `could not be followed: ${error instanceof Error ? error.message : String(error)}`,
    })
  }
  return [...run.found.values()].map(tidy)
}

/** Tools that write nothing: a key in a pattern that is searched for is no leak. */
const READS = /^(?:ReadFile|Search|FindFiles|ListFolder|WebFetch|WebSearch|Todo)$/
const LONGEST_TEXT = 200_000

/** A key in the text of the call gets into a file, a command or a message. */
function noteSecretsIn(run: Run, value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.length < 16) return
    const [secret] = findSecrets(value.slice(0, LONGEST_TEXT), { certain: true })
    if (secret)
      note(run, {
        does: 'reveal_secret',
        certain: true,
        places: ['text'],
        why: `the text holds a secret (${secret.kind})`,
      })
  } else if (typeof value === 'object' && value !== null && depth < 4)
    for (const each of Object.values(value)) noteSecretsIn(run, each, depth + 1)
}

/** The folder that a shell tool is told to work in. */
function folderOf(input: Readonly<Record<string, unknown>>): string | undefined {
  for (const field of ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'dir_path']) {
    const value = input[field]
    if (typeof value === 'string' && value.startsWith('/')) return value
  }
  return undefined
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
