/** Agent files, stand-alone hook files and the older context files → hooks. One bad entry is a problem of that entry only. */
import { basename } from 'node:path';
import { callsCrosshook } from '../lib/command-marker.ts';
import { parseJson } from '../lib/json-document.ts';
import { readAgentHooks } from './config-agent.ts';
import { readContextHooks } from './config-context.ts';
import { readStandaloneHooks } from './config-standalone.ts';
import { report } from './reading.ts';
import { isObject } from './tools.ts';
/** Our own entry in such a file is not a hook: run as one, it would call us without end. */
export function read(source) {
    const { hooks, problems } = readAll(source);
    const isOurs = ({ run }) => run.type === 'command' && 'command' in run && callsCrosshook(run.command);
    return { hooks: hooks.filter((hook) => !isOurs(hook)), problems };
}
function readAll(source) {
    const document = parseJson(source.text ?? '');
    const reading = {
        source,
        document,
        stem: basename(source.path).replace(/\.json$/, ''),
        loaded: { hooks: [], problems: [] },
    };
    const root = document.value;
    if (document.error)
        report(reading, { line: document.error.line }, `not valid JSON: ${document.error.message}`, 'Correct the JSON text.');
    else if (!isObject(root))
        report(reading, { path: [] }, 'the file holds no JSON object', 'Write an agent file: {"hooks": {…}}.');
    else if (root.hooks === undefined && looksLikeContext(root))
        readContextHooks(reading, root, []);
    else if (root.hooks === undefined)
        return reading.loaded;
    else if (Array.isArray(root.hooks))
        readStandaloneHooks(reading, root.hooks);
    else if (!isObject(root.hooks))
        report(reading, { path: ['hooks'] }, '`hooks` is not an object', 'Write "hooks": {"preToolUse": [{"command": "…"}]}.');
    else if (looksLikeContext(root.hooks))
        readContextHooks(reading, root.hooks, ['hooks']);
    else
        readAgentHooks(reading, root.hooks);
    return reading.loaded;
}
/** Hooks by name, each with a trigger of the older kind. */
function looksLikeContext(hooks) {
    const entries = Object.values(hooks);
    return entries.length > 0 && entries.some((entry) => isObject(entry) && typeof entry.trigger === 'string');
}
