/** Kilo: our plugin in it calls us. Its own plugins are programs, not hooks that could run elsewhere. */
import { outputPluginCapabilities } from '../lib/output-plugin-capabilities.ts';
import { outputPluginEvents, outputPluginInput, outputPluginTools } from '../lib/output-plugin-events.ts';
import { eventNames } from '../lib/payload.ts';
import { encodePluginReply } from '../lib/plugin-reply.ts';
import { decode, ID } from './events.ts';
export const dialect = {
    id: ID,
    title: 'Kilo',
    events: eventNames(ID, outputPluginEvents),
    tools: outputPluginTools,
    agent: {
        proven: { by: 'run', version: '7.7.9' },
        process: { names: ['kilo', 'kilocode'], marks: [] },
        capabilities: outputPluginCapabilities(ID, {
            deny: true,
            note: 'The reason is sent as a new prompt once the agent is idle.',
        }),
        notes: [
            'The plugin lets a call pass when crosshook is not on the machine any more, and refuses it when crosshook fails.',
            'The plugin is named in the settings: in a folder of plugins Kilo would install packages beside it first.',
        ],
        decode,
        encode: (outcome, event) => encodePluginReply(outcome, event, outputPluginTools, outputPluginInput(event)),
        install: async () => (await import('./config.ts')).installer,
        history: async () => (await import('./history.ts')).history,
    },
};
