/** At most so many at once; the others wait in the order in which they came. */

export interface Permits {
  /** A promise only when it is not its turn yet, or the work is one. */
  use<T>(work: () => Promise<T> | T, limits: { readonly signal: AbortSignal }): Promise<T> | T
}

export function permits(most: number): Permits {
  let free = most
  const waiting: (() => void)[] = []
  return {
    use(work, limits) {
      if (free <= 0) return turn(waiting, limits.signal).then(() => within(work))
      free--
      return within(work)
    },
  }

  function within<T>(work: () => Promise<T> | T): Promise<T> | T {
    let result: Promise<T> | T
    try {
      result = work()
    } catch (error) {
      giveBack()
      throw error
    }
    if (result instanceof Promise) return result.finally(giveBack)
    giveBack()
    return result
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
