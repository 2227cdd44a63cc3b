import { renameSync } from 'node:fs'

/** Renames an unusable file, so that it is not overwritten. Returns the new path. */
export function putAside(file: string): string {
  const aside = `${file}.spoiled-${new Date().toISOString().replaceAll(':', '-')}`
  renameSync(file, aside)
  return aside
}
