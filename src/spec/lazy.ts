/** Loads on the first call and caches the result. A failed load is not cached: the next call tries again. */
export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined
  const get = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return { get, started: () => loading }
}

export interface Lazy<T> {
  get(): Promise<T>
  /** The load in progress or done, if somebody has asked for it. */
  started(): Promise<T> | undefined
}
