/**
 * `join` for a normalised folder and a plain path below it. Node's own is compiled at first use, 0.3 ms of a cold call
 * (bench/cold.ts), and again after the eighth. The slow twin is `join` of `node:path`.
 */

import { sep } from 'node:path'

/** `path` is written with `/`. */
export function within(folder: string, path: string): string {
  const rest = sep === '/' ? path : path.replaceAll('/', sep)
  return folder.endsWith(sep) ? folder + rest : folder + sep + rest
}
