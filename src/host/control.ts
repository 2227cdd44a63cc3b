/** Starts, stops and queries a daemon from another process. */

import { spawn } from 'node:child_process'
import { closeSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../config/is-alive.ts'
import { makeFolder } from '../config/make-folder.ts'
import { paths } from '../config/paths.ts'
import { CrosshookError, type ErrorCode } from '../spec/errors.ts'
import { openPlain, readText } from '../spec/read-file.ts'
import { unusable } from './daemon-lock.ts'
import { answersPing } from './request.ts'
import { type DaemonStatus, readStatus } from './status-file.ts'

/** Names the file descriptor on which a detached daemon reports that it is ready, or why not. */
export const READY_VARIABLE = 'CROSSHOOK_READY_FD'

export function logFile(env: NodeJS.ProcessEnv): string {
  return join(paths(env).state, 'daemon.log')
}

/** Many small events make much short-lived garbage: with more room it is collected far less often. */
export const MEMORY = ['--max-semi-space-size=32']

/** Written once by the detached daemon. */
export type Ready = DaemonStatus | { error: { code: ErrorCode; message: string; fix: string } }

export async function startDetached(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  flags: readonly string[] = process.execArgv,
): Promise<DaemonStatus> {
  const file = logFile(env)
  const log = openLog(paths(env).state, file)
  const child = spawn(
    process.execPath,
    [...flags, ...MEMORY, process.argv[1]!, 'daemon', 'start', '--foreground', ...args],
    {
      detached: true,
      // A daemon keeps no project's folder busy and belongs to no project.
      cwd: paths(env).home,
      env: { ...env, [READY_VARIABLE]: '3' },
      stdio: ['ignore', log, log, 'pipe'],
    },
  )
  closeSync(log)
  const ready = await firstLine(child.stdio[3] as Readable)
  child.unref()
  if (ready === undefined)
    throw new CrosshookError('internal', 'The daemon ended before it was ready.', {
      fix: `Its log: ${file}\n${tail(file)}`,
    })
  const said = JSON.parse(ready) as Ready
  if ('error' in said) throw new CrosshookError(said.error.code, said.error.message, { fix: said.error.fix })
  return said
}

function openLog(state: string, file: string): number {
  try {
    makeFolder(state)
    return openPlain(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
  } catch (error) {
    throw unusable(state, error)
  }
}

/** Waits until the daemon has ended. True when there was one. */
export async function stopDaemon(env: NodeJS.ProcessEnv, limit = 60_000): Promise<boolean> {
  const { state } = paths(env)
  const status = readStatus(state)
  if (!status) return false
  // A daemon that hangs does not react to SIGTERM.
  process.kill(status.pid, (await answersPing(status)) ? 'SIGTERM' : 'SIGKILL')
  const end = Date.now() + limit
  while (readStatus(state)?.pid === status.pid || isAlive(status.pid)) {
    if (Date.now() > end)
      throw new CrosshookError(
        'internal',
        `The daemon (process ${status.pid}) has not stopped after ${limit / 1000} s.`,
        {
          fix: `See ${logFile(env)}; \`kill -9 ${status.pid}\` ends it without finishing what runs.`,
        },
      )
    await sleep(20)
  }
  return true
}

function firstLine(stream: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) {
        stream.destroy()
        resolve(text.slice(0, text.indexOf('\n')))
      }
    })
    stream.once('error', () => resolve(undefined))
    stream.once('end', () => resolve(undefined))
  })
}

function tail(file: string): string {
  return readText(file).trimEnd().split('\n').slice(-5).join('\n')
}
