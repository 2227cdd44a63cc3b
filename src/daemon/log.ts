/** The daemon's own log: one JSON line for each thing that an operator may want to know. No secret reaches it. */

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { pino } from 'pino'
import { redact } from '../journal/redact.ts'

export interface Log {
  info(text: string, fields?: Record<string, unknown>): void
  warn(text: string, fields?: Record<string, unknown>): void
  error(text: string, fields?: Record<string, unknown>): void
}

/** Without a file: stderr, for whoever keeps the daemon in the foreground. */
export function createLog(file?: string): Log {
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const destination = pino.destination({ dest: file ?? 2, sync: true, mode: 0o600 })
  // A full disk must not end the daemon.
  destination.on('error', () => {})
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (text: string, fields: Record<string, unknown> = {}) =>
      logger[level](fields, redact(text))
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

export const NO_LOG: Log = { info() {}, warn() {}, error() {} }
