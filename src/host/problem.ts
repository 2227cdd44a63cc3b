/** Errors of the HTTP API: `application/problem+json` (RFC 9457), always with a code and what to do. */

import type { ServerResponse } from 'node:http'
import { isDiskFault } from '../spec/disk.ts'
import { CrosshookError, type ErrorCode, messageOf } from '../spec/errors.ts'

export interface Problem {
  status: number
  /** Machine-readable. */
  code: string
  detail: string
  fix?: string
  /** Which part of the daemon refuses. */
  domain?: string
  /** What is wrong with each field. */
  problems?: unknown[]
}

export class Refusal extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.name = 'Refusal'
    this.problem = problem
  }
}

const STATUS: Partial<Record<ErrorCode, number>> = {
  usage: 400,
  bad_input: 400,
  unknown_event: 400,
  bad_settings: 400,
  unknown_agent: 404,
  unknown_hook: 404,
  not_found: 404,
  invalid_hooks: 400,
  exists: 409,
  refused: 403,
  limit: 429,
  store: 503,
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Refusal) return error.problem
  if (error instanceof CrosshookError) {
    const code = error.code === 'limit' ? 'overloaded' : error.code
    return { status: STATUS[error.code] ?? 500, code, detail: error.message, fix: error.fix }
  }
  if (isDiskFault(error))
    return {
      status: 503,
      code: 'store',
      detail: `The daemon could not write it down: ${messageOf(error)}. Nothing was changed.`,
      fix: 'Make room on the disk of the state folder, or let the daemon write there; then try again.',
    }
  return { status: 500, code: 'internal', detail: 'The daemon could not do this; its log says why.' }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

export function problemText({ status, ...rest }: Problem): string {
  return JSON.stringify({ type: 'about:blank', title: TITLES[status] ?? 'Error', status, ...rest })
}

export function problemHeaders({ status }: Problem): Record<string, string> {
  return {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
    // The unread rest of the body would be taken for the next request.
    ...(status === 408 || status === 413 || status === 503 ? { connection: 'close' } : {}),
  }
}

export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(problem.status, problemHeaders(problem)).end(problemText(problem))
}
