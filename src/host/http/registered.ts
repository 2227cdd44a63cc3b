/** `/v1/registered-hooks`: hooks of programs, for people. The programs themselves use gRPC. */

import { describeHook } from '../../dialects/registry-programs.ts'
import type { Core } from '../core.ts'
import { Refusal } from '../problem.ts'
import type { RouteContext } from './routes.ts'

export function getRegistered({ registry }: Core, c: RouteContext): Response {
  return c.json({ hooks: registry.hooks().map(describeHook) })
}

export function deleteRegistered({ registry }: Core, c: RouteContext): Response {
  const id = c.req.param('id')!
  if (registry.unregister(id)) return c.json({ removed: id })
  throw new Refusal({
    status: 404,
    code: 'not_found',
    detail: `There is no registered hook "${id}".`,
    fix: 'GET /v1/registered-hooks lists them.',
  })
}
