/** `crosshook run-hook AGENT EVENT NAME`: runs one hook, for an entry written by `export`. */

import { assemble } from '../host/assemble.ts'
import { logLines } from '../pipeline/hook-log.ts'
import { CrosshookError } from '../spec/errors.ts'
import type { Arguments } from './options.ts'
import { err, out } from './output.ts'
import { readStdin } from './stdin.ts'
import { workingFolder } from './working-folder.ts'

export async function run(args: Arguments): Promise<number> {
  const [agent, event, only] = args.words
  if (agent === undefined || event === undefined || only === undefined)
    throw new CrosshookError('usage', 'run-hook needs an agent, an event and the name of a hook')
  const notes: string[] = []
  const trouble = (sentence: string) => notes.push(sentence)
  const runtime = assemble({
    env: args.env,
    source: 'hook',
    trouble,
    only,
  })
  const reply = await runtime.answer({ agent, event, cwd: workingFolder(args.env), read: readStdin })
  out(reply.stdout)
  err(reply.stderr)
  await runtime.settled()
  if (notes.length > 0) logLines(runtime.paths.state, notes)
  return reply.exit_code
}
