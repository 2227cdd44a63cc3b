/** Where a hook's program runs: a guard must judge also what happens in a folder that is not there any more. */

import { statSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'

export interface WorkFolder {
  path: string
  /** What to tell people, where it is not the folder that was asked for. */
  note?: string
}

/** The folder itself, or the nearest one above it that exists. */
export function workFolder(wanted: string): WorkFolder {
  if (isFolder(wanted)) return { path: wanted }
  let path = isAbsolute(wanted) ? dirname(wanted) : '/'
  while (!isFolder(path) && path !== dirname(path)) path = dirname(path)
  return { path, note: `the working folder ${wanted} does not exist: the hook ran in ${path}` }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false // whatever the error, nothing can run there
  }
}
