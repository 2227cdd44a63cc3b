/** How often a test repeats what it tries: enough for every change, or, with CROSSHOOK_LONG_TESTS set, for a release. */
export function times(always: number, beforeRelease: number): number {
  return process.env.CROSSHOOK_LONG_TESTS ? beforeRelease : always
}
