/** Questions that wait, for every view: the count in the frame. */

import { effect, signal } from '@preact/signals'
import { connection, get } from '../api.ts'
import type { Ask } from './types.ts'

/** Undefined until the hub has told it for the first time. */
export const asks = signal<Ask[] | undefined>(undefined)

const EVERY_MS = 2000

/** Until the function is called that it comes back with. */
export function lookAtAsks(): () => void {
  const look = async () => {
    if (document.hidden || connection.peek() !== 'connected') return
    try {
      asks.value = await get<Ask[]>('/v1/fleet/asks')
    } catch {
      // `connection` says it.
    }
  }
  const timer = setInterval(() => void look(), EVERY_MS)
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
