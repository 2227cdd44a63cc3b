/** Milliseconds on a clock that never goes back. The global `performance` would load a whole module at its first use. */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
