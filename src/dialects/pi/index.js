/** pi: our extension in it calls us. Its own extensions are programs, not hooks that could run elsewhere. */
import { eventNames, record } from '../lib/payload.ts';
import { encodePluginReply } from '../lib/plugin-reply.ts';
import { capabilities } from './capabilities.ts';
import { decode, events, ID } from './events.ts';
import { tools } from './tools.ts';
export const dialect = {
    id: ID,
    title: 'pi',
    events: eventNames(ID, events),
    tools,
    agent: {
        proven: { by: 'run', version: '0.87.1' },
        process: { names: ['pi', 'pi-coding-agent'], marks: [] },
        capabilities,
        notes: [
            'The extension lets a call pass when crosshook is not on the machine any more, and refuses it when crosshook fails.',
            'pi has no subagents.',
        ],
        decode,
        encode: (outcome, event) => encodePluginReply(outcome, event, tools, record(event.native).input),
        install: async () => (await import('./config.ts')).installer,
        history: async () => (await import('./history.ts')).history,
    },
};
