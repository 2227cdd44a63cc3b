/**
 * Milliseconds on a clock that never goes back, as `performance.now()`. The first use of the global `performance` loads
 * a module: about 1 ms of a cold start of some 30 (bench/cold.ts).
 */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
