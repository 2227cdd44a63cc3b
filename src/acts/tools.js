/** The tools beside the shell: what a call does by the canonical tool, or by the names of its tool and fields. */
import { parseMcpName } from '../spec/tool.ts';
import { cutShort } from './cut.ts';
export function toolEffects(name, input) {
    const canonical = Object.hasOwn(CANONICAL, name) ? CANONICAL[name] : undefined;
    if (canonical)
        return canonical(input);
    return byFields(verbOf(parseMcpName(name)?.tool ?? name), name, input);
}
const CANONICAL = {
    Shell: (input) => commands(input),
    ReadFile: (input) => located(input, 'read'),
    WriteFile: (input) => located(input, 'write'),
    EditFile: (input) => [...located(input, 'write'), ...patched(input)],
    DeleteFile: (input) => located(input, 'delete'),
    Search: (input) => [...located(input, 'read'), ...searched(input)],
    FindFiles: () => [],
    ListFolder: () => [],
    WebFetch: (input) => urls(input),
    WebSearch: () => [],
    Subagent: () => [],
    Todo: () => [],
};
const VERBS = [
    [/^(?:move|rename|mv)$/, 'move'],
    [/^(?:copy|cp|duplicate|clone)$/, 'copy'],
    [/^(?:delete|remove|unlink|trash|rm|rmdir|erase|destroy)$/, 'delete'],
    [
        /^(?:run|exec|execute|shell|bash|terminal|command|process|stdin|spawn|eval|sh|zsh|powershell|cmd)$/,
        'run',
    ],
    [
        /^(?:write|create|save|put|append|edit|update|insert|replace|patch|modify|set|make|mkdir|touch|apply|overwrite|store)$/,
        'write',
    ],
    [/^(?:upload|send|post|publish|push|share)$/, 'send'],
    [/^(?:list|ls|stat|exists|glob|find|tree|info|directory|metadata)$/, 'look'],
    [
        /^(?:read|get|view|show|cat|open|load|fetch|download|head|tail|search|grep|content|contents|diff|query|parse|print)$/,
        'read',
    ],
];
/** `read_text_file`, `moveFile`, `fs.write`: the first word that says what it does. */
function verbOf(name) {
    if (/stdin/i.test(name))
        return 'run';
    const words = name
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .split(/[^a-z]+/);
    for (const word of words) {
        const found = VERBS.find(([test]) => test.test(word));
        if (found)
            return found[1];
    }
    return 'unknown';
}
const PATHS = /^(?:(?:absolute|relative|full|local|input|target|notebook|directory|dir|file|folder|image|repo)?_?(?:path|paths|file|files|filename|filenames|filepath|file_?paths?|file_?names?)|target|location|document|directory|folder|root|uri|resource)$/i;
const SOURCES = /^(?:source|src|from|old_?path|source_?(?:path|file)|origin|from_?path)$/i;
const TARGETS = /^(?:destination|dest|dst|to|new_?path|destination_?(?:path|file)|target_?(?:path|file)?|output|output_?(?:path|file)|save_?(?:path|to)|to_?path|out)$/i;
const COMMANDS = /^(?:command|cmd|script|shell_?command|command_?line|commands|chars|bash|shell|exec)$/i;
const URLS = /^(?:url|urls|uri|href|link|endpoint|address|webhook(?:_url)?|base_url)$/i;
function byFields(verb, name, input) {
    const effects = [];
    walk(input, 0, (field, value, around) => {
        if (COMMANDS.test(field) &&
            (verb === 'run' || verb === 'unknown' || field === 'command' || field === 'cmd')) {
            effects.push(...commands({ command: value, args: around.args ?? around.arguments }));
            return;
        }
        if (field === 'code' && verb === 'run')
            effects.push({ code: languageOf(name, around), text: text(value) });
        if (/^(?:sql|query|statement)$/i.test(field) &&
            (/sql|postgres|database|sqlite|mysql|db|bigquery|snowflake/i.test(name) || field === 'sql')) {
            effects.push({ code: 'sql', text: text(value) });
            return;
        }
        if (/^(?:https?|ftp|wss?):\/\//i.test(value)) {
            if (URLS.test(field))
                effects.push({ does: 'connect', host: text(value) }, ...(verb === 'send' ? [{ does: 'send', host: text(value), certain: false }] : []));
            return;
        }
        if (/^(?:revision|rev|ref|object|commit|treeish)$/i.test(field)) {
            const path = /^[^:\s]+:(.+)$/.exec(value)?.[1];
            if (path)
                effects.push({ does: 'read', path: text(path) });
            return;
        }
        if (SOURCES.test(field))
            effects.push({
                does: verb === 'move' ? 'delete' : 'read',
                path: text(value),
                ...(verb === 'move' && { recursive: true }),
            });
        else if (TARGETS.test(field) && !(field === 'target' && verb !== 'move' && verb !== 'copy')) {
            if (isPathLike(value, field))
                effects.push(...pathEffects(verb === 'delete' || verb === 'read' ? verb : 'write', value));
        }
        else if (PATHS.test(field))
            effects.push(...pathEffects(verb, value));
    });
    return effects;
}
/** `to: alice@example.org` is no path. */
function isPathLike(value, field) {
    return /path|file|dest|dst/i.test(field) || /[/\\.]/.test(value);
}
function pathEffects(verb, value) {
    const path = text(value);
    switch (verb) {
        case 'read':
            return [{ does: 'read', path }];
        case 'write':
            return [{ does: 'write', path }];
        case 'delete':
            return [{ does: 'delete', path, recursive: true }];
        case 'move':
            return [{ does: 'delete', path, recursive: true }];
        case 'copy':
            return [{ does: 'read', path }];
        case 'send':
            return [
                { does: 'read', path },
                { does: 'send', path },
            ];
        case 'run':
            return [{ does: 'run', path, certain: false }];
        case 'look':
            return [];
        default:
            return [{ does: 'read', path, certain: false, why: 'the tool may read it' }];
    }
}
const DEEPEST = 40;
const MOST_FIELDS = 20000;
function walk(value, depth, visit) {
    let left = MOST_FIELDS;
    const step = (each, level, field, around) => {
        if (left-- <= 0)
            cutShort(`more than ${MOST_FIELDS} fields`);
        else if (level > DEEPEST)
            cutShort(`fields more than ${DEEPEST} levels deep`);
        else if (typeof each === 'string')
            visit(field, each, around);
        else if (Array.isArray(each))
            for (const item of each)
                step(item, level + 1, field, around);
        else if (typeof each === 'object' && each !== null)
            for (const [key, inner] of Object.entries(each)) {
                if ((key === 'args' || key === 'arguments') && ('command' in each || 'cmd' in each))
                    continue;
                step(inner, level + 1, key, each);
            }
    };
    step(value, depth, '', {});
}
/** A line, a list of words, or a program with `args`. */
function commands({ command, args, cmd, script, chars }) {
    const given = command ?? cmd ?? script ?? chars;
    if (typeof given === 'string') {
        if (Array.isArray(args) && args.every((arg) => typeof arg === 'string'))
            return [{ argv: [given, ...args].map(text) }];
        return [{ script: text(given) }];
    }
    if (!Array.isArray(given))
        return [];
    const words = given.filter((word) => typeof word === 'string');
    // A list is a program and its arguments, or, when its first item has a space, several lines.
    return words[0]?.includes(' ') ? words.map((line) => ({ script: text(line) })) : [{ argv: words.map(text) }];
}
function languageOf(name, around) {
    const hint = `${name} ${typeof around.language === 'string' ? around.language : ''}`;
    if (/node|javascript|typescript|\bjs\b|deno|bun/i.test(hint))
        return 'javascript';
    if (/ruby/i.test(hint))
        return 'ruby';
    if (/bash|shell/i.test(hint))
        return 'shell';
    if (/\br\b/i.test(hint))
        return 'r';
    return 'python';
}
function located(input, does) {
    const effects = [];
    walk(input, 0, (field, value) => {
        if (/^(?:path|file_?path|absolute_path|notebook_path|paths|files|file_?paths|target_file|filename|uri)$/i.test(field))
            effects.push({ does, path: text(value), ...(does === 'delete' && { recursive: true }) });
    });
    return effects;
}
/** A search that names a file by its glob reads that file; one over a folder reads what it finds there. */
function searched(input) {
    const folder = typeof input.path === 'string' ? `${input.path.replace(/\/+$/, '')}/` : '';
    return ['glob', 'include', 'file_pattern', 'include_pattern', 'globs', 'includes'].flatMap((field) => {
        const value = input[field];
        const globs = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
        return globs.map((glob) => {
            const plain = glob.replace(/^(?:\*\*\/)+/, '');
            return { does: 'read', path: { text: folder + plain, ...(/[*?[]/.test(plain) && { glob: true }) } };
        });
    });
}
/** Files that a patch adds, changes, moves and deletes. */
function patched(input) {
    const effects = [];
    for (const field of ['patch', 'input', 'diff', 'patch_text', 'patchText']) {
        const patch = input[field];
        if (typeof patch !== 'string')
            continue;
        for (const [, does, path] of patch.matchAll(/^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/gm))
            effects.push({ does: does === 'Delete File' ? 'delete' : 'write', path: text(path) });
        for (const [, path] of patch.matchAll(/^\+\+\+ (?:b\/)?(?!\/dev\/null)(.+?)(?:\t.*)?$/gm))
            effects.push({ does: 'write', path: text(path) });
        for (const [, path] of patch.matchAll(/^--- (?:a\/)?(?!\/dev\/null)(.+?)(?:\t.*)?\n\+\+\+ \/dev\/null/gm))
            effects.push({ does: 'delete', path: text(path) });
        for (const [, path] of patch.matchAll(/^rename to (.+)$/gm))
            effects.push({ does: 'write', path: text(path) });
    }
    return effects;
}
function urls(input) {
    const effects = [];
    walk(input, 0, (field, value) => {
        if (URLS.test(field) || /^(?:https?|file):\/\//.test(value))
            effects.push({ does: 'connect', host: text(value) });
    });
    return effects;
}
function text(value) {
    return { text: value };
}
