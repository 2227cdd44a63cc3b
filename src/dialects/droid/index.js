/** Factory Droid: the agent that calls us, and the hooks written for it. */
import { eventNames } from '../lib/payload.ts';
import { capabilities } from './capabilities.ts';
import * as event from './events.ts';
import * as reply from './replies.ts';
import { tools } from './tools.ts';
export const dialect = {
    id: event.ID,
    title: 'Factory Droid',
    events: eventNames(event.ID, event.events),
    tools,
    format: {
        files: {
            project: ['.factory/hooks.json', '.factory/settings.json'],
            user: ['.factory/hooks.json', '.factory/settings.json'],
        },
        recognises,
        read: async (source) => (await import('./config.ts')).read(source),
        encode: event.encode,
        decode: reply.decode,
        write: async (entries) => (await import('./config.ts')).write(entries),
    },
    agent: {
        proven: { by: 'run', version: '0.225.2' },
        process: { names: ['droid'], marks: [] },
        capabilities,
        notes: [
            "Droid goes on when a hook fails or is late: crosshook's entry refuses before that.",
            'In hooks.json the events are the keys of the file: below a key "hooks" they are ignored.',
            'Subagents run in a daemon of its own, which needs an account: whether hooks fire in them is not proven.',
            'An organisation can switch off all hooks but its own (allowManagedHooksOnly).',
        ],
        decode: event.decode,
        encode: reply.encode,
        install: async () => (await import('./config.ts')).installer,
        history: async () => (await import('./history.ts')).history,
    },
};
function recognises({ path }) {
    return /(?:^|[\\/])\.factory[\\/](?:hooks[\\/])?(?:hooks|settings)[\w.-]*\.json$/.test(path) ? 2 : 0;
}
