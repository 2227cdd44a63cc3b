/** The table of routes: method, path, who may call it, request and response. */

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Scope } from '../access-tokens.ts'
import type { Core } from '../core.ts'
import { handleAgent } from './agents.ts'
import {
  deleteGrant,
  getApproval,
  getApprovalStream,
  getApprovals,
  getGrants,
  postAnswer,
  postChannelAnswer,
} from './approvals.ts'
import { BUILDER_ROUTES } from './builder.ts'
import { EVENTS_PATH } from './events.ts'
import { HISTORY_ROUTES } from './history.ts'
import { getJournal, getStream } from './journal.ts'
import { openapi } from './openapi.ts'
import { getSession, postLink, postSignOut } from './page.ts'
import { getPasskeys, postPasskey } from './passkeys.ts'
import { deleteRegistered, getRegistered } from './registered.ts'
import {
  getDeadLetters,
  getHooks,
  getRevisions,
  getRuntime,
  postHooks,
  postRollback,
  resolveDeadLetter,
} from './runtime.ts'
import { getEvent, getSearch, SEARCH_QUERY } from './search.ts'
import { getHookSums, getStats, STATS_QUERY } from './stats.ts'
import { getMetrics, getStatus } from './status.ts'
import {
  getAgents,
  getAttention,
  getHooks as getHookList,
  getTrust,
  postCheck,
  postSwitch,
  postTrust,
  postUntrust,
} from './views.ts'

export type RouteContext = Context<{ Bindings: HttpBindings }>

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** Left out: everybody may call it. */
  scope?: Scope | undefined
  summary: string
  /** Names of schemas in the OpenAPI document. */
  body?: string
  answer?: string
  /** Media type of the answer, if not JSON. */
  media?: string
  /** Query fields. */
  query?: readonly string[]
  /** It can weaken guards: refused to programs that an agent has started, although they may have the token. */
  changesGuards?: true
  /** Left out for the hot route, which never reaches the framework. */
  handle?: (core: Core, c: RouteContext) => Response | Promise<Response>
}

const FILTER = ['limit', 'after', 'session', 'hook', 'decision', 'event', 'since'] as const

function get(path: string, scope: Scope | undefined, summary: string, more: Partial<Route>): Route {
  return { method: 'GET', path, ...(scope ? { scope } : {}), summary, ...more }
}

function post(path: string, scope: Scope, summary: string, more: Partial<Route>): Route {
  return { method: 'POST', path, scope, summary, ...more }
}

function remove(path: string, scope: Scope, summary: string, more: Partial<Route>): Route {
  return { method: 'DELETE', path, scope, summary, ...more }
}

