/** Turns errors of SQLite and the file system into sentences that a person can act on. */

import { CrosshookError, messageOf } from '../../spec/errors.ts'

const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26
const WORDS: Readonly<Record<string, string>> = {
  5: 'another process holds it for too long',
  8: 'it can only be read',
  10: 'the disk reports an error',
  13: 'the disk is full',
  14: 'the file cannot be opened',
  EACCES: 'the folder may not be written',
  EPERM: 'the folder may not be written',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
  ENOENT: 'the folder cannot be made',
  ENOTDIR: 'a file is where a folder should be',
  EEXIST: 'a file is where a folder should be',
}

export function explain(stateDir: string, error: unknown): CrosshookError {
  if (error instanceof CrosshookError) return error
  const words = WORDS[codeOf(error)] ?? 'an unexpected error'
  return new CrosshookError(
    'store',
    `The journal in ${stateDir} cannot be used: ${words} (${messageOf(error)}).`,
    {
      cause: error,
    },
  )
}

export function isCorrupt(error: unknown): boolean {
  return codeOf(error) === CORRUPT || codeOf(error) === NOT_A_DATABASE
}

/** SQLite's primary result code, or the name of a system error. */
function codeOf(error: unknown): number | string {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return errcode === undefined ? (code ?? '') : errcode & 0xff
}

/** Another process holds the database. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY
}
