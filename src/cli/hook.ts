/** `crosshook hook AGENT [EVENT]`: the hot path. Prints the agent's own reply and nothing else. */

import { isOverHttp } from '../config/over-http.ts'
import { moduleThreads } from '../host/relay/module-threads.ts'
import { answer, logLines } from '../pipeline/answer.ts'
import { createRuntime } from '../pipeline/runtime.ts'
import { err, out } from './output.ts'
import { readStdin } from './stdin.ts'

export async function run(args: readonly string[]): Promise<number> {
  const [, agent, event] = args.filter((arg) => !arg.startsWith('--'))
  if (agent === undefined) {
    err('error: which agent? Run `crosshook agents` for their names.\n')
    return 1
  }
  const { CROSSHOOK_RELAY: sentByRelay } = process.env
  // Hooks inherit our environment; how we were called is not theirs to know.
  if (sentByRelay !== undefined) delete process.env.CROSSHOOK_RELAY
  const notes: string[] = []
  const trouble = (sentence: string) => notes.push(sentence)
  const debug = args.includes('--debug') || process.env.CROSSHOOK_DEBUG === '1'
  const runtime = createRuntime({
    source: 'hook',
    trouble,
    executors: moduleThreads(() => runtime.paths.state).executors,
    ...(debug ? { debug: trouble } : {}),
  })
  const call = {
    agent,
    cwd: process.cwd(),
    read: readStdin,
    ...(event === undefined ? {} : { event }),
    required: async () =>
      isOverHttp(runtime.paths.state, agent)
        ? (await import('../host/required.ts')).required(agent, process.env)
        : undefined,
  }
  const reply = await answer(runtime, call, trouble)
  out(reply.stdout)
  err(reply.stderr)
  await runtime.settled()
  if (notes.length > 0) await logLines(runtime.paths.state, notes)
  if (sentByRelay !== undefined)
    (await import('../host/relay/start.ts')).startEngine(process.env, sentByRelay)
  return reply.exit_code
}
