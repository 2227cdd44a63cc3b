/** `fs_*`, `@server`, `query` … → a matcher over canonical and native names, whichever agent calls the tool. */
import { RE2JS } from 're2js';
import { mcpName } from '../../spec/tool.ts';
import { TOOL_GROUPS } from './tools.ts';
const MCP_GLOBS = ['@*', 'mcp__*'];
export function compileMatcher(pattern) {
    if (pattern === undefined || pattern === '*')
        return {};
    if (pattern === '@builtin')
        return { not: { tool_globs: MCP_GLOBS } };
    if (/[*?]/.test(pattern))
        return globMatcher(pattern);
    if (pattern.startsWith('@'))
        return mcpMatcher(pattern);
    return nameMatcher(pattern);
}
/** Stand-alone files match with a regular expression. Throws when it is none. */
export function compileRegex(pattern) {
    if (pattern === '*' || pattern === '')
        return {};
    if (pattern === '@builtin')
        return compileMatcher(pattern);
    const regex = RE2JS.compile(pattern);
    const names = expand((name) => regex.matcher(name).find());
    return { tool: names.length === 0 ? pattern : `(?:${pattern})|^(?:${names.join('|')})$` };
}
function globMatcher(glob) {
    const globs = [glob];
    if (glob.startsWith('@'))
        globs.push(`mcp__${glob.slice(1).replace('/', '__')}`);
    else if (glob.includes('/'))
        globs.push(glob.replace('/', '__'));
    return { tool_globs: [...globs, ...expand((name) => matchesGlob(glob, name))] };
}
function mcpMatcher(pattern) {
    const slash = pattern.indexOf('/');
    const server = pattern.slice(1, slash < 0 ? undefined : slash);
    if (slash < 0)
        return { tool_globs: [`@${server}/*`, mcpName(server, '*')] };
    return { tool_names: [pattern, mcpName(server, pattern.slice(slash + 1))] };
}
/** A plain word is a built-in tool, or an MCP tool by its base name. */
function nameMatcher(name) {
    const names = new Set([name, ...expand((other) => other === name)]);
    return { tool_globs: [...names, `@*/${name}`, mcpName('*', name)] };
}
/** Every name, native and canonical, of the built-in tools of which one name fits. */
function expand(fits) {
    return TOOL_GROUPS.filter(({ names }) => names.some(fits)).flatMap((row) => [
        ...row.names,
        ...row.canonical,
    ]);
}
/** `*` is any run of characters, `?` any one; goes back to the last star only, so it never explodes. */
function matchesGlob(glob, text) {
    let g = 0;
    let t = 0;
    let star = -1;
    let mark = 0;
    while (t < text.length) {
        if (glob[g] === '*') {
            star = g++;
            mark = t;
        }
        else if (g < glob.length && (glob[g] === '?' || glob[g] === text[t])) {
            g++;
            t++;
        }
        else if (star >= 0) {
            g = star + 1;
            t = ++mark;
        }
        else
            return false;
    }
    while (glob[g] === '*')
        g++;
    return g === glob.length;
}
