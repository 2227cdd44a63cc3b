/** Hermes Agent: the agent that calls us, and the hooks written for it. */
import { eventNames } from '../lib/payload.ts';
import { capabilities } from './capabilities.ts';
import * as event from './events.ts';
import * as reply from './replies.ts';
import { tools } from './tools.ts';
export const dialect = {
    id: event.ID,
    title: 'Hermes Agent',
    events: eventNames(event.ID, event.events),
    tools,
    format: {
        closedBy: 'fail_closed: true',
        files: { project: [], user: ['.hermes/config.yaml'] },
        recognises,
        read: async (source) => (await import('./config.ts')).read(source),
        write: async (entries) => (await import('./config.ts')).write(entries),
        encode: event.encode,
        decode: reply.decode,
    },
    agent: {
        proven: { by: 'run', version: '0.19.0' },
        process: { names: ['hermes', 'hermes-agent'], marks: ['HERMES_SESSION_ID'] },
        capabilities,
        notes: [
            "Hermes Agent goes on when a hook fails or is late: crosshook's entry refuses before that.",
            'It asks about every new hook at the terminal, and skips it without a word where there is none: `crosshook install` can record the agreement.',
            'It waits 5 minutes at most for an answer.',
            'With --safe-mode it runs no hook.',
        ],
        decode: event.decode,
        encode: reply.encode,
        install: async () => (await import('./config.ts')).installer,
        history: async () => (await import('./history.ts')).history,
    },
};
function recognises({ path, text }) {
    if (/(?:^|[\\/])\.hermes[\\/](?:profiles[\\/][^\\/]+[\\/])?config\.yaml$/.test(path))
        return 2;
    return /^hooks:[\s\S]*^\s+pre_(?:tool|llm)_call:/m.test(text ?? '') ? 2 : 0;
}
