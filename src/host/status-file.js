/** What a running daemon says of itself, for other processes of its user. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../journal/write-durably.ts';
import { isLocked } from './lock.ts';
export function writeStatus(stateDir, status) {
    writeDurably(file(stateDir), `${JSON.stringify(status)}\n`);
}
export function forgetStatus(stateDir) {
    rmSync(file(stateDir), { force: true });
}
/** Undefined when no daemon runs. One that was killed leaves its file but not its lock. */
export function readStatus(stateDir) {
    let text;
    try {
        text = readFileSync(file(stateDir), 'utf8');
    }
    catch {
        return undefined; // never started, or stopped
    }
    return isLocked(stateDir) ? JSON.parse(text) : undefined;
}
function file(stateDir) {
    return join(stateDir, 'daemon.json');
}
