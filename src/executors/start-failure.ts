/** Why a program did not start, in words that say what to fix. */

import { existsSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { messageOf } from '../spec/errors.ts'
import { type Failure, failure } from '../spec/outcome.ts'
import type { Start } from './process.ts'

export function startFailure(thrown: unknown, start: Start): Failure {
  const code = (thrown as NodeJS.ErrnoException).code ?? ''
  return failure(`Cannot start ${start.file}: ${reason(code, thrown, start)}`, {
    retryable: code === 'EAGAIN' || code === 'EMFILE' || code === 'ENOMEM' || code === 'ETXTBSY',
  })
}

function reason(code: string, thrown: unknown, start: Start): string {
  if (start.cwd && !isFolder(start.cwd)) return `its working directory ${start.cwd} does not exist`
  if (code === 'ENOENT' && !isAbsolute(start.file)) return 'no such program on PATH'
  if (code === 'ENOENT' && existsSync(start.file)) {
    return 'the interpreter in its first line (#!) was not found; check its path and for Windows line ends'
  }
  if (code === 'ENOENT') return 'no such file'
  if (code === 'EACCES') return 'permission denied; check that the file and its interpreter are executable'
  if (code === 'E2BIG') return 'its arguments and environment are larger than the system allows'
  return messageOf(thrown)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // whatever the error, nothing can run there
  }
}
