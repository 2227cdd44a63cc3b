/** Tools that hooks of SDK processes ask for: in the folder of the session, past the same hooks as any tool call. */

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { TOOL_TABLE } from '../dialects/registry-programs.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { toCanonicalTool } from '../spec/tool.ts'
import type { Core } from './core.ts'
import { DEPTH_FIELD } from './grpc/streams.ts'

export interface ToolCall {
  client: string
  sessionId: string
  /** The event that the hook answers, where it says so. */
  eventId: string
  tool: string
  args: Record<string, unknown>
}

export interface ToolDone {
  success: boolean
  output: string
  exitCode?: number
  duration: number
}

/** A tool that a hook calls may meet hooks; a hook that such a call meets may not call one. */
const DEEPEST = 1

export async function executeTool(core: Core, call: ToolCall): Promise<ToolDone> {
  const { client, sessionId, eventId, tool, args } = call
  if (!core.options.executeTool)
    throw new CrosshookError('refused', 'The daemon runs no tools for hooks.', {
      fix: 'Set execute_tool = true under [daemon] in config.toml and start it again.',
    })
  const work_dir = core.sessions.workDir(sessionId)
  if (work_dir === undefined)
    throw new CrosshookError(
      'not_found',
      `The daemon has seen no event of session "${sessionId}", so it has no folder.`,
    )
  const depth = core.streams.depthOf(client, sessionId, eventId)
  if (depth >= DEEPEST)
    throw new CrosshookError(
      'refused',
      'A hook that was run by executeTool may not call executeTool again.',
      {
        fix: 'Match fewer tools in the hook, or do the work in the first call.',
      },
    )
  const { name, input } = toCanonicalTool(TOOL_TABLE, tool, args)
  const run = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  if (!run)
    throw new CrosshookError('bad_input', `The daemon has no tool "${tool}".`, {
      fix: `It has: ${Object.keys(TOOLS).join(', ')}.`,
    })
  const event = { session_id: sessionId, work_dir, tool_name: name, context: { [DEPTH_FIELD]: depth + 1 } }
  const before = await core.fire('before_tool', { ...event, tool_input: input })
  if (before.decision !== 'allow')
    throw new CrosshookError(
      'refused',
      `${tool} was blocked by a hook: ${before.reason ?? 'no reason given'}`,
    )
  const tool_input = before.updated_input ?? input
  const started = performance.now()
  const done = await run(tool_input, { folder: work_dir, env: core.options.env })
  const duration = performance.now() - started
  const after = { ...event, tool_input, tool_output: done, duration_ms: Math.round(duration) }
  await core.fire(done.success ? 'after_tool' : 'after_tool_failure', after)
  return { ...done, duration }
}

interface Where {
  folder: string
  env: NodeJS.ProcessEnv
}

type Tool = (input: Record<string, unknown>, where: Where) => Promise<Omit<ToolDone, 'duration'>>

const OUTPUT_LIMIT = 1024 * 1024
const TIME_LIMIT = 120_000

const TOOLS: Readonly<Record<string, Tool>> = {
  Shell: ({ command, timeout }, where) => shell(String(command ?? ''), where, timeout),
  ReadFile: async ({ path }, { folder }) =>
    attempt(() => readFileSync(resolve(folder, String(path)), 'utf8')),
  WriteFile: async ({ path, content }, { folder }) =>
    attempt(() => {
      const file = resolve(folder, String(path))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, String(content ?? ''))
      return `wrote ${file}`
    }),
}

function shell(command: string, { folder, env }: Where, timeout: unknown): ReturnType<Tool> {
  const limit = typeof timeout === 'number' && timeout > 0 ? Math.min(timeout, TIME_LIMIT) : TIME_LIMIT
  return new Promise((done) => {
    const child = spawn('bash', ['-c', command], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    const collect = (chunk: string) => {
      if (output.length < OUTPUT_LIMIT) output += chunk
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    const timer = setTimeout(() => endGroup(child.pid), limit)
    child.once('error', (error) => {
      clearTimeout(timer)
      done({ success: false, output: error.message })
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      const ended = signal === null ? '' : `\n(ended by ${signal} after ${limit} ms)`
      done({ success: code === 0, output: output.slice(0, OUTPUT_LIMIT) + ended, exitCode: code ?? 128 })
    })
  })
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function attempt(work: () => string): Omit<ToolDone, 'duration'> {
  try {
    return { success: true, output: work() }
  } catch (error) {
    return { success: false, output: messageOf(error) }
  }
}
