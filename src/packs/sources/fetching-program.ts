/** Starts a program of the user (git, npm) that fetches something. */

import { spawn } from 'node:child_process'
import { CrosshookError, messageOf } from '../../spec/errors.ts'

export interface Started {
  program: string
  args: readonly string[]
  /** What is fetched, for the person. */
  what: string
  env: NodeJS.ProcessEnv
  cwd?: string
  input?: string | Buffer
  /** Most bytes of output. */
  most?: number
}

const PROGRAM_LIMIT_MS = 120_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const MAX_STDERR_CHARS = 64 * 1024

/** Returns its output. The last line of stderr is the reason of a failure. */
export async function start({
  program,
  args,
  what,
  env,
  cwd,
  input,
  most = MAX_OUTPUT_BYTES,
}: Started): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const child = spawn(program, args, {
    env,
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: PROGRAM_LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  const output: Buffer[] = []
  let size = 0
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > most) {
      child.kill('SIGKILL')
      reject(failed(program, what, `it sends more than ${Math.round(most / 1024 / 1024)} MiB`))
    } else output.push(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-MAX_STDERR_CHARS)
  })
  child.stdin.on('error', () => {}).end(input) // it may end without reading all
  child.on('error', (error) => reject(failed(program, what, messageOf(error), error)))
  child.on('close', (code, signal) => {
    if (code === 0) return resolve(Buffer.concat(output))
    const lines = errors.trim().split('\n')
    const said = lines.findLast((line) => /^(?:fatal|error|npm (?:error|ERR!))/.test(line)) ?? lines.at(-1)
    reject(
      failed(
        program,
        what,
        signal ? `it took longer than ${PROGRAM_LIMIT_MS / 1000} s` : said || `it ended with ${code}`,
      ),
    )
  })
  return promise
}

function failed(program: string, what: string, why: string, cause?: unknown): CrosshookError {
  return new CrosshookError('bad_source', `${what}: ${program} could not bring it: ${why}`, {
    fix: `Check the address, and that ${program} can reach it.`,
    cause,
  })
}
