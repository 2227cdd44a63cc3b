/** OpenHands: the agent that calls us, and the hooks written for it. */
import { eventNames } from '../lib/payload.ts';
import { capabilities } from './capabilities.ts';
import * as event from './events.ts';
import * as reply from './replies.ts';
import { tools } from './tools.ts';
export const dialect = {
    id: event.ID,
    title: 'OpenHands',
    events: eventNames(event.ID, event.events),
    tools,
    format: {
        files: { project: ['.openhands/hooks.json'], user: ['.openhands/hooks.json'] },
        recognises,
        read: async (source) => (await import('./config.ts')).read(source),
        encode: event.encode,
        decode: reply.decode,
        write: async (entries) => (await import('./config.ts')).write(entries),
    },
    agent: {
        proven: { by: 'docs', version: '2026' },
        process: { names: ['openhands', 'openhands-cli'], marks: [] },
        capabilities,
        notes: ["OpenHands goes on when a hook fails or is late: crosshook's entry refuses before that."],
        decode: event.decode,
        encode: reply.encode,
        install: async () => (await import('./config.ts')).installer,
    },
};
function recognises({ path }) {
    return /(?:^|[\\/])\.openhands[\\/]hooks\.json$/.test(path) ? 2 : 0;
}
