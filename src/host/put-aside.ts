import { renameSync } from 'node:fs'

/** Keeps a file that cannot be used under another name, so that nothing is written over it. The new path. */
export function putAside(file: string): string {
  const aside = `${file}.spoiled-${new Date().toISOString().replaceAll(':', '-')}`
  renameSync(file, aside)
  return aside
}
