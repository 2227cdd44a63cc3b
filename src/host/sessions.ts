/** In which folder each session works, as its events say. The oldest are forgotten. */

import type { Observer } from '../pipeline/run/observe.ts'

export interface Sessions {
  workDir(sessionId: string): string | undefined
  readonly observer: Observer
}

const MOST = 10_000

export function createSessions(): Sessions {
  const folders = new Map<string, string>()
  return {
    workDir: (sessionId) => folders.get(sessionId),
    observer: {
      event({ session_id, work_dir }) {
        if (session_id === '' || folders.get(session_id) === work_dir) return
        folders.delete(session_id)
        folders.set(session_id, work_dir)
        if (folders.size > MOST) folders.delete(folders.keys().next().value!)
      },
    },
  }
}
