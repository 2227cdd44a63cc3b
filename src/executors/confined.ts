/** Reads files below one folder. No path and no link leads out of it. */

import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'

/** The real path of something in the folder; undefined when it is missing or outside. */
export async function confinedPath(root: string, path: string): Promise<string | undefined> {
  if (path.includes('\0')) return undefined
  try {
    const base = await realpath(root)
    const real = await realpath(isAbsolute(path) ? path : join(base, path))
    return real === base || real.startsWith(base.endsWith(sep) ? base : base + sep) ? real : undefined
  } catch {
    // The caller need not know whether it is missing or unreadable.
    return undefined
  }
}

/** The first bytes of a regular file; undefined for anything else, such as a pipe or a device. */
export async function readConfined(root: string, path: string, limit: number): Promise<Buffer | undefined> {
  const real = await confinedPath(root, path)
  if (real === undefined) return undefined
  let file: FileHandle | undefined
  try {
    // The path has no links; one that appears meanwhile is not followed, and a pipe is not waited for.
    file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const found = await file.stat()
    if (!found.isFile()) return undefined
    if ((await confinedPath(root, real)) !== real) return undefined
    const length = Math.min(limit, found.size)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } catch {
    // As above: unreadable.
    return undefined
  } finally {
    await file?.close()
  }
}

/** Folders with copies of other people's files, or version history. */
const LEFT_OUT = new Set(['.git', 'node_modules'])
const MAX_ENTRIES = 20_000

/** Paths of the files below a folder, relative to the root, in a fixed order; links are left out. */
export async function* walk(root: string, start: string, signal: AbortSignal): AsyncGenerator<string> {
  const base = await realpath(root)
  const folders = [start]
  let seen = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted()
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    const below: string[] = []
    for (const entry of entries) {
      if (++seen > MAX_ENTRIES)
        throw new Error(`more than ${MAX_ENTRIES} files and folders: look into a smaller folder by its path`)
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) below.push(path)
      else if (entry.isFile()) yield relative(base, path)
    }
    folders.push(...below.reverse())
  }
}
