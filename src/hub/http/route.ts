/** A call by a person: from the command line, the page, or a program of theirs. */

import type { z } from 'zod'
import type { Hub } from '../hub.ts'
import type { Person, Role } from '../store/tenants.ts'

export interface PersonCall<Body = unknown> {
  hub: Hub
  person: Person
  url: URL
  /** Parsed by the route's schema. */
  body: Body
  /** Values for `{name}` in the path. */
  names: Readonly<Record<string, string>>
}

export interface PersonRoute {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** Required role; higher ones may as well. */
  role: Role
  summary: string
  query?: readonly string[]
  body?: z.ZodType
  handle(call: PersonCall<never>): Promise<unknown>
}

export function get(
  path: string,
  summary: string,
  handle: (call: PersonCall) => Promise<unknown>,
  query: readonly string[] = [],
): PersonRoute {
  return { method: 'GET', path, role: 'viewer', summary, query, handle: handle as PersonRoute['handle'] }
}

/** Changes are for approvers or admins. */
export function post<Body>(
  path: string,
  role: Role,
  summary: string,
  body: z.ZodType<Body>,
  handle: (call: PersonCall<Body>) => Promise<unknown>,
): PersonRoute {
  return { method: 'POST', path, role, summary, body, handle: handle as PersonRoute['handle'] }
}

export function remove(
  path: string,
  summary: string,
  handle: (call: PersonCall) => Promise<unknown>,
): PersonRoute {
  return { method: 'DELETE', path, role: 'admin', summary, handle: handle as PersonRoute['handle'] }
}

/** Number of rows that the caller wants, within the limit. */
export function limitIn(url: URL, usual: number, most: number): number {
  return Math.max(1, Math.min(Number(url.searchParams.get('limit') ?? usual) || usual, most))
}
