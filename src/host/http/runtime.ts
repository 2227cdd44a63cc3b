/** `/v1/runtime…`: hook settings, their revisions, and the failures that wait for a person. */

import { redactedView } from '../../dialects/registry-settings.ts'
import { deadLetters } from '../../journal/dead-letters.ts'
import type { Core } from '../core.ts'
import type { Change, Revision } from '../hook-settings.ts'
import { Refusal } from '../problem.ts'
import { parseObject, readBody } from './body.ts'
import type { RouteContext } from './routes.ts'

const MAX_LETTERS = 1000

export function getRuntime(core: Core, c: RouteContext): Response {
  return c.json(snapshot(core))
}

/** Raw settings, for people who may change them. */
export function getHooks({ hookSettings }: Core, c: RouteContext): Response {
  const { revision, settings } = hookSettings.current()
  c.header('etag', `"${revision}"`)
  return c.json({ hooks: settings.hooks })
}

export async function postHooks(core: Core, c: RouteContext): Promise<Response> {
  const body = await objectBody(core, c)
  const { settings, expected_revision, skip_hooks, ...rest } = body
  const isWrapped = settings !== undefined
  if (!isWrapped && Object.keys(rest).length === 0)
    throw new Refusal({
      status: 400,
      domain: 'runtime',
      code: 'invalid_hook_settings',
      detail: 'The body holds no hook settings.',
      fix: 'Send {"hooks": {…}}, or {"settings": {"hooks": {}}} to remove them all.',
    })
  await core.hookSettings.replace(isWrapped ? settings : rest, change({ expected_revision, skip_hooks }))
  return c.json(snapshot(core))
}

export async function postRollback(core: Core, c: RouteContext): Promise<Response> {
  const { target_revision, ...rest } = await objectBody(core, c)
  await core.hookSettings.rollback(wholeNumber(target_revision, 'target_revision'), change(rest))
  return c.json(snapshot(core))
}

export function getRevisions({ hookSettings }: Core, c: RouteContext): Response {
  return c.json({
    current_revision: hookSettings.current().revision,
    revisions: hookSettings.revisions().map(redacted),
  })
}

export function getDeadLetters({ runtime }: Core, c: RouteContext): Response {
  return c.json(deadLetters(runtime.paths.state).list(MAX_LETTERS))
}

export async function resolveDeadLetter(core: Core, c: RouteContext): Promise<Response> {
  const { reason } = await objectBody(core, c)
  const id = c.req.param('id')!
  const record = deadLetters(core.runtime.paths.state).resolve(id, typeof reason === 'string' ? reason : '')
  if (record) return c.json(record)
  throw new Refusal({
    status: 404,
    domain: 'runtime',
    code: 'dead_letter_not_found',
    detail: `There is no dead letter "${id}".`,
    fix: 'GET /v1/runtime/hooks/dead-letter lists them.',
  })
}

function snapshot({ hookSettings }: Core): Record<string, unknown> {
  const { revision, at_ms, settings } = hookSettings.current()
  return {
    hooks: redactedView(settings).hooks,
    config: {
      revision,
      updated_at_ms: at_ms,
      persisted: revision > 0,
      history_len: Math.max(0, hookSettings.revisions().length - 1),
      history_limit: hookSettings.historyLimit,
      store_path: hookSettings.storePath,
    },
  }
}

function redacted({ settings, ...rest }: Revision): Record<string, unknown> {
  return { ...rest, hooks: redactedView(settings).hooks }
}

async function objectBody(core: Core, c: RouteContext): Promise<Record<string, unknown>> {
  const { adminBytes: bytes, bodyTimeout: timeout } = core.options.limits
  const text = await readBody(c.env.incoming, { bytes, timeout })
  return text.trim() === '' ? {} : parseObject(text, 'GET /v1/openapi.json says what it takes.')
}

function change(fields: Record<string, unknown>): Change {
  const { expected_revision, skip_hooks } = fields
  if (skip_hooks !== undefined && skip_hooks !== null && typeof skip_hooks !== 'boolean')
    throw wrongField('skip_hooks', 'true or false')
  return {
    expectedRevision: wholeNumber(expected_revision, 'expected_revision'),
    skipHooks: skip_hooks === true,
  }
}

function wholeNumber(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw wrongField(field, 'a whole number')
}

function wrongField(field: string, words: string): Refusal {
  return new Refusal({
    status: 400,
    domain: 'runtime',
    code: 'bad_input',
    detail: `${field} must be ${words}.`,
  })
}
