/** Hooks that programs have registered at the running daemon; empty when none runs. */

import { paths } from '../config/paths.ts'
import type { Registered } from '../dialects/registry-programs.ts'
import { readStatus } from '../host/status-file.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import type { Hook } from '../spec/hook.ts'
import { warn } from './print.ts'

export async function registeredHooks(env: NodeJS.ProcessEnv): Promise<Hook[]> {
  if (!readStatus(paths(env).state)) return []
  try {
    // Loaded only when a daemon runs: node:http alone takes 5 ms of a new process.
    const { askDaemon } = await import('../host/request.ts')
    const { defineHook } = await import('../dialects/registry-programs.ts')
    const { status, body } = await askDaemon(env, { method: 'GET', path: '/v1/registered-hooks' })
    if (status !== 200) throw new CrosshookError('refused', `it answered ${status}`)
    const { hooks } = body as { hooks: Registered[] }
    return hooks.map((registered) => ({
      ...defineHook(registered.event, { ...registered, remote: { client: '' } }),
      description: 'Registered by a program, at the daemon.',
    }))
  } catch (error) {
    warn(`what programs have registered at the daemon is not known: ${messageOf(error)}`)
    return []
  }
}