export const ROUTES: readonly Route[] = [
  post(EVENTS_PATH, 'events', 'Fire a canonical event; the answer comes when its record is kept', {
    body: 'Event',
    answer: 'FireResult',
  }),
  post('/v1/agents/{agent}/{event}', 'events', "An agent's own payload in, its own reply out", {
    body: 'Any',
    answer: 'Any',
    handle: handleAgent,
  }),
  get('/v1/status', 'events', 'State of the daemon', { answer: 'Any', handle: getStatus }),
  get('/v1/runtime', 'events', 'Hook settings without what could be secret', {
    answer: 'Runtime',
    handle: getRuntime,
  }),
  get('/v1/runtime/hooks', 'admin', 'Hook settings as they were set', {
    answer: 'HookSettings',
    handle: getHooks,
  }),
  post('/v1/runtime/hooks', 'admin', 'Replace all hook settings', {
    body: 'HookSettingsChange',
    answer: 'Runtime',
    changesGuards: true,
    handle: postHooks,
  }),
  get('/v1/runtime/revisions', 'admin', 'Earlier hook settings, newest first', {
    answer: 'Any',
    handle: getRevisions,
  }),
  post('/v1/runtime/rollback', 'admin', 'Go back to an earlier revision', {
    body: 'Rollback',
    answer: 'Runtime',
    changesGuards: true,
    handle: postRollback,
  }),
  get('/v1/runtime/hooks/dead-letter', 'admin', 'Hook failures that are kept, newest last', {
    answer: 'DeadLetters',
    handle: getDeadLetters,
  }),
  post('/v1/runtime/hooks/dead-letter/{id}/resolve', 'admin', 'A person has dealt with a failure', {
    body: 'Resolution',
    answer: 'Any',
    changesGuards: true,
    handle: resolveDeadLetter,
  }),
  get('/v1/registered-hooks', 'admin', 'Hooks that programs have registered', {
    answer: 'Any',
    handle: getRegistered,
  }),
  remove('/v1/registered-hooks/{id}', 'admin', 'Take a registered hook away, whose program may be gone', {
    answer: 'Any',
    changesGuards: true,
    handle: deleteRegistered,
  }),
  get('/v1/journal', 'admin', 'What happened, oldest first', {
    query: FILTER,
    answer: 'Any',
    handle: getJournal,
  }),
  get('/v1/stream', 'admin', 'What happens, as server-sent events', {
    query: FILTER.slice(1),
    media: 'text/event-stream',
    handle: getStream,
  }),
  get('/v1/journal/search', 'admin', 'What happened, newest first; `next` is the `before` to look on with', {
    query: SEARCH_QUERY,
    answer: 'SearchResult',
    handle: getSearch,
  }),
  get('/v1/journal/{seq}', 'admin', 'One event: acts, verdicts, what hooks and the agent were given', {
    answer: 'OneEvent',
    handle: getEvent,
  }),
  get('/v1/attention', 'admin', 'What needs a person, the worst first', {
    answer: 'Attention',
    handle: getAttention,
  }),
  get('/v1/agents', 'admin', 'Agents by events: installed, called, obeyed, how near the limit is', {
    answer: 'Agents',
    handle: getAgents,
  }),
  post('/v1/agents/check', 'admin', 'Runs `crosshook doctor`, and answers as GET /v1/agents', {
    answer: 'Agents',
    handle: postCheck,
  }),
  get('/v1/hooks', 'admin', 'Every hook of this person and of the projects that agents worked in lately', {
    answer: 'Hooks',
    handle: getHookList,
  }),
  get('/v1/hooks/{id}/trust', 'admin', "What a project's hook would run: every file, or what has changed", {
    answer: 'TrustView',
    handle: getTrust,
  }),
  post('/v1/hooks/{id}/trust', 'person', 'Lets run exactly what was seen', {
    body: 'TrustDecision',
    answer: 'Any',
    handle: postTrust,
  }),
  post('/v1/hooks/{id}/untrust', 'person', 'Takes trust back', { answer: 'Any', handle: postUntrust }),
  post('/v1/hooks/{id}/switch', 'person', 'Switches hooks of this name off or on, in the settings', {
    body: 'HookSwitch',
    answer: 'Any',
    handle: postSwitch,
  }),
  post('/v1/page/links', 'admin', 'A link that signs a person in on the page, once and within two minutes', {
    answer: 'PageLink',
    handle: postLink,
  }),
  get('/v1/page/session', 'person', 'Who has signed in, and the token that changes need', {
    answer: 'PageSession',
    handle: getSession,
  }),
  post('/v1/page/sign-out', 'admin', 'Ends every session of the page', {
    answer: 'Any',
    handle: postSignOut,
  }),
  get('/v1/stats', 'admin', 'Events and runs of hooks, from hourly sums', {
    query: [...STATS_QUERY, 'slices', 'work_dir'],
    answer: 'Stats',
    handle: getStats,
  }),
  get('/v1/stats/hooks', 'admin', 'Runs of hooks by hook, agent, tool, project, day or hour', {
    query: [...STATS_QUERY, 'by'],
    answer: 'HookSums',
    handle: getHookSums,
  }),
  ...BUILDER_ROUTES,
  ...HISTORY_ROUTES,
  get('/v1/approvals', 'admin', 'What agents wait for', { answer: 'Approvals', handle: getApprovals }),
  get('/v1/approvals/stream', 'admin', 'What agents wait for, anew at each change, as server-sent events', {
    media: 'text/event-stream',
    handle: getApprovalStream,
  }),
  {
    ...post('/v1/approvals/answers/{channel}', 'events', 'An answer that proves where it comes from', {
      body: 'Any',
      answer: 'Any',
      handle: postChannelAnswer,
    }),
    scope: undefined,
  },
  get('/v1/approvals/passkeys', 'admin', 'Approvers with a passkey', { answer: 'Any', handle: getPasskeys }),
  post('/v1/approvals/passkeys', 'person', 'A new approver, with a passkey that was made on the page', {
    body: 'Any',
    answer: 'Any',
    handle: postPasskey,
  }),
  get('/v1/approvals/{id}', 'admin', 'One question, and its answer', {
    answer: 'Approval',
    handle: getApproval,
  }),
  post('/v1/approvals/{id}/answer', 'person', "A person's answer on the page", {
    body: 'ApprovalAnswer',
    answer: 'Any',
    handle: postAnswer,
  }),
  get('/v1/grants', 'admin', 'Every yes that still holds', { answer: 'Any', handle: getGrants }),
  remove('/v1/grants/{id}', 'person', 'End a grant', { answer: 'Any', handle: deleteGrant }),
  get('/v1/openapi.json', undefined, 'This document', {
    answer: 'Any',
    handle: (_core, c) => c.json(openapi(ROUTES)),
  }),
  get('/metrics', 'events', 'Totals for Prometheus', { media: 'text/plain', handle: getMetrics }),
  get('/healthz', undefined, 'Is the daemon there?', {
    answer: 'Any',
    handle: (_core, c) => c.json({ status: 'ok', pid: process.pid }),
  }),
]
