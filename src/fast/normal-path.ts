/**
 * Most paths are in normal form already, which a few searches show. Node's `normalize` and `resolve` walk every letter in
 * V8's interpreter, a tenth of a millisecond for each path of a cold call (bench/cold.ts). They are the slow twins.
 */

import { normalize, posix, resolve, sep } from 'node:path'

export function normalPath(path: string): string {
  return sep === '/' && isNormal(path) ? path : normalize(path)
}

export function normalPosixPath(path: string): string {
  return isNormal(path) ? path : posix.normalize(path)
}

export function resolvedPath(path: string): string {
  const isResolved = sep === '/' && isNormal(path) && (path === '/' || !path.endsWith('/'))
  return isResolved ? path : resolve(path)
}

/** An absolute POSIX path that `posix.normalize` would give back. */
function isNormal(path: string): boolean {
  return (
    path.startsWith('/') &&
    !path.includes('//') &&
    !(
      path.includes('/.') &&
      (path.includes('/./') || path.includes('/../') || path.endsWith('/.') || path.endsWith('/..'))
    )
  )
}
