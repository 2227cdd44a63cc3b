/** The daemon's own log: one JSON line for each thing that an operator may want to know, with secrets redacted. */

import { mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pino } from 'pino'
import { redact } from '../redact/redact.ts'

export interface Log {
  info(text: string, fields?: Record<string, unknown>): void
  warn(text: string, fields?: Record<string, unknown>): void
  error(text: string, fields?: Record<string, unknown>): void
}

/** At this size a log is rotated; one old log is kept. */
const MAX_LOG_BYTES = 16 * 1024 * 1024
const LOOK_EVERY_LINES = 500

/** Without a file: stderr, for a daemon in the foreground. */
export function createLog(file?: string): Log {
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const destination = pino.destination({ dest: file ?? 2, sync: true, mode: 0o600 })
  // A full disk must not end the daemon.
  destination.on('error', () => {})
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  let lines = 0
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (text: string, fields: Record<string, unknown> = {}) => {
      if (file !== undefined && lines++ % LOOK_EVERY_LINES === 0 && makeRoom(file)) destination.reopen()
      logger[level](fields, redact(text))
    }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

function makeRoom(file: string): boolean {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < MAX_LOG_BYTES) return false
  renameSync(file, `${file}.1`)
  return true
}

export const NO_LOG: Log = { info() {}, warn() {}, error() {} }
