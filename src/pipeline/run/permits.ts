/** Limits how many calls run at once; the others wait in order of arrival. */

export interface Permits {
  /** Waits for its turn, unless the signal comes first, and does the work. */
  use<T>(work: () => Promise<T> | T, limits: { readonly signal: AbortSignal }): Promise<T>
}

export function permits(most: number): Permits {
  let free = most
  const waiting: (() => void)[] = []
  return {
    async use(work, limits) {
      if (free > 0) free--
      else await turn(waiting, limits.signal)
      try {
        return await work()
      } finally {
        giveBack()
      }
    },
  }

  function giveBack(): void {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}

function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    waiting.push(go)
  })
}
