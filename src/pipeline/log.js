/** The log of agents' calls, for people: stdout and stderr of a call belong to the agent. */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '../redact/redact.ts';
const MAX_LOG_BYTES = 4 * 1024 * 1024;
export function logLines(stateDir, lines) {
    try {
        mkdirSync(stateDir, { recursive: true, mode: 0o700 });
        const at = new Date().toISOString();
        const log = join(stateDir, 'hook.log');
        if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES)
            renameSync(log, `${log}.old`);
        appendFileSync(log, lines.map((line) => `${at} ${redact(line)}\n`).join(''), { mode: 0o600 });
    }
    catch {
        // Nowhere left to say it.
    }
}
