/** Cline: the agent that calls us, and the hooks written for it. */
import { eventNames } from '../lib/payload.ts';
import { capabilities } from './capabilities.ts';
import * as event from './events.ts';
import * as reply from './replies.ts';
import { tools } from './tools.ts';
export const dialect = {
    id: event.ID,
    title: 'Cline',
    events: eventNames(event.ID, event.events),
    tools,
    format: {
        files: {
            project: ['.cline/hooks/*', '.clinerules/hooks/*'],
            user: ['.cline/hooks/*', 'Documents/Cline/Hooks/*'],
        },
        recognises,
        read: async (source) => (await import('./config.ts')).read(source),
        encode: event.encode,
        decode: reply.decode,
    },
    agent: {
        proven: { by: 'run', version: '3.0.65' },
        process: { names: ['cline'], marks: ['CLINE_ACTIVE'] },
        capabilities,
        notes: [
            'A deny ends the whole run: Cline has no other way to stop a tool.',
            'A call that crosshook does not answer goes on, and one that never ends is waited for: hook files have no time limit.',
            'Cline runs one file for each event in a folder: where there is one already, crosshook is not installed.',
        ],
        decode: event.decode,
        encode: reply.encode,
        install: async () => (await import('./config.ts')).installer,
        history: async () => (await import('./history.ts')).history,
    },
};
const FILE = /(?:^|[\\/])(?:\.cline|\.clinerules|Cline)[\\/]hooks[\\/](?:TaskStart|TaskResume|UserPromptSubmit|PreToolUse|PostToolUse|TaskComplete|TaskError|TaskCancel|SessionShutdown|PreCompact)(?:\.\w+)?$/i;
function recognises({ path }) {
    return FILE.test(path) ? 2 : 0;
}
