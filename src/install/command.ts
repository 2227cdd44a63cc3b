/** The command line that agents are given: absolute, quoted, and recognisable as ours. */

import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hookCommand } from '../host/relay/command.ts'
import type { CommandLine } from '../spec/dialect.ts'

/** How many hooks within agents within hooks lie above: over HTTP only a header tells. */
const DEPTH = 'CROSSHOOK_DEPTH'

/** Where the daemon is called over HTTP, and the token that it wants. */
export interface HttpForm {
  origin: string
  token: string
}

export function commandLine(
  agent: string,
  program: readonly string[] = programOf(),
  http?: HttpForm,
): CommandLine {
  const argv = (event: string) => [...program, 'hook', agent, event]
  const line = (event: string) => argv(event).map(quote).join(' ')
  if (!http) return { argv, line }
  return {
    argv,
    line,
    http: (event) => ({
      url: `${http.origin}/v1/agents/${agent}/${event}`,
      // A variable with the token would have to be set wherever the agent is started from.
      headers: { Authorization: `Bearer ${http.token}`, 'X-Crosshook-Depth': `\${${DEPTH}}` },
      variables: [DEPTH],
    }),
  }
}

/** Every way in which this very crosshook may have been installed; the first is the one to install now. */
export function programsOf(main = realpathSync(process.argv[1] ?? '')): string[][] {
  const launcher = join(dirname(main), '../../bin/crosshook')
  const { argv } = hookCommand(main)
  const cold = [process.execPath, main]
  const known = [argv, ...(existsSync(launcher) ? [[launcher]] : []), cold]
  // Our entries are known by our name: a program without it in its path would not be found again.
  return known.filter((program) => program.some((word) => word.includes('crosshook')))
}

export function programOf(): string[] {
  return programsOf()[0]!
}

/** Plain words need no quotes; paths always have them, so that a later move of the folder shows. */
export function quote(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
