/** Does a path exist? An inaccessible path or a dangling link does not count as absent. */

import { lstatSync, readlinkSync, statSync } from 'node:fs'
import { CrosshookError } from '../spec/errors.ts'

/** Throws when it cannot be determined. */
export function isThere(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    if (!isAbsence(error)) throw error
    if (isLink(path))
      throw new CrosshookError('bad_source', `it is a link to ${readlinkSync(path)}, which is not there`, {
        fix: 'Bring back what it leads to, or remove the link.',
      })
    return false
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch (error) {
    if (isAbsence(error)) return false
    throw error
  }
}

/** The last one is for a path with a null byte, which no file system has. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE'])

function isAbsence(error: unknown): boolean {
  return ABSENT.has((error as NodeJS.ErrnoException).code ?? '')
}
