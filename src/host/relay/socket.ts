/** Listens under a temporary name, sets the mode, then renames: the last process to do so holds the socket's name. */

import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import type { Server } from 'node:net'
import { dirname } from 'node:path'
import { CrosshookError } from '../../spec/errors.ts'
import { isPipe } from './place.ts'

export interface Place {
  isHeld(): boolean
  leave(): void
}

/** Longest path that fits into a socket address, less a dot and a pid. */
const MAX_PATH_BYTES = 103 - 11

export async function takePlace(server: Server, path: string): Promise<Place> {
  if (isPipe(path)) return takePipe(server, path)
  const folder = dirname(path)
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new CrosshookError('refused', `${path} is too long for a socket`, {
      fix: 'Set XDG_RUNTIME_DIR to a shorter path.',
    })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = statSync(folder)
  if (process.getuid && uid !== process.getuid())
    throw new CrosshookError('refused', `${folder} belongs to somebody else`, {
      fix: 'Set XDG_RUNTIME_DIR to a folder of your own.',
    })
  chmodSync(folder, 0o700)
  const temporary = `${path}.${process.pid}`
  rmSync(temporary, { force: true })
  await listen(server, temporary)
  chmodSync(temporary, 0o600)
  const mark = markOf(temporary)
  renameSync(temporary, path)
  const isHeld = () => markOf(path) === mark
  return {
    isHeld,
    leave: () => {
      if (isHeld()) rmSync(path, { force: true })
    },
  }
}

/** A pipe's name cannot be taken over while its process holds it. Other users may not write to it. */
async function takePipe(server: Server, path: string): Promise<Place> {
  await listen(server, path)
  return { isHeld: () => server.listening, leave: () => {} }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path, backlog: 511 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function markOf(path: string): string {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}:${found.birthtimeNs}` : '-'
}
