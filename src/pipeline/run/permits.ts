/** Limits how many calls run at once; the others wait in order of arrival. */

export interface Permits {
  /** Waits for a permit or the signal, then does the work. Returns a promise only when it has to wait. */
  use<T>(work: () => Promise<T> | T, limits: { readonly signal: AbortSignal }): Promise<T> | T
}

export function permits(most: number): Permits {
  let free = most
  const waiting: (() => void)[] = []
  return {
    use(work, limits) {
      if (free <= 0) return turn(waiting, limits.signal).then(() => done(work))
      free--
      return done(work)
    },
  }

  function done<T>(work: () => Promise<T> | T): Promise<T> | T {
    let result: Promise<T> | T | undefined
    try {
      result = work()
      return result instanceof Promise ? result.finally(giveBack) : result
    } finally {
      if (!(result instanceof Promise)) giveBack()
    }
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
