/** Tools that the daemon itself can run for hooks. */

import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'

export interface ToolDone {
  success: boolean
  output: string
  exitCode?: number
}

export interface Where {
  folder: string
  env: NodeJS.ProcessEnv
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal
}

export type Tool = (input: Record<string, unknown>, where: Where) => Promise<ToolDone>

const MAX_OUTPUT_CHARS = 1024 * 1024
const TIME_LIMIT_MS = 120_000

/** By canonical name. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  Shell: async (input, where) => shell(text(input, 'command', 'Shell'), where, input.timeout),
  ReadFile: async (input, { folder }) => {
    const path = text(input, 'path', 'ReadFile')
    return attempt(() => readText(resolve(folder, path)))
  },
  WriteFile: async (input, { folder }) => {
    const path = text(input, 'path', 'WriteFile')
    const content = text(input, 'content', 'WriteFile')
    return attempt(() => {
      const file = resolve(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return `wrote ${file}`
    })
  },
}

const NEEDS: Readonly<Record<string, readonly string[]>> = {
  Shell: ['command'],
  ReadFile: ['path'],
  WriteFile: ['path', 'content'],
}

/** Throws what is wrong with the input: a call that cannot run is no question for hooks. */
export function expectInput(tool: string, input: Record<string, unknown>): void {
  for (const field of NEEDS[tool] ?? []) text(input, field, tool)
}

function text(input: Record<string, unknown>, field: string, tool: string): string {
  const value = input[field]
  if (typeof value === 'string' && (value !== '' || field === 'content')) return value
  throw new CrosshookError(
    'bad_input',
    `${tool} needs "${field}", a text, and has ${JSON.stringify(value)}.`,
    {
      fix: `Put it into the args: {"${field}": "…"}.`,
    },
  )
}

function shell(command: string, { folder, env, signal }: Where, timeout: unknown): Promise<ToolDone> {
  const limit = typeof timeout === 'number' && timeout > 0 ? Math.min(timeout, TIME_LIMIT_MS) : TIME_LIMIT_MS
  return new Promise((done) => {
    const child = spawn('bash', ['-c', command], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    let why = ''
    const collect = (chunk: string) => {
      if (output.length <= MAX_OUTPUT_CHARS) output += chunk
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    const stop = (reason: string) => {
      why = reason
      endGroup(child.pid)
      // A process that left the group may keep the pipes open for ever.
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const timer = setTimeout(() => stop(`it ran longer than ${limit} ms`), limit)
    const leave = () => stop('nobody waits for it any more')
    signal.addEventListener('abort', leave, { once: true })
    const finish = (result: ToolDone) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      done(result)
    }
    child.once('error', (error) => finish({ success: false, output: error.message }))
    child.once('close', (code, ended) => {
      const cut = output.length > MAX_OUTPUT_CHARS ? `\n(cut at ${MAX_OUTPUT_CHARS} characters)` : ''
      const note = ended === null ? '' : `\n(ended by ${ended}${why === '' ? '' : `: ${why}`})`
      const said = output.slice(0, MAX_OUTPUT_CHARS) + cut + note
      finish({ success: code === 0 && why === '', output: said, exitCode: code ?? 128 })
    })
    if (signal.aborted) leave()
  })
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function attempt(work: () => string): ToolDone {
  try {
    return { success: true, output: work() }
  } catch (error) {
    return { success: false, output: messageOf(error) }
  }
}
