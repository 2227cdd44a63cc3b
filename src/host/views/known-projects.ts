/** The projects that agents have worked in lately, by the journal. */

import { existsSync } from 'node:fs'
import type { Journal } from '../../journal/port.ts'

export interface KnownProject {
  work_dir: string
  events: number
}

/** In milliseconds. */
const LATELY = 30 * 24 * 3_600_000
/** Each is searched for hooks. */
const MOST = 40

/** Those with the most events first. */
export function knownProjects(journal: Journal): KnownProject[] {
  return journal
    .countBy(['project'], new Date(Date.now() - LATELY))
    .map(({ by, events }) => ({ work_dir: by.project ?? '', events }))
    .filter(({ work_dir }) => work_dir.startsWith('/') && existsSync(work_dir))
    .slice(0, MOST)
}
