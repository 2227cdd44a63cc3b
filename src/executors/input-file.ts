/** A hook's input or output as a nameless file. */

import { openSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Node's pipes are sockets, and a socket cannot be opened as `/dev/stdin`, as many scripts do. A file can; it also
 * needs no reader, and it is complete when the process starts. Undefined when no file can be written: a full disk must
 * not turn guards off, so the caller then uses a pipe.
 */
export function openInput(text: string, env: NodeJS.ProcessEnv): number | undefined {
  return open(text, 'r', env)
}

/** Empty; written by one process and read by another that inherits it. */
export function openOutput(env: NodeJS.ProcessEnv): number | undefined {
  return open('', 'a+', env)
}

function open(text: string, flags: string, { XDG_RUNTIME_DIR }: NodeJS.ProcessEnv): number | undefined {
  return (XDG_RUNTIME_DIR ? openIn(XDG_RUNTIME_DIR, text, flags) : undefined) ?? openIn(tmpdir(), text, flags)
}

function openIn(folder: string, text: string, flags: string): number | undefined {
  const path = join(folder, `crosshook-${process.pid}-${process.hrtime.bigint()}`)
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  } catch (thrown) {
    // A file that already existed, perhaps a trap, is not ours to remove.
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true })
    return undefined
  }
  try {
    return openSync(path, flags)
  } finally {
    unlinkSync(path)
  }
}
