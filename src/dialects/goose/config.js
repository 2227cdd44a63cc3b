/** A plugin of ours for Goose: hooks.json and the plugin.json beside it. */
import { join } from 'node:path';
import { readCommandHooks } from '../lib/command-hooks.ts';
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts';
import { parseSettings, removeEach, setNew } from '../lib/json-settings.ts';
import { eventNames, record } from '../lib/payload.ts';
import { anchoredNames, nestedSettings, wholeSeconds } from '../lib/write-hooks.ts';
import { capabilities, INSTALLED } from './capabilities.ts';
import { events, ID } from './events.ts';
import { tools } from './tools.ts';
const SHAPE = { agent: ID };
/** Long, so that the engine's own limits decide. */
const TIMEOUT_SECONDS = 600;
export const installer = {
    detect: { programs: ['goose'], folders: ['.config/goose'] },
    files: ({ home, project, level }) => {
        const folder = join(level === 'user' ? home : project, '.agents', 'plugins', 'crosshook');
        return [
            hooksFile({
                path: join(folder, 'hooks', 'hooks.json'),
                shape: SHAPE,
                entries: (command) => entryPerEvent(INSTALLED, (event) => ({
                    hooks: [
                        {
                            type: 'command',
                            command: command.line(event),
                            timeout: TIMEOUT_SECONDS,
                            ...(command.refuses?.(event) ? { on_failure: 'block' } : {}),
                        },
                    ],
                })),
            }),
            manifest(join(folder, 'plugin.json')),
        ];
    },
};
const MARK = 'x-crosshook';
const MANIFEST = [
    ['name', 'crosshook'],
    ['version', '1.0.0'],
    ['description', 'Hooks of every format, by crosshook.'],
].reduce((text, [key, value]) => setNew(text, [key], value), undefined);
/** Says what the folder is: without it no hook of the folder is found. */
function manifest(path) {
    const isMarked = (root) => Object.hasOwn(record(root), MARK);
    return {
        path,
        add: (text = MANIFEST) => (isMarked(parseSettings(text)) ? text : setNew(text, [MARK], true)),
        remove(text) {
            const rest = removeEach(text, (root) => (isMarked(root) ? [MARK] : undefined));
            return rest === MANIFEST && rest !== text ? undefined : rest;
        },
        find: (text) => isMarked(parseSettings(text)) ? [{ event: 'SessionStart', command: 'plugin.json', ours: true }] : [],
    };
}
export function read(source) {
    return readCommandHooks(source, {
        words: { id: ID, tools },
        events: eventNames(ID, events),
        capabilities,
        shapes: () => [SHAPE],
        matcher: 'search',
        timeout: ({ timeout }) => (typeof timeout === 'number' ? timeout : 30) * 1000,
        more: ({ on_failure }) => (on_failure === 'block' ? { on_failure: 'closed' } : {}),
    });
}
export function write(entries) {
    return nestedSettings(entries, { matcher: anchoredNames, timeout: wholeSeconds });
}
