/** All requests of the page, and the state of the connection: host reachable, person signed in. */

import { signal } from '@preact/signals'

/** `lost`: the host does not answer. `signed-out`: it answers, but there is no valid session. */
export const connection = signal<'connecting' | 'connected' | 'lost' | 'signed-out'>('connecting')
/** Counts reconnections to the host: views reload when it changes. */
export const reconnections = signal(0)
export const hostVersion = signal('')

export interface Problem {
  status: number
  code: string
  detail: string
  fix?: string
}

export class ApiError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

export type Params = Readonly<Record<string, string | number | undefined>>

export function get<T>(path: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  const given = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : ''
  return request<T>(`${path}${search}`, { method: 'GET', ...(signal ? { signal } : {}) })
}

/** Requests that change something carry the CSRF token. */
export function post<T>(path: string, body: unknown = {}): Promise<T> {
  return change<T>('POST', path, body)
}

export function put<T>(path: string, body: unknown): Promise<T> {
  return change<T>('PUT', path, body)
}

export function remove<T>(path: string): Promise<T> {
  return change<T>('DELETE', path, undefined)
}

/** The CSRF token, known only to this page and the host. */
export async function sessionToken(): Promise<string> {
  csrf ??= (await get<Session>('/v1/page/session')).csrf
  return csrf
}

async function change<T>(method: string, path: string, body: unknown): Promise<T> {
  return request<T>(path, {
    method,
    headers: { 'x-crosshook-csrf': await sessionToken(), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

interface Session {
  csrf: string
  version: string
  /** On the page of a hub. */
  person?: SignedIn
}

export interface SignedIn {
  tenant: string
  id: string
  role: 'viewer' | 'approver' | 'admin'
}

/** The signed-in person, on the page of a hub. */
export const me = signal<SignedIn | undefined>(undefined)

let csrf: string | undefined

/** Asks who has signed in, and starts watching the connection. */
export async function begin(): Promise<void> {
  await hello()
  // The event stream notices a host that is gone; this request notices an expired session and extends a valid one.
  setInterval(() => void (document.hidden || hello()), SESSION_CHECK_MS)
  document.addEventListener('visibilitychange', () => void (document.hidden || hello()))
}

const SESSION_CHECK_MS = 60_000

async function hello(): Promise<void> {
  try {
    const session = await get<Session>('/v1/page/session')
    csrf = session.csrf
    hostVersion.value = session.version
    me.value = session.person
  } catch {
    // `request` has already set `connection`.
  }
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response
  try {
    response = await fetch(path, { ...init, credentials: 'same-origin', redirect: 'error' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    lost()
    throw new ApiError({
      status: 0,
      code: 'lost',
      detail: 'The host does not answer.',
      fix: 'This page reconnects by itself.',
    })
  }
  if (response.status === 401) connection.value = 'signed-out'
  else found()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  const body: unknown = isJson ? await response.json() : await response.text()
  if (response.ok) return body as T
  throw new ApiError(
    isJson
      ? (body as Problem)
      : { status: response.status, code: 'http', detail: `The host answered ${response.status}.` },
  )
}

let retrying = false
const RETRY_MS = 1000

function lost(): void {
  connection.value = 'lost'
  if (retrying) return
  retrying = true
  const again = async () => {
    await hello()
    if (connection.value === 'lost') setTimeout(again, RETRY_MS)
    else retrying = false
  }
  setTimeout(again, RETRY_MS)
}

function found(): void {
  if (connection.value === 'lost' || connection.value === 'signed-out') reconnections.value++
  connection.value = 'connected'
}

/** Server-sent events until `close`; opened again by the browser, or by us when the host was gone. */
export function stream<T>(path: string, event: string, take: (value: T, id: number) => void): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  const open = () => {
    const from = last > 0 ? `${path.includes('?') ? '&' : '?'}after=${last}` : ''
    source = new EventSource(`${path}${from}`)
    source.addEventListener(event, (message) => {
      last = Number((message as MessageEvent).lastEventId) || last
      take(JSON.parse((message as MessageEvent).data as string) as T, last)
    })
    source.onerror = () => {
      source?.close()
      void hello()
      timer = setTimeout(open, RETRY_MS)
    }
  }
  open()
  return () => {
    source?.close()
    clearTimeout(timer)
  }
}
