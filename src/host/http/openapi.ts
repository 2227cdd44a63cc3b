/** The API as OpenAPI 3.1, made from the table of routes. */

import { VERSION } from '../../version.ts'
import { CSRF_HEADER } from '../people.ts'
import { SCHEMAS, schema } from './openapi-schemas.ts'
import type { Route } from './routes.ts'

export function openapi(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  return {
    openapi: '3.1.0',
    info: { title: 'crosshook daemon', version: VERSION, description: 'Hooks for AI agents over HTTP.' },
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        page: {
          type: 'apiKey',
          in: 'cookie',
          name: 'crosshook_…',
          description: `A person who signed in on the page; changes also need the header ${CSRF_HEADER}.`,
        },
      },
      schemas: SCHEMAS,
      responses: {
        Problem: {
          description: 'What went wrong',
          content: { 'application/problem+json': { schema: schema('Problem') } },
        },
      },
    },
  }
}

function operation({
  method,
  path,
  scope,
  summary,
  body,
  answer,
  media,
  query = [],
}: Route): Record<string, unknown> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(name!, 'path'))
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z]+(\w)?/g, (_, letter: string = '') => letter.toUpperCase())}`,
    summary,
    security: scope ? [...(scope === 'person' ? [] : [{ token: [scope] }]), { page: [] }] : [],
    parameters: [...inPath, ...query.map((name) => parameter(name, 'query'))],
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schema(body) } } } }
      : {}),
    responses: {
      200: {
        description: 'Done',
        content: answer
          ? { 'application/json': { schema: schema(answer) } }
          : { [media ?? 'text/plain']: {} },
      },
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

function parameter(name: string, place: 'path' | 'query'): Record<string, unknown> {
  return { name, in: place, required: place === 'path', schema: { type: 'string' } }
}
