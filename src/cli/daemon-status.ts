/** Whether a daemon runs, where, and whether it answers. */

import { paths } from '../config/paths.ts'
import { answersPing } from '../host/request.ts'
import { type DaemonStatus, readStatus } from '../host/status-file.ts'

/** `hangs`: its process exists but does not answer. */
export type SeenDaemon = (DaemonStatus & { hangs?: true }) | { running: false }

export async function daemonStatus(env: NodeJS.ProcessEnv): Promise<SeenDaemon> {
  const status = readStatus(paths(env).state)
  if (!status) return { running: false }
  return (await answersPing(status)) ? status : { ...status, hangs: true }
}

export function hangingWords(pid: number): string {
  return `it does not answer: end it with \`kill -9 ${pid}\`, then \`crosshook daemon start\``
}
