import type { EventEmitter } from 'node:events'
import { CrosshookError } from '../spec/errors.ts'

/** Resolves when the server listens; an address that cannot be had is explained. */
export function listening(server: EventEmitter, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', (error: NodeJS.ErrnoException) => {
      const fix =
        error.code === 'EADDRINUSE'
          ? 'Another program listens there: choose another port, or 0 for a free one.'
          : undefined
      const message = `The daemon cannot listen on ${what}: ${error.message}`
      reject(new CrosshookError('refused', message, { cause: error, ...(fix ? { fix } : {}) }))
    })
  })
}
