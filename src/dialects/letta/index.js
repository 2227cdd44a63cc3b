/** Letta Code: the agent that calls us, and the hooks written for it. */
import { eventNames } from '../lib/payload.ts';
import { startedWith } from '../lib/unattended.ts';
import { capabilities } from './capabilities.ts';
import * as event from './events.ts';
import * as reply from './replies.ts';
import { tools } from './tools.ts';
export const dialect = {
    id: event.ID,
    title: 'Letta Code',
    events: eventNames(event.ID, event.events),
    tools,
    format: {
        files: {
            project: ['.letta/settings.json', '.letta/settings.local.json'],
            user: ['.letta/settings.json'],
        },
        recognises,
        read: async (source) => (await import('./config.ts')).read(source),
        encode: event.encode,
        decode: reply.decode,
        write: async (entries) => (await import('./config.ts')).write(entries),
    },
    agent: {
        proven: { by: 'run', version: '0.25.9' },
        process: { names: ['letta', 'letta-code'], marks: [] },
        capabilities,
        notes: [
            "Letta Code goes on when a hook fails or is late: crosshook's entry refuses before that.",
            'Without a terminal only the events of tools fire.',
            'Events of tools carry no session: the id of the agent stands for it.',
        ],
        unattended: startedWith(['-p', '--prompt']),
        decode: event.decode,
        encode: reply.encode,
        install: async () => (await import('./config.ts')).installer,
        history: async () => (await import('./history.ts')).history,
    },
};
function recognises({ path }) {
    return /(?:^|[\\/])\.letta[\\/]settings[\w.-]*\.json$/.test(path) ? 2 : 0;
}
