/** `crosshook hook AGENT [EVENT]`: the hot path. Prints the agent's own reply and nothing else. */

import { closeSync } from 'node:fs'
import { isOverHttp } from '../config/over-http.ts'
import { useKeeper } from '../executors/program-keeper.ts'
import { assemble } from '../host/assemble.ts'
import { takeVariable } from '../host/environment.ts'
import { ANSWERED, encodeAnswer } from '../host/relay/protocol.ts'
import { err, writeAll } from './output.ts'
import { readStdin } from './stdin.ts'
import { workingFolder } from './working-folder.ts'

export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [, agent, event] = args.filter((arg) => !arg.startsWith('--'))
  if (agent === undefined) {
    err('error: which agent? Run `crosshook agents` for their names.\n')
    return 1
  }
  // Hooks inherit our environment, but not how the relay called us.
  const sentByRelay = takeVariable('CROSSHOOK_RELAY')
  // The supervising process accepts only this as an answer: an exit code does not prove that the program finished.
  const form = takeVariable('CROSSHOOK_ANSWER')
  const keeper = takeVariable('CROSSHOOK_KEEPER')
  if (form === 'frame' && keeper !== undefined) useKeeper(Number(keeper))
  const notes: string[] = []
  const trouble = (sentence: string) => notes.push(sentence)
  const debug = args.includes('--debug') || env.CROSSHOOK_DEBUG === '1'
  const assembly = assemble({
    env,
    source: 'hook',
    main: process.argv[1],
    trouble,
    ...(debug ? { debug: trouble } : {}),
  })
  const { state } = assembly.paths
  const cwd = workingFolder(env)
  // Portable wiring: this person's own entry may answer the same call.
  const elsewhere =
    event !== undefined && args.includes('--portable')
      ? await (await import('../install/portable-call.ts')).answeredElsewhere(agent, event, { env, cwd })
      : undefined
  const reply =
    elsewhere ??
    (await assembly.answer({
      agent,
      cwd,
      read: readStdin,
      parent: process.ppid,
      ...(event === undefined ? {} : { event }),
      required: async () =>
        isOverHttp(state, agent) ? (await import('../host/required.ts')).required(agent, env) : undefined,
    }))
  const isHeard = form === 'frame' ? writeAll(1, encodeAnswer(ANSWERED, reply)) : writeAll(1, reply.stdout)
  if (form !== 'frame') err(reply.stderr)
  await assembly.settled()
  if (notes.length > 0) (await import('../pipeline/hook-log.ts')).logLines(state, notes)
  if (form === 'frame') letAgentGoOn()
  if (sentByRelay !== undefined) {
    // No engine answered: perhaps one of an earlier version has just ended, and the relay is outdated as well.
    ;(await import('../install/shim.ts')).refreshRelay(assembly.paths.data)
    ;(await import('../host/relay/start.ts')).startEngine(env, sentByRelay)
  }
  if (!isHeard) return UNHEARD
  return reply.exit_code + (form === 'code' ? ANSWERED_CODE : 0)
}

/** The relay waits until this process ends or closes its stdout. No agent needs to wait for what is done after this. */
function letAgentGoOn(): void {
  // At the first call of a kind the launcher keeps compiled code, and must not be ended before that.
  if (process.listenerCount('exit') > 0) return
  // The kernel sends it when the relay has ended.
  process.on('SIGTERM', () => {})
  closeSync(1)
}

/** The answer could not be delivered: most agents take this code as a refusal. */
const UNHEARD = 2
/** Added to the exit code for an entry without a relay: see install/shell-entry.ts. */
export const ANSWERED_CODE = 64
