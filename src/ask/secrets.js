/** Secrets of channels: on a machine, files in the state folder that only their owner reads, and no tool call of an agent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateKey } from '../config/state-key.ts';
import { writeWhole } from '../config/write-whole.ts';
import { CrosshookError } from '../spec/errors.ts';
export function secretsIn(stateDir) {
    return { of: (channel) => readSecret(stateDir, channel), key: () => stateKey(stateDir) };
}
/** `*.key` directly in the state folder: see config/self-protection.ts. */
export function secretFile(stateDir, channel) {
    return join(stateDir, `approvals-${channel}.key`);
}
export function readSecret(stateDir, channel) {
    try {
        const text = readFileSync(secretFile(stateDir, channel), 'utf8').trim();
        return text === '' ? undefined : text;
    }
    catch (error) {
        if (error.code === 'ENOENT')
            return undefined;
        throw error;
    }
}
export function writeSecret(stateDir, channel, secret) {
    writeWhole(secretFile(stateDir, channel), `${secret}\n`);
}
export function requireSecret(secrets, channel) {
    const secret = secrets.of(channel);
    if (secret !== undefined)
        return secret;
    throw new CrosshookError('refused', `${channel}: there is no secret that answers could be checked with`, {
        fix: `Run \`crosshook approvals key ${channel}\`.`,
    });
}
