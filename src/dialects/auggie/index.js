/** Auggie: the agent that calls us, and the hooks written for it. */
import { eventNames } from '../lib/payload.ts';
import { startedWith } from '../lib/unattended.ts';
import { capabilities } from './capabilities.ts';
import * as event from './events.ts';
import * as reply from './replies.ts';
import { tools } from './tools.ts';
export const dialect = {
    id: event.ID,
    title: 'Auggie',
    events: eventNames(event.ID, event.events),
    tools,
    format: {
        files: {
            project: ['.augment/settings.json', '.augment/settings.local.json'],
            user: ['.augment/settings.json'],
        },
        recognises,
        read: async (source) => (await import('./config.ts')).read(source),
        encode: event.encode,
        decode: reply.decode,
        write: async (entries) => (await import('./config.ts')).write(entries),
    },
    agent: {
        proven: { by: 'docs', version: 'November 2026' },
        process: { names: ['auggie'], marks: [] },
        capabilities,
        notes: ['It needs an account: what its program says was read, not run.'],
        unattended: startedWith(['-p', '--print', '--quiet']),
        decode: event.decode,
        encode: reply.encode,
        install: async () => (await import('./config.ts')).installer,
    },
};
function recognises({ path }) {
    return /(?:^|[\\/])\.?augment[\\/]settings[\w.-]*\.json$/.test(path) ? 2 : 0;
}
