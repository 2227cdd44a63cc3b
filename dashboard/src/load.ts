/** Data of a view: loaded when it appears, when what it depends on changes, and when the host is found again. */

import { useEffect, useState } from 'preact/hooks'
import { ApiError, type Problem, reconnections } from './api.ts'

export interface Loaded<T> {
  /**
   * The last good answer, kept while a newer one loads, also when `on` has changed. A view of one event, hook or question
   * has its id as `key`, so that the data of another one is never shown or decided under its address.
   */
  data: T | undefined
  problem: Problem | undefined
  isLoading: boolean
  reload(): void
}

export interface LoadOptions {
  /** Loads again whenever one of them changes. */
  on?: readonly unknown[]
  /** Milliseconds between reloads while the page is visible. */
  every?: number
}

export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, options: LoadOptions = {}): Loaded<T> {
  const { on = [], every } = options
  const [round, setRound] = useState(0)
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    data: undefined,
    problem: undefined,
    isLoading: true,
  })
  const found = reconnections.value
  useEffect(() => {
    const over = new AbortController()
    setState((before) => ({ ...before, isLoading: true }))
    load(over.signal).then(
      (data) => over.signal.aborted || setState({ data, problem: undefined, isLoading: false }),
      (error: unknown) =>
        over.signal.aborted ||
        setState((before) => ({ data: before.data, problem: problemOf(error), isLoading: false })),
    )
    return () => over.abort()
  }, [...on, round, found])
  useEffect(() => {
    if (every === undefined) return
    const timer = setInterval(() => document.hidden || setRound((n) => n + 1), every)
    return () => clearInterval(timer)
  }, [every])
  return { ...state, reload: () => setRound((n) => n + 1) }
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem
  return { status: 0, code: 'page', detail: error instanceof Error ? error.message : String(error) }
}
