/** The table of routes: method, path, who may call it, what it does. */

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Core } from '../core.ts'
import type { Scope } from '../tokens.ts'
import { handleAgent } from './agents.ts'
import { EVENTS_PATH } from './events.ts'

export type RouteContext = Context<{ Bindings: HttpBindings }>

export interface Route {
  method: 'GET' | 'POST'
  path: string
  /** None: everybody may call it. */
  scope?: Scope
  summary: string
  /** The hot route has none: it never reaches the framework. */
  handle?: (core: Core, c: RouteContext) => Response | Promise<Response>
}

export const ROUTES: readonly Route[] = [
  { method: 'POST', path: EVENTS_PATH, scope: 'events', summary: 'Fire a canonical event' },
  {
    method: 'POST',
    path: '/v1/agents/{agent}/{event}',
    scope: 'events',
    summary: "An agent's own payload in, its own reply out",
    handle: handleAgent,
  },
  {
    method: 'GET',
    path: '/healthz',
    summary: 'Is the daemon there?',
    handle: (_core, c) => c.json({ status: 'ok', pid: process.pid }),
  },
]
