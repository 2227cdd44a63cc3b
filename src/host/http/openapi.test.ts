import { expect, test } from 'vitest'
import { runningDaemon } from '../testing.ts'
import { createApp } from './app.ts'
import { openapi } from './openapi.ts'
import { ROUTES } from './routes.ts'

type Operation = { operationId: string; parameters: { name: string; in: string }[]; security: object[] }

test('the document describes exactly the routes that are served', async () => {
  const { daemon } = await runningDaemon()
  const served = createApp(daemon.core)
    .routes.filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  // Answered before the framework is asked.
  served.push('POST /v1/events')
  const { paths } = openapi(ROUTES) as { paths: Record<string, Record<string, Operation>> }
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(served.sort())
})

test('every reference leads somewhere, every operation has its own name and its parameters', () => {
  const document = openapi(ROUTES)
  const text = JSON.stringify(document)
  for (const [, path] of text.matchAll(/"#\/([^"]+)"/g)) {
    let at: unknown = document
    for (const part of path!.split('/')) at = (at as Record<string, unknown>)[part]
    expect(at, path).toBeDefined()
  }
  const { paths } = document as { paths: Record<string, Record<string, Operation>> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  )
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { path, parameters } of operations)
    expect(parameters.filter((each) => each.in === 'path').map(({ name }) => `{${name}}`)).toEqual(
      path.match(/\{\w+\}/g) ?? [],
    )
})

test('it is served, and every route that needs a token says so and refuses without one', async () => {
  const { daemon, ask } = await runningDaemon()
  const { body } = await ask('GET', '/v1/openapi.json')
  expect(body).toMatchObject({ openapi: '3.1.0' })
  for (const { method, path, scope } of ROUTES) {
    const { status } = await fetch(`${daemon.status.http}${path.replaceAll(/[{}]/g, '')}`, { method })
    // What is posted without a token proves itself: here to a channel that there is not.
    expect(status, path).toBe(scope ? 401 : method === 'POST' ? 404 : 200)
  }
})
