/** Continue's command line: hooks written for it. It ships everything for hooks but never fires one, so it is no caller. */
import { eventNames } from '../lib/payload.ts';
import { encode, events, ID } from './events.ts';
import { decode } from './replies.ts';
import { tools } from './tools.ts';
export const dialect = {
    id: ID,
    title: 'Continue',
    events: eventNames(ID, events),
    tools,
    format: {
        files: {
            project: ['.continue/settings.json', '.continue/settings.local.json'],
            user: ['.continue/settings.json'],
        },
        recognises,
        read: async (source) => (await import('./config.ts')).read(source),
        encode,
        decode,
    },
};
function recognises({ path }) {
    return /(?:^|[\\/])\.continue[\\/]settings[\w.-]*\.json$/.test(path) ? 2 : 0;
}
