/** `crosshook hook AGENT [EVENT]`: the hot path. Prints the agent's own reply and nothing else. */

import { isOverHttp } from '../config/over-http.ts'
import { assemble } from '../host/assemble.ts'
import { takeVariable } from '../host/environment.ts'
import { err, out } from './output.ts'
import { readStdin } from './stdin.ts'
import { workingFolder } from './working-folder.ts'

export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [, agent, event] = args.filter((arg) => !arg.startsWith('--'))
  if (agent === undefined) {
    err('error: which agent? Run `crosshook agents` for their names.\n')
    return 1
  }
  // Hooks inherit our environment; how the relay called us is not theirs to know.
  const sentByRelay = takeVariable('CROSSHOOK_RELAY')
  const notes: string[] = []
  const trouble = (sentence: string) => notes.push(sentence)
  const debug = args.includes('--debug') || env.CROSSHOOK_DEBUG === '1'
  const assembly = assemble({ env, source: 'hook', trouble, ...(debug ? { debug: trouble } : {}) })
  const { state } = assembly.paths
  const reply = await assembly.answer({
    agent,
    cwd: workingFolder(env),
    read: readStdin,
    ...(event === undefined ? {} : { event }),
    required: async () =>
      isOverHttp(state, agent) ? (await import('../host/required.ts')).required(agent, env) : undefined,
  })
  out(reply.stdout)
  err(reply.stderr)
  await assembly.settled()
  if (notes.length > 0) (await import('../pipeline/log.ts')).logLines(state, notes)
  if (sentByRelay !== undefined) (await import('../host/relay/start.ts')).startEngine(env, sentByRelay)
  return reply.exit_code
}
