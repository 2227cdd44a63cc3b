/** `crosshook hook AGENT [EVENT]`: the hot path. Prints the agent's own reply and nothing else. */

import { createRuntime } from '../runtime/runtime.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { err, out } from './output.ts'
import { readStdin } from './stdin.ts'

export async function run(args: readonly string[]): Promise<number> {
  const [, agent, event] = args.filter((arg) => !arg.startsWith('--'))
  if (agent === undefined) {
    err('error: which agent? Run `crosshook agents` for their names.\n')
    return 1
  }
  const notes: string[] = []
  const debug = args.includes('--debug') || process.env.CROSSHOOK_DEBUG === '1'
  const runtime = createRuntime({
    source: 'hook',
    trouble: (sentence) => notes.push(sentence),
    ...(debug ? { debug: (line: string) => notes.push(line) } : {}),
  })
  try {
    const reply = await runtime.handle(agent, payload(readStdin()), {
      cwd: process.cwd(),
      ...(event === undefined ? {} : { event }),
    })
    out(reply.stdout)
    err(reply.stderr)
    await runtime.settled()
    return reply.exit_code
  } catch (error) {
    notes.push(messageOf(error))
    // Agents differ in what they make of a failing hook; 1 is "failed, not blocked" in all that have exit codes.
    err(`crosshook: ${messageOf(error)}${error instanceof CrosshookError ? `\n${error.fix}` : ''}\n`)
    return 1
  } finally {
    if (notes.length > 0) await log(runtime.paths.state, notes)
  }
}

/** What agents send is JSON; whatever it is, it is passed on. */
function payload(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function log(state: string, lines: readonly string[]): Promise<void> {
  const { appendFileSync, mkdirSync } = await import('node:fs')
  const { join } = await import('node:path')
  const { redact } = await import('../journal/redact.ts')
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    const at = new Date().toISOString()
    appendFileSync(join(state, 'hook.log'), lines.map((line) => `${at} ${redact(line)}\n`).join(''), {
      mode: 0o600,
    })
  } catch {
    // Nowhere left to say it: stdout and stderr belong to the agent.
  }
}
