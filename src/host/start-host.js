/** Starts the daemon for a question that waits, when none runs. A start that fails leaves the other channels. */
import { paths } from '../config/paths.ts';
import { logLines } from '../pipeline/log.ts';
import { messageOf } from '../spec/errors.ts';
import { startDetached } from './control.ts';
import { plainEnvironment } from './relay/start.ts';
import { readStatus } from './status-file.ts';
/** Of one process, one start at a time. */
let starting;
export function startHost(env) {
    const { state } = paths(env);
    // A program that only holds crosshook within itself is not what a daemon is made of.
    if (starting || !/(?:^|[\\/])main\.[cm]?[jt]s$/.test(process.argv[1] ?? '') || readStatus(state))
        return;
    starting = startDetached(plainEnvironment(env), [], [])
        .catch((error) => {
        // Somebody else was quicker.
        if (!readStatus(state))
            logLines(state, [`the daemon, which asks people, could not be started: ${messageOf(error)}`]);
    })
        .finally(() => {
        starting = undefined;
    });
}
