/**
 * A program of its own: reads what a background hook printed from the file at stdout and writes it to the log,
 * redacted.
 */

import { fstatSync, readSync, renameSync, statSync } from 'node:fs'
import { learnSecrets, redactClipped } from '../../redact/redact.ts'
import { appendText } from '../../spec/read-file.ts'

const MAX_KEPT_CHARS = 64 * 1024
const MAX_LOG_BYTES = 1024 * 1024

// It runs with the environment of the hook.
learnSecrets(process.env)

const log = process.argv[2]!
// Slightly more than what is stored, so that truncation is noticed.
const bytes = Buffer.alloc(Math.min(fstatSync(1).size, MAX_KEPT_CHARS * 2))
readSync(1, bytes, 0, bytes.length, 0)
if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(log, `${log}.old`)
appendText(log, redactClipped(bytes.toString(), MAX_KEPT_CHARS))
