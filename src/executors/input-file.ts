/** stdin of a hook as a nameless file. */

import { randomUUID } from 'node:crypto'
import { openSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Node's pipes are sockets, and a socket cannot be opened as `/dev/stdin`, as many scripts do. A file can;
 * it also needs no reader, and it is complete when the process starts. Undefined where no file can be
 * written: a full disk must not turn guards off, so that the caller then uses a pipe.
 */
export function openInput(text: string): number | undefined {
  const path = join(process.env.XDG_RUNTIME_DIR || tmpdir(), `crosshook-${randomUUID()}`)
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    const descriptor = openSync(path, 'r')
    unlinkSync(path)
    return descriptor
  } catch {
    rmSync(path, { force: true })
    return undefined
  }
}
