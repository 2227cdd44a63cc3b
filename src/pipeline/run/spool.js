/**
 * Background hooks that have been promised and not yet recorded: one file each, written before the answer leaves. Whoever
 * comes after the process that made the promise finds them here. What a file says is run, so it carries a MAC.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMac, MAC_LENGTH, mac, readStateKey, stateKey } from '../../config/state-key.ts';
import { writeWhole } from '../../config/write-whole.ts';
import { within } from '../../fast/within.ts';
export function spoolFolder(stateDir) {
    return within(stateDir, 'background/spool');
}
export function spool(stateDir) {
    const folder = spoolFolder(stateDir);
    const file = (id, kind) => join(folder, `${id}.${kind}`);
    function put(promised) {
        const body = JSON.stringify(promised);
        writeWhole(file(promised.id, 'json'), `${mac(stateKey(stateDir), 'background', body)}\n${body}`);
    }
    return {
        put,
        /** Where the supervisor of a program writes how it ended. */
        endFile: (id) => file(id, 'end'),
        ids() {
            try {
                return readdirSync(folder).flatMap((name) => {
                    if (name.endsWith('.taken'))
                        giveBack(join(folder, name));
                    return name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [];
                });
            }
            catch {
                return []; // no background hook has run yet
            }
        },
        /** Undefined where it is gone, or not ours. */
        read(id) {
            try {
                const text = readFileSync(file(id, 'json'), 'utf8');
                const body = text.slice(MAC_LENGTH + 1);
                const key = readStateKey(stateDir);
                if (!key || !isMac(text.slice(0, MAC_LENGTH), key, 'background', body))
                    return undefined;
                return JSON.parse(body);
            }
            catch {
                return undefined; // another process has just seen to it
            }
        },
        end(id) {
            try {
                const [attempts, exit, at] = readFileSync(file(id, 'end'), 'utf8').trim().split(' ');
                const code = exit === 'timeout' ? exit : Number(exit);
                return { attempts: Number(attempts), exit: code, at: Number(at) * 1000 };
            }
            catch {
                return undefined; // it has not ended
            }
        },
        supervisor(id) {
            try {
                return Number(readFileSync(file(id, 'end.pid'), 'utf8').trim()) || undefined;
            }
            catch {
                return undefined; // none has started
            }
        },
        /** Of several processes only one gets it. */
        take(id) {
            try {
                renameSync(file(id, 'json'), join(folder, `${id}.taken`));
                return true;
            }
            catch {
                return false;
            }
        },
        forget(id) {
            for (const name of [`${id}.json`, `${id}.taken`, `${id}.end`, `${id}.end.pid`])
                rmSync(join(folder, name), { force: true });
        },
    };
}
/** Whoever took it has been ended before it was done. */
function giveBack(taken) {
    try {
        if (Date.now() - statSync(taken).ctimeMs > ABANDONED_MS)
            renameSync(taken, taken.replace(/\.taken$/, '.json'));
    }
    catch {
        // Its taker is done with it.
    }
}
/** Recording takes milliseconds. */
const ABANDONED_MS = 60000;
