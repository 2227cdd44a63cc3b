/** Letta Code's settings.json: our entries in and out, and its own hooks as ours. */
import { join } from 'node:path';
import { readCommandHooks } from '../lib/command-hooks.ts';
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts';
import { eventNames, record } from '../lib/payload.ts';
import { nameList, nestedSettings } from '../lib/write-hooks.ts';
import { capabilities } from './capabilities.ts';
import { events, ID } from './events.ts';
import { tools } from './tools.ts';
const SHAPE = { agent: ID };
/** Long, so that the engine's own limits decide. */
const OUR_TIMEOUT = 600000;
const TOOL_EVENTS = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest']);
export const installer = {
    detect: { programs: ['letta'], folders: ['.letta'] },
    files: ({ home, project, level }) => [
        hooksFile({
            path: join(level === 'user' ? home : project, '.letta', 'settings.json'),
            shape: SHAPE,
            entries: (command) => entryPerEvent(Object.keys(events), (event) => ({
                ...(TOOL_EVENTS.has(event) ? { matcher: '*' } : {}),
                hooks: [{ type: 'command', command: command.line(event), timeout: OUR_TIMEOUT }],
            })),
        }),
    ],
};
export function read(source) {
    return readCommandHooks(source, {
        words: { id: ID, tools },
        events: eventNames(ID, events),
        capabilities,
        shapes: (root) => (record(root.hooks).disabled === true ? [] : [SHAPE]),
        matcher: 'whole',
        timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : 60000),
        more: (_entry, event) => (capabilities[event]?.deny ? { mode: 'sequence' } : {}),
    });
}
export function write(entries) {
    return nestedSettings(entries, { matcher: nameList, timeout: (milliseconds) => milliseconds });
}
