/** Hooks that an agent runs by itself, out of settings that it reads too: running them for it would run them twice. */

import { join } from 'node:path'
import { FOLDER_FORMAT } from '../dialects/list.ts'
import type { Dialect } from '../spec/dialect.ts'
import type { Hook } from '../spec/hook.ts'

export function runsItself(
  { id, format, agent }: Dialect,
  { home, workDir }: { home: string; workDir: string },
): (hook: Hook) => boolean {
  const files = { user: format?.files.user ?? [], project: format?.files.project ?? [] }
  const also = agent?.alsoRuns ?? { user: [], project: [] }
  const isAmong = (file: string, base: string, patterns: readonly string[]) =>
    patterns.some((pattern) => matches(file, join(base, pattern)))
  return ({ format: written, scope, origin: { file } }) => {
    if (written === FOLDER_FORMAT || (scope !== 'user' && scope !== 'project')) return false
    if (written === id && (isAmong(file, home, files.user) || isAmong(file, workDir, files.project)))
      return true
    return isAmong(file, home, also.user) || isAmong(file, workDir, also.project)
  }
}

/** `*` stands for a name in one folder. */
function matches(file: string, pattern: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return file === pattern
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)]
  return (
    file.length >= head.length + tail.length &&
    file.startsWith(head) &&
    file.endsWith(tail) &&
    !file.slice(head.length).includes('/')
  )
}
