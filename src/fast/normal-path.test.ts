import { normalize, posix, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { normalPath, normalPosixPath, resolvedPath } from './normal-path.ts'

/** Every path of up to six of these pieces. */
function* paths(): Generator<string> {
  const pieces = ['/', '.', '..', 'a', '...', '.b', ' ']
  let level = ['']
  for (let depth = 0; depth < 6; depth++) {
    yield* level
    level = level.flatMap((start) => pieces.map((piece) => start + piece))
  }
}

test('every path made of slashes, dots and names is what node:path makes of it', () => {
  let count = 0
  for (const path of paths()) {
    count++
    if (normalPath(path) !== normalize(path)) expect(normalPath(path), path).toBe(normalize(path))
    if (normalPosixPath(path) !== posix.normalize(path))
      expect(normalPosixPath(path), path).toBe(posix.normalize(path))
    if (resolvedPath(path) !== resolve(path)) expect(resolvedPath(path), path).toBe(resolve(path))
  }
  expect(count).toBeGreaterThan(15_000)
})
