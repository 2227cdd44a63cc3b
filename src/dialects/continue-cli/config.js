/** The hooks in Continue's settings.json as ours. */
import { readCommandHooks } from '../lib/command-hooks.ts';
import { eventNames } from '../lib/payload.ts';
import { events, ID } from './events.ts';
import { tools } from './tools.ts';
/** Events on which an answer could stop something, if Continue fired them. */
const BLOCKING = [
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PermissionRequest',
    'Stop',
    'SubagentStop',
];
const capabilities = Object.fromEntries(BLOCKING.map((name) => [name, { event: events[name].event, deny: true, effects: [] }]));
export function read(source) {
    return readCommandHooks(source, {
        words: { id: ID, tools },
        events: eventNames(ID, events),
        capabilities,
        shapes: () => [{ agent: ID }],
        matcher: 'search',
        timeout: ({ timeout, type }) => (typeof timeout === 'number' ? timeout : type === 'http' ? 30 : 600) * 1000,
    });
}
