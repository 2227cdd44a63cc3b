/** Calls of people to their hub, with the token stored by `crosshook fleet login`. */

import { join } from 'node:path'
import * as z from 'zod'
import { writeWhole } from '../config/write-whole.ts'
import { CrosshookError, messageOf } from '../spec/errors.ts'
import { readText } from '../spec/read-file.ts'

const schema = z.object({ url: z.url(), token: z.string().min(1) })
export type Login = z.infer<typeof schema>

export function writeLogin(state: string, login: Login): void {
  writeWhole(join(state, 'fleet-login.json'), `${JSON.stringify(login)}\n`)
}

/** The variables CROSSHOOK_HUB and CROSSHOOK_HUB_TOKEN override the stored values. */
export function readLogin(state: string, env: NodeJS.ProcessEnv): Login {
  if (env.CROSSHOOK_HUB && env.CROSSHOOK_HUB_TOKEN)
    return { url: env.CROSSHOOK_HUB.replace(/\/+$/, ''), token: env.CROSSHOOK_HUB_TOKEN }
  try {
    return schema.parse(JSON.parse(readText(join(state, 'fleet-login.json'))))
  } catch (error) {
    throw new CrosshookError('refused', 'You are not signed in to a hub.', {
      fix: 'Sign in first: crosshook fleet login URL --token T. The first token is in the file that `crosshook hub` names.',
      cause: error,
    })
  }
}

export interface Admin {
  readonly url: string
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: object): Promise<T>
  remove<T>(path: string): Promise<T>
}

export function createAdmin({ url, token }: Login): Admin {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    let response: Response
    try {
      response = await fetch(`${url}${path}`, {
        method,
        redirect: 'error',
        headers: { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      })
    } catch (error) {
      throw new CrosshookError(
        'refused',
        `The hub ${url} cannot be reached: ${messageOf((error as Error).cause ?? error)}`,
        {
          fix: 'Check the address and that the hub runs.',
          cause: error,
        },
      )
    }
    const answer = (await response.json().catch(() => ({}))) as { detail?: string; fix?: string }
    if (response.ok) return answer as T
    const code = response.status === 404 ? 'not_found' : response.status === 409 ? 'exists' : 'refused'
    throw new CrosshookError(
      code,
      `The hub answers ${response.status}: ${answer.detail ?? 'nothing that helps'}`,
      {
        ...(answer.fix === undefined ? {} : { fix: answer.fix }),
      },
    )
  }
  return {
    url,
    get: (path) => ask('GET', path),
    post: (path, body = {}) => ask('POST', path, body),
    remove: (path) => ask('DELETE', path),
  }
}
