/**
 * Milliseconds on a clock that never goes back, as `performance.now()`. The first use of the global `performance` loads
 * a module: about 1 ms of a cold start of some 30 (bench/cold.ts).
 */
export function now() {
    const time = process.hrtime(); // not taken apart, which takes longer than to read it
    return time[0] * 1000 + time[1] / 1e6;
}
