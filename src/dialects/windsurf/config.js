/** Windsurf's hooks.json: our entries in and out, and its own hooks as ours. */
import { join } from 'node:path';
import { readCommandHooks } from '../lib/command-hooks.ts';
import { entryPerEvent, hooksFile } from '../lib/hooks-file.ts';
import { eventNames } from '../lib/payload.ts';
import { capabilities, INSTALLED } from './capabilities.ts';
import { events, ID } from './events.ts';
import { MCP, toolOf, tools } from './tools.ts';
const SHAPE = { agent: ID, flat: true };
/** Nothing is documented; other formats settle on this. */
const TIMEOUT = 60000;
export const installer = {
    waitSeconds: () => TIMEOUT / 1000,
    detect: { programs: ['windsurf'], folders: ['.codeium/windsurf'] },
    files: ({ home, project, level }) => [
        hooksFile({
            path: level === 'user'
                ? join(home, '.codeium', 'windsurf', 'hooks.json')
                : join(project, '.windsurf', 'hooks.json'),
            shape: SHAPE,
            entries: (command) => entryPerEvent(INSTALLED, (event) => ({ command: command.line(event), show_output: false })),
        }),
    ],
};
export function read(source) {
    return readCommandHooks(source, {
        words: { id: ID, tools },
        events: eventNames(ID, events),
        capabilities,
        shapes: () => [SHAPE],
        matcher: 'none',
        special,
        timeout: () => TIMEOUT,
    });
}
const KINDS = {
    run_command: { tool_names: ['Shell', 'run_command'] },
    read_code: { tool_names: ['ReadFile', 'read_code'] },
    write_code: { tool_names: ['EditFile', 'WriteFile', 'write_code'] },
    [MCP]: { tool: '^mcp' },
};
/** The event is the kind of tool. */
function special(event) {
    return KINDS[toolOf(event) ?? ''];
}
