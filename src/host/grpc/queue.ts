/** A queue: one side puts items in, the other takes them out in order until the end. */

export interface Queue<T> extends AsyncIterable<T> {
  readonly length: number
  push(item: T): void
  end(): void
}

export function queue<T>(): Queue<T> {
  const items: T[] = []
  let ended = false
  let wake = () => {}
  return {
    get length() {
      return items.length
    },
    push(item) {
      if (ended) return
      items.push(item)
      wake()
    },
    end() {
      ended = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (items.length > 0) yield items.shift()!
        if (ended) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
