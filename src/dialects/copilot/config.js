/** Copilot CLI's hook files: our entries in and out, and its own hooks as ours. */
import { join } from 'node:path';
import { readCommandHooks } from '../lib/command-hooks.ts';
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts';
import { isOurs, listEntries } from '../lib/nested-hooks.ts';
import { eventNames, isRecord, string } from '../lib/payload.ts';
import { flatSettings, nameList, wholeSeconds } from '../lib/write-hooks.ts';
import { capabilities, INSTALLED } from './capabilities.ts';
import { events, ID } from './events.ts';
import { tools } from './tools.ts';
const SHAPE = { agent: ID, flat: true };
/** Long, so that the engine's own limits decide. */
const TIMEOUT_SECONDS = 600;
export const installer = {
    detect: { programs: ['copilot'], folders: ['.copilot'] },
    files: ({ home, project, env, level }) => [
        hooksFile({
            path: level === 'user'
                ? join(env.COPILOT_HOME || join(home, '.copilot'), 'hooks', 'crosshook.json')
                : join(project, '.github', 'hooks', 'crosshook.json'),
            shape: SHAPE,
            head: { version: 1 },
            entries: (command) => entryPerEvent(INSTALLED, (event) => ({
                type: 'command',
                command: command.line(event),
                timeoutSec: TIMEOUT_SECONDS,
            })),
        }),
    ],
    activity: ({ home, env }) => [join(env.COPILOT_HOME || join(home, '.copilot'), 'session-state')],
};
export function read(source) {
    return readCommandHooks(source, {
        words: { id: ID, tools },
        events: eventNames(ID, events),
        capabilities,
        // Events in PascalCase may also be written as in other agents, with groups.
        shapes: (root) => {
            const nested = listEntries(root, { agent: ID }).some(({ entry }) => !isOurs(entry, SHAPE));
            return nested ? [{ agent: ID }] : [SHAPE];
        },
        matcher: 'whole',
        mode: 'sequence',
        command: (entry) => string(entry.bash) ?? string(entry.command),
        timeout: (entry) => Number(entry.timeoutSec ?? entry.timeout ?? 30) * 1000,
        more: (entry) => (isRecord(entry.env) ? { env: entry.env } : {}),
    });
}
export function write(entries) {
    return flatSettings(entries, {
        head: { version: 1 },
        matcher: nameList,
        entry: (command, timeout) => ({ type: 'command', command, timeoutSec: wholeSeconds(timeout) }),
    });
}
