/** One call of an agent, whichever way it reached us: its bytes in, its reply out. Never throws. */

import type { Reply } from '../spec/dialect.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Runtime } from './runtime.ts'

export interface AgentCall {
  agent: string
  event?: string
  cwd: string
  env?: NodeJS.ProcessEnv
  required?: () => Promise<string | undefined>
  /** What the agent sends: a text, or the bytes of a large one. */
  read(): string | Buffer
}

export async function answer(
  runtime: Pick<Runtime, 'handle'>,
  { agent, read, ...hint }: AgentCall,
  trouble: (sentence: string) => void,
): Promise<Reply> {
  try {
    const given = read()
    const native = typeof given === 'string' ? payload(given) : await largePayload(given)
    return await runtime.handle(agent, native, hint)
  } catch (error) {
    trouble(messageOf(error))
    const fix = error instanceof CrosshookError ? `\n${error.fix}` : ''
    // Agents differ in what they make of a failing hook; 1 is "failed, not blocked" in all that have exit codes.
    return { stdout: '', stderr: `crosshook: ${messageOf(error)}${fix}\n`, exit_code: 1 }
  }
}

/** What agents send is JSON; whatever it is, it is passed on. */
function payload(text: string): unknown {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  try {
    return JSON.parse(plain)
  } catch {
    return plain
  }
}

async function largePayload(bytes: Buffer): Promise<unknown> {
  const plain = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes
  try {
    return (await import('./large-payload.ts')).parseLarge(plain)
  } catch {
    return plain.toString('utf8')
  }
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const LARGEST_LOG = 4 * 1024 * 1024

/** Where sentences go that are for people: stdout and stderr belong to the agent. */
export async function logLines(stateDir: string, lines: readonly string[]): Promise<void> {
  const { appendFileSync, mkdirSync, renameSync, statSync } = await import('node:fs')
  const { join } = await import('node:path')
  const { redact } = await import('../redact/redact.ts')
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
    const at = new Date().toISOString()
    const log = join(stateDir, 'hook.log')
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG) renameSync(log, `${log}.old`)
    appendFileSync(log, lines.map((line) => `${at} ${redact(line)}\n`).join(''), {
      mode: 0o600,
    })
  } catch {
    // Nowhere left to say it.
  }
}
