/** The projects that agents have worked in recently, from the journal. */

import { existsSync } from 'node:fs'
import type { Journal } from '../../journal/port.ts'

export interface KnownProject {
  work_dir: string
  events: number
}

const RECENT_MS = 30 * 24 * 3_600_000
const MAX_PROJECTS = 40

/** Most active first. */
export function knownProjects(journal: Journal): KnownProject[] {
  return journal
    .countBy(['project'], new Date(Date.now() - RECENT_MS))
    .map(({ by, events }) => ({ work_dir: by.project ?? '', events }))
    .filter(({ work_dir }) => work_dir.startsWith('/') && existsSync(work_dir))
    .slice(0, MAX_PROJECTS)
}
