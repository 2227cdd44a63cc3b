/** How one agent is set up, started and made to call its tools. */

import type { Api, Call, Step, Turn } from '../stand-in/turn.ts'

/** Where one agent lives during the test. */
export interface Place {
  home: string
  project: string
  temporary: string
  /** Where its own copy of crosshook is. */
  program: string
  /** Of the stand-in for its model, without a slash at the end. */
  url: string
}

export interface Agent {
  /** The id of its dialect. */
  id: string
  /** What it is called in the results, when it is not the only one of its dialect. */
  name?: string
  title: string
  /** The npm package whose version is tested; `pypi:` before one of Python. */
  package: string
  api: Api
  /** Writes what the agent needs to find the stand-in and to ask nobody anything. */
  configure(place: Place): void
  environment(place: Place): Record<string, string>
  /** Options of `crosshook install`. */
  install?: readonly string[]
  /** Commands to run once, after `configure`. */
  prepare?(place: Place): string[][]
  start(place: Place, prompt: string): string[]
  tools: {
    shell(command: string): Call
    read(path: string): Call
    write(path: string, content: string): Call
    edit(path: string, before: string, after: string): Call
  }
  /** Turns that start a subagent with this prompt and wait for it. Undefined: it has none. */
  subagent?(prompt: string): Step['turn'][]
  /** How a subagent ends, where a plain text does not do it. */
  subagentEnd?(report: string): Turn
  /** Agents that protect `.env` themselves, so that no hook is asked, are tested with another name. */
  secretFile?: string
  /** A command that deletes a folder, where the agent itself refuses a plain `rm -rf`. */
  deleteFolder?(folder: string): string
  /** It asks hooks before each request to the model: where crosshook is broken that is refused too, and the run ends. */
  asksBeforeModel?: true
  /** A deny ends the whole run, so each scenario has a run of its own. */
  denyEndsRun?: true
  /** Canonical events that the program never fires without a terminal, and why: its table speaks of the terminal too. */
  silent?: Readonly<Record<string, string>>
  /** Scenarios that the agent makes impossible by itself, and why. */
  cannot?: Readonly<Record<string, string>>
}
