/** A process that outlives us, under a supervisor that enforces its time limit. */

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../spec/errors.ts'
import { type Failure, failure } from '../spec/outcome.ts'
import { openInput, openOutput } from './input-file.ts'
import type { Start } from './process.ts'
import { startFailure } from './start-failure.ts'

/**
 * The clock is one `sleep`. A program that ends first kills the clock, and nothing else happens: children that it left
 * behind go on. Otherwise the whole group is killed, the supervisor last. Descriptor 3 keeps stdin, because a shell
 * gives its background jobs an empty one. A further attempt opens it again, to read from the beginning. Exit code 2 is
 * an answer, not a failure.
 */
const SUPERVISOR = `
exec 3<&0 </dev/null
PATH="$PATH:/usr/bin:/bin" sleep "$1" 3<&- >/dev/null 2>&1 & clock=$!
node=$2 filter=$3 log=$4 end=$5 retries=$6 attempt=0
shift 6
note() {
  if [ -n "$end" ]; then
    echo "$attempt $1 $(PATH="$PATH:/usr/bin:/bin" date +%s)" > "$end.tmp"
    PATH="$PATH:/usr/bin:/bin" mv "$end.tmp" "$end"
  fi
}
[ -z "$end" ] || echo $$ > "$end.pid"
keep() { if [ -n "$filter" ] && [ -s /dev/fd/1 ]; then "$node" "$filter" "$log"; fi; }
{
  while :; do
    attempt=$((attempt + 1))
    if [ "$attempt" -eq 1 ]; then "$@" <&3 3<&-; else "$@" </dev/fd/3 3<&-; fi
    code=$?
    [ "$code" -ne 0 ] && [ "$code" -ne 2 ] && [ "$attempt" -le "$retries" ] || break
  done
  note "$code"
  kill "$clock" 2>/dev/null
} &
exec 3<&-
wait "$clock" 2>/dev/null || { wait; keep; exit 0; }
trap '' TERM
attempt=1
note timeout
echo 'crosshook: the time limit was reached' >&2
kill -TERM 0
sleep 0.1
keep
kill -KILL 0
`

export interface DetachedOptions {
  log: string
  timeout: number
  /**
   * A program of ours that gets the log and, as its stdout, a nameless file with everything that was printed, and
   * appends to the log what may be stored. Without it everything is stored.
   */
  filter?: string
  /** Number of restarts when it fails, within the time limit. */
  retries?: number
  /** File in which the supervisor writes how it ended: attempts, exit code or `timeout`, seconds since 1970. */
  end?: string
  /** Called when the supervisor ends while this process runs. */
  ended?: () => void
}

export function spawnDetached(
  start: Start,
  { log, timeout, filter = '', retries = 0, end = '', ended }: DetachedOptions,
): Promise<{ pid: number } | Failure> {
  return new Promise((resolve) => {
    const descriptors: number[] = []
    try {
      const input = openInput(start.input, start.env)
      if (input === undefined)
        return resolve(failure('Cannot write the input of the hook to a temporary file'))
      descriptors.push(input)
      mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
      const output =
        filter === '' ? openSync(log, 'a', 0o600) : (openOutput(start.env) ?? openSync('/dev/null', 'a'))
      descriptors.push(output)
      const child = spawn(
        '/bin/sh',
        [
          '-c',
          SUPERVISOR,
          'crosshook',
          String(timeout / 1000),
          process.execPath,
          filter,
          log,
          end,
          String(retries),
          start.file,
          ...start.args,
        ],
        { cwd: start.cwd, env: start.env, stdio: [input, output, output], detached: true, windowsHide: true },
      )
      child.once('error', (error) => resolve(startFailure(error, start)))
      child.once('spawn', () => resolve({ pid: child.pid as number }))
      if (ended) child.once('exit', ended)
      child.unref()
    } catch (thrown) {
      resolve(failure(`Cannot start ${start.file} in the background: ${messageOf(thrown)}`))
    } finally {
      for (const descriptor of descriptors) closeSync(descriptor)
    }
  })
}
