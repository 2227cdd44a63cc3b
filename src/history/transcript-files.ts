/** Finds transcripts in a folder. Links are not followed, and only files of this user are opened. */

import { constants, type Dirent } from 'node:fs'
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../spec/errors.ts'
import type { Tally } from './reading.ts'

/** No agent nests its transcripts deeper. */
const MAX_DEPTH = 12
/** Entries of one place that are looked at. */
const MAX_ENTRIES = 1_000_000

/** Paths below the folder, with `/` as separator. Empty for a missing folder. */
export async function* filesBelow(folder: string, tally: Tally): AsyncGenerator<string> {
  const waiting: { path: string; depth: number }[] = [{ path: '', depth: 0 }]
  let entries = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for await (const entry of entriesOf(join(folder, next.path), tally)) {
      const path = next.path === '' ? entry.name : `${next.path}/${entry.name}`
      if (++entries > MAX_ENTRIES) return tally.leaveOut('there are too many files', folder)
      if (entry.isFile()) yield path
      else if (entry.isDirectory()) {
        if (next.depth < MAX_DEPTH) waiting.push({ path, depth: next.depth + 1 })
        else tally.leaveOut('folders are nested too deep', join(folder, path))
      } else if (LOOKS_LIKE_TRANSCRIPT.test(entry.name)) tally.leaveOut(kindOf(entry), join(folder, path))
    }
  }
}

const LOOKS_LIKE_TRANSCRIPT = /\.(?:jsonl?|db|sqlite\d?)$/

async function* entriesOf(folder: string, tally: Tally): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder)
  } catch (error) {
    if (!isAbsent(error)) tally.leaveOut(`the folder cannot be read: ${messageOf(error)}`, folder)
  }
}

function kindOf(entry: Dirent): string {
  return entry.isSymbolicLink() ? 'it is a link' : 'it is no file'
}

export interface OpenFile {
  handle: FileHandle
  /** At the time of opening: what is added later is not read. */
  size: number
  /** When it was last changed, in milliseconds. */
  changed: number
}

/** Undefined, and counted in the tally, when it must not be read. The caller closes it. */
export async function openFile(path: string, tally: Tally): Promise<OpenFile | undefined> {
  let handle: FileHandle | undefined
  try {
    // Opening a pipe or a device may block or have effects: check first.
    if (!(await lstat(path)).isFile()) return void tally.leaveOut('it is no file, or a link', path)
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const found = await handle.stat()
    const wrong = !found.isFile()
      ? 'it is no file, or a link'
      : found.uid !== (process.getuid?.() ?? found.uid)
        ? 'it belongs to another user'
        : undefined
    if (wrong === undefined) return { handle, size: found.size, changed: found.mtimeMs }
    tally.leaveOut(wrong, path)
  } catch (error) {
    tally.leaveOut(`it cannot be read: ${messageOf(error).split(',')[0]}`, path)
  }
  await handle?.close()
  return undefined
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
