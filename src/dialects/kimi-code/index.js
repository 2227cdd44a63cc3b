/** Kimi Code: the agent that calls us, and the hooks written for it. */
import { eventNames } from '../lib/payload.ts';
import { capabilities } from './capabilities.ts';
import * as event from './events.ts';
import * as reply from './replies.ts';
import { tools } from './tools.ts';
export const dialect = {
    id: event.ID,
    title: 'Kimi Code',
    events: eventNames(event.ID, event.events),
    tools,
    format: {
        files: { project: [], user: ['.kimi-code/config.toml'] },
        recognises,
        read: async (source) => (await import('./config.ts')).read(source),
        write: async (entries) => (await import('./config.ts')).write(entries),
        encode: event.encode,
        decode: reply.decode,
    },
    agent: {
        proven: { by: 'run', version: '2.1.0' },
        process: { names: ['kimi', 'kimi-cli', 'kimi-code'], marks: [] },
        capabilities,
        notes: [
            "One bad [[hooks]] entry, anybody's, switches every hook off, with one line on stderr.",
            'There are no hooks of a project.',
            "Kimi Code goes on when a hook fails or is late: crosshook's entry refuses before that.",
            'An ask and a rewritten input become a deny.',
        ],
        decode: event.decode,
        encode: reply.encode,
        install: async () => (await import('./config.ts')).installer,
        history: async () => (await import('./history.ts')).history,
    },
};
function recognises({ path, text }) {
    if (/^\s*\[\[hooks\]\]\s*(?:#.*)?$/m.test(text ?? ''))
        return 2;
    return /(?:^|[\\/])\.kimi(?:-code)?[\\/]config\.toml$/.test(path) ? 1 : 0;
}
