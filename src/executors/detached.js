/** A process that outlives us, under a supervisor that keeps its time limit. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../spec/errors.ts';
import { failure } from '../spec/outcome.ts';
import { openInput, openOutput } from './input-file.ts';
import { startFailure } from './start-failure.ts';
/**
 * The clock is one `sleep`. The program, when it ends first, ends the clock, and nothing else happens:
 * children that it left behind go on. Otherwise the whole group ends, the supervisor last.
 * Descriptor 3 keeps stdin, because a shell gives its background jobs an empty one. A further attempt opens it again, to
 * read from its beginning. Exit code 2 is an answer, not a failure.
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
`;
export function spawnDetached(start, { log, timeout, filter = '', retries = 0, end = '', ended }) {
    return new Promise((resolve) => {
        const descriptors = [];
        try {
            const input = openInput(start.input, start.env);
            if (input === undefined)
                return resolve(failure('Cannot write the input of the hook to a temporary file'));
            descriptors.push(input);
            mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
            const output = filter === '' ? openSync(log, 'a', 0o600) : (openOutput(start.env) ?? openSync('/dev/null', 'a'));
            descriptors.push(output);
            const child = spawn('/bin/sh', [
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
            ], { cwd: start.cwd, env: start.env, stdio: [input, output, output], detached: true, windowsHide: true });
            child.once('error', (error) => resolve(startFailure(error, start)));
            child.once('spawn', () => resolve({ pid: child.pid }));
            if (ended)
                child.once('exit', ended);
            child.unref();
        }
        catch (thrown) {
            resolve(failure(`Cannot start ${start.file} in the background: ${messageOf(thrown)}`));
        }
        finally {
            for (const descriptor of descriptors)
                closeSync(descriptor);
        }
    });
}
