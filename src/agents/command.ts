/** The command line that agents are given: absolute, quoted, and recognisable as ours. */

import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CommandLine } from '../spec/dialect.ts'

export function commandLine(agent: string, program: readonly string[] = programOf()): CommandLine {
  const argv = (event: string) => [...program, 'hook', agent, event]
  return { argv, line: (event) => argv(event).map(quote).join(' ') }
}

/** The launcher beside the running program, which finds a Node by itself; else this very Node and file. */
export function programOf(main = process.argv[1] ?? ''): string[] {
  const file = realpathSync(main)
  const launcher = join(dirname(file), '../../bin/crosshook')
  return existsSync(launcher) ? [launcher] : [process.execPath, file]
}

/** Plain words need no quotes; paths always have them, so that a later move of the folder shows. */
export function quote(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
