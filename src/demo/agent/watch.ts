/** Files that hooks want watched: checked between two steps, with an event when one has changed. */

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FireResult } from '../../index.ts'
import { addContext, fire, type Session } from './session.ts'

export function watch(session: Session, { watch_paths: paths }: FireResult): void {
  for (const path of paths ?? []) {
    const file = resolve(session.workDir, path)
    session.watched.set(file, changedAt(file))
  }
}

export async function lookAtWatched(session: Session): Promise<void> {
  for (const [path, before] of session.watched) {
    const now = changedAt(path)
    if (now === before) continue
    session.watched.set(path, now)
    const kind = before === 0 ? 'created' : now === 0 ? 'deleted' : 'changed'
    const result = await fire(session, 'file_changed', { path, kind })
    addContext(session, result)
    watch(session, result)
  }
}

/** 0 when there is no such file. */
function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
