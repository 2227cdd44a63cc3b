import type { EventEmitter } from 'node:events'
import { CrosshookError } from '../spec/errors.ts'

/** Resolves when the server listens; rejects with an explanation when the address is not available. */
export function listening(server: EventEmitter, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', (error: NodeJS.ErrnoException) => {
      const fix = FIXES[error.code ?? ''] ?? 'Choose an address of this machine, such as 127.0.0.1:0.'
      const message = `The daemon cannot listen on ${what}: ${error.message}`
      reject(new CrosshookError('refused', message, { cause: error, fix }))
    })
  })
}

const FIXES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program listens there: choose another port, or 0 for a free one.',
  EACCES: 'Ports below 1024 are not for everybody: choose a higher one, or 0 for a free one.',
}
