/** Every route except the hot one, from the table that also makes the OpenAPI document. */

import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Core } from '../core.ts'
import { type Problem, problemHeaders, problemText, toProblem } from '../problem.ts'
import { refuseAgents, refuseUnproven } from './refuse-agents.ts'
import { ROUTES } from './routes.ts'
import { missingScope } from './scope.ts'

export function createApp(core: Core): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  for (const route of ROUTES) {
    const handle = route.handle
    if (!handle) continue
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
      const { incoming } = c.env
      const refused = route.scope && missingScope(core, incoming, route.scope)
      if (refused) return respond(refused)
      if (route.scope === 'person' && route.method !== 'GET') await refuseAgents(incoming)
      if (route.changesGuards) await refuseUnproven(core, incoming)
      const response = await handle(core, c)
      const renewal = incoming.headers.cookie && core.people.sessionOf(incoming)?.renewal
      if (renewal && !response.headers.has('set-cookie')) response.headers.set('set-cookie', renewal)
      return response
    })
  }
  app.notFound((c) => {
    const { method, path } = c.req
    const allowed = ROUTES.filter((route) => pattern(route.path).test(path)).map((route) => route.method)
    if (allowed.length === 0)
      return respond({
        status: 404,
        code: 'not_found',
        detail: `There is no ${path}.`,
        fix: 'GET /v1/openapi.json lists what there is.',
      })
    const allow = allowed.join(', ')
    const response = respond({
      status: 405,
      code: 'wrong_method',
      detail: `${path} does not take ${method}.`,
      fix: `It takes ${allow}.`,
    })
    response.headers.set('allow', allow)
    return response
  })
  app.onError((error) => {
    const problem = toProblem(error)
    if (problem.status === 500) core.log.error(`a request failed: ${error.stack ?? error.message}`)
    return respond(problem)
  })
  return app
}

/** Pattern for a path with names in braces. */
function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function respond(problem: Problem): Response {
  return new Response(problemText(problem), { status: problem.status, headers: problemHeaders(problem) })
}
