/** Questions that wait, for every view: the count in the frame. */

import { effect, signal } from '@preact/signals'
import { connection, get } from '../api.ts'
import type { Ask } from './types.ts'

/** Undefined until the first answer of the hub. */
export const asks = signal<Ask[] | undefined>(undefined)

const POLL_MS = 2000

/** Polls until the returned function is called. */
export function lookAtAsks(): () => void {
  const look = async () => {
    if (document.hidden || connection.peek() !== 'connected') return
    try {
      asks.value = await get<Ask[]>('/v1/fleet/asks')
    } catch {
      // `connection` shows it.
    }
  }
  const timer = setInterval(() => void look(), POLL_MS)
  const stop = effect(() => {
    if (connection.value === 'connected') void look()
  })
  return () => {
    clearInterval(timer)
    stop()
  }
}

export async function reloadAsks(): Promise<void> {
  asks.value = await get<Ask[]>('/v1/fleet/asks')
}
