/** Goose: the agent that calls us, and the hooks written for it. */
import { eventNames } from '../lib/payload.ts';
import { capabilities } from './capabilities.ts';
import * as event from './events.ts';
import * as reply from './replies.ts';
import { tools } from './tools.ts';
export const dialect = {
    id: event.ID,
    title: 'Goose',
    events: eventNames(event.ID, event.events),
    tools,
    format: {
        closedBy: 'on_failure: block',
        files: {
            project: ['.agents/plugins/*/hooks/hooks.json'],
            user: ['.agents/plugins/*/hooks/hooks.json'],
        },
        recognises,
        read: async (source) => (await import('./config.ts')).read(source),
        encode: event.encode,
        decode: reply.decode,
        write: async (entries) => (await import('./config.ts')).write(entries),
    },
    agent: {
        proven: { by: 'docs', version: '1.38' },
        process: { names: ['goose', 'goosed'], marks: ['GOOSE_TERMINAL'] },
        capabilities,
        notes: [
            "Goose goes on when a hook fails or is late: crosshook's entry refuses before that.",
            'It takes a block before a tool and at the stop, and nothing else: no context, no rewritten input.',
        ],
        decode: event.decode,
        encode: reply.encode,
        install: async () => (await import('./config.ts')).installer,
    },
};
function recognises({ path }) {
    return /(?:^|[\\/])\.agents[\\/]plugins[\\/][^\\/]+[\\/]hooks[\\/]hooks\.json$/.test(path) ? 2 : 0;
}
