/** A line on a terminal that says what is going on, once it takes longer than a second. */

export interface Progress {
  /** A function is called again each second. */
  show(text: string | (() => string)): void
  clear(): void
}

export function progress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (stream.isTTY !== true) return { show() {}, clear() {} }
  let timer: NodeJS.Timeout | undefined
  let shown = false
  return {
    show(text) {
      const since = Date.now()
      clearInterval(timer)
      timer = setInterval(() => {
        shown = true
        stream.write(
          `\r\u001b[K${typeof text === 'string' ? text : text()} … ${Math.round((Date.now() - since) / 1000)} s`,
        )
      }, 1000)
      timer.unref()
    },
    clear() {
      clearInterval(timer)
      if (shown) stream.write('\r\u001b[K')
      shown = false
    },
  }
}
