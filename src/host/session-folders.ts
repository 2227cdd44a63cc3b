/** The working folder of each session, taken from its events. The oldest are dropped. */

import type { Observer } from '../pipeline/run/observe.ts'

export interface Sessions {
  workDir(sessionId: string): string | undefined
  readonly observer: Observer
}

const MAX_SESSIONS = 10_000

export function createSessions(): Sessions {
  const folders = new Map<string, string>()
  return {
    workDir: (sessionId) => folders.get(sessionId),
    observer: {
      event({ session_id, work_dir }) {
        if (session_id === '' || folders.get(session_id) === work_dir) return
        folders.delete(session_id)
        folders.set(session_id, work_dir)
        if (folders.size > MAX_SESSIONS) folders.delete(folders.keys().next().value!)
      },
    },
  }
}
