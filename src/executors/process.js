/** The life of one child process: start, input, output, time limit, end. */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { now as clock } from '../fast/clock.ts';
import { failure, isFailure } from '../spec/outcome.ts';
import { endGroup } from './end-group.ts';
import { openInput } from './input-file.ts';
import { collect } from './output.ts';
import { startFailure } from './start-failure.ts';
import { timedOut } from './time-limit.ts';
/** After the process has ended, children that hold its output get so long between two writes, and in all. */
const QUIET = 20;
const LINGER = 200;
export async function runProcess(start, limits, spawner) {
    if (limits.signal.aborted)
        return timedOut(limits.timeout);
    const outcome = await spawner?.run(start, limits);
    if (outcome !== undefined)
        return outcome;
    if (limits.signal.aborted)
        return timedOut(limits.timeout);
    const child = begin(start);
    return isFailure(child) ? child : follow(child, start, limits);
}
function follow(child, start, limits) {
    return new Promise((resolve) => {
        const stdout = collect(child.stdout, limits.limit, overflow);
        const stderr = collect(child.stderr, limits.limit, overflow);
        let ended = false;
        let quiet;
        const onAbort = () => stop(timedOut(limits.timeout));
        limits.signal.addEventListener('abort', onAbort, { once: true });
        child.once('error', (error) => finish(startFailure(error, start)));
        child.once('close', (code, signal) => finish(result(code, signal)));
        if (!limits.awaitsOutput) {
            child.once('exit', (code, signal) => {
                limits.signal.removeEventListener('abort', onAbort);
                whenQuiet(() => finish(result(code, signal)));
            });
        }
        function result(code, signal) {
            return {
                exit_code: code,
                signal,
                stdout: stdout.text(),
                stderr: stderr.text(),
                ...(stdout.isCut() && { truncated: true }),
                ...(stderr.isCut() && { stderr_truncated: true }),
            };
        }
        function overflow() {
            if (limits.onOverflow === 'fail')
                stop(failure(`hook output exceeded ${limits.limit} bytes`));
        }
        /** What it says while it is being ended does not count any more. */
        function stop(reason) {
            if (ended || child.pid === undefined)
                return;
            ended = true;
            endGroup(child.pid, hasEnded).then(() => settle(reason));
        }
        function hasEnded() {
            return child.exitCode !== null || child.signalCode !== null;
        }
        function finish(outcome) {
            if (ended)
                return;
            ended = true;
            settle(outcome);
        }
        function settle(outcome) {
            limits.signal.removeEventListener('abort', onAbort);
            clearTimeout(quiet);
            for (const stream of child.stdio)
                stream?.destroy();
            resolve(outcome);
        }
        /** What the process itself wrote is in the pipe by now; `close` comes first unless children hold it. */
        function whenQuiet(then) {
            const deadline = clock() + LINGER;
            const wait = (seen) => {
                quiet = setTimeout(() => {
                    // A loop that was busy runs its timers before it reads: look only after it has read.
                    setImmediate(() => {
                        if (ended)
                            return;
                        const now = stdout.received() + stderr.received();
                        if (now === seen || clock() > deadline)
                            then();
                        else
                            wait(now);
                    });
                }, QUIET);
            };
            wait(stdout.received() + stderr.received());
        }
    });
}
function begin(start) {
    const input = openInput(start.input, start.env);
    try {
        const child = spawn(start.file, start.args, {
            cwd: start.cwd,
            env: start.env,
            stdio: [input ?? 'pipe', 'pipe', 'pipe'],
            detached: true, // a process group of its own, so that all of it can be ended
            windowsHide: true,
        });
        child.stdin?.on('error', () => { }); // EPIPE: it ended without reading, which is its right
        child.stdin?.end(start.input);
        return child;
    }
    catch (thrown) {
        return startFailure(thrown, start);
    }
    finally {
        if (input !== undefined)
            closeSync(input);
    }
}
