/** What people may call, as OpenAPI 3.1, made from the table of routes. */

import * as z from 'zod'
import { CSRF_HEADER } from '../../host/people.ts'
import { VERSION } from '../../version.ts'
import type { PersonRoute } from './route.ts'

export function openapi(routes: readonly PersonRoute[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  return {
    openapi: '3.1.0',
    info: { title: 'crosshook hub', version: VERSION, description: 'A fleet: policies, journal, approvals.' },
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Of a person: crosshook fleet people add.' },
        page: {
          type: 'apiKey',
          in: 'cookie',
          name: 'crosshook_session',
          description: `A person who signed in on the page; changes also need the header ${CSRF_HEADER}.`,
        },
      },
    },
  }
}

function operation({ method, path, role, summary, query = [], body }: PersonRoute): object {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true })),
    ...query.map((name) => ({ name, in: 'query', required: false })),
  ]
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z]+(\w)?/g, (_, letter: string = '') => letter.toUpperCase())}`,
    summary,
    description: `For people with the role ${role} or a higher one.`,
    security: [{ token: [role] }, { page: [role] }],
    parameters: parameters.map((each) => ({ ...each, schema: { type: 'string' } })),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: z.toJSONSchema(body, { io: 'input' }) } },
          },
        }
      : {}),
    responses: {
      200: { description: 'Done', content: { 'application/json': {} } },
      default: { description: 'What went wrong', content: { 'application/problem+json': {} } },
    },
  }
}
