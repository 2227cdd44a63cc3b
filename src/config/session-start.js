/**
 * The folder in which a session began. Its project's hooks hold for the whole session, wherever the agent goes: a `cd`
 * to another folder, or to a repository inside this one, takes no guard away.
 */
import { readFileSync } from 'node:fs';
import { sha256Hex } from '../fast/digest.ts';
import { within } from '../fast/within.ts';
import { isMac, mac, readStateKey, stateKey } from './state-key.ts';
import { writeWhole } from './write-whole.ts';
const MOST_KNOWN = 1000;
export function openSessionStarts(stateDir) {
    const known = new Map();
    return {
        of(sessionId, workDir, isBeginning) {
            if (sessionId === '')
                return workDir;
            const kept = isBeginning ? undefined : (known.get(sessionId) ?? read(stateDir, sessionId));
            const start = kept ?? workDir;
            if (known.size > MOST_KNOWN)
                known.clear();
            known.set(sessionId, start);
            if (kept === undefined)
                write(stateDir, sessionId, start);
            return start;
        },
    };
}
function fileOf(stateDir, sessionId) {
    return within(stateDir, `sessions/${sha256Hex(sessionId).slice(0, 32)}/start`);
}
function read(stateDir, sessionId) {
    try {
        const [proof, start = ''] = readFileSync(fileOf(stateDir, sessionId), 'utf8').split('\n');
        const key = readStateKey(stateDir);
        return key && isMac(proof, key, 'session', `${sessionId}\0${start}`) ? start : undefined;
    }
    catch {
        return undefined; // its first event, or a state folder that cannot be read
    }
}
function write(stateDir, sessionId, start) {
    try {
        const proof = mac(stateKey(stateDir), 'session', `${sessionId}\0${start}`);
        writeWhole(fileOf(stateDir, sessionId), `${proof}\n${start}\n`);
    }
    catch {
        // A state folder that cannot be written is told of where records are kept; this process remembers.
    }
}
