/** Any agent's own name of a tool means that tool in every agent. */
import { TOOLS } from '../../spec/tool.ts';
import { TOOL_WORDS } from './gen/words.ts';
/**
 * `Bash` → `Bash|^Shell$`: the pattern also finds the canonical names of the tools that its words name. One with anchors
 * says exactly which name it means, and stays as it is.
 */
export function inEveryAgent(pattern) {
    const words = wordsOf(pattern);
    if (words === undefined || /[\^$]/.test(pattern))
        return pattern;
    const more = words.flatMap((word) => (Object.hasOwn(TOOL_WORDS, word) ? TOOL_WORDS[word] : []));
    const missing = [...new Set(more)].filter((name) => !words.includes(name));
    return [pattern, ...missing.map((name) => `^${name}$`)].join('|');
}
/** Words of a pattern that no agent's tool is called by, and that are part of no name either. */
export function unknownTools(pattern) {
    const known = toolWords();
    return (wordsOf(pattern) ?? []).filter((word) => !/^(?:mcp_|@)/.test(word) && !known.some((name) => name.includes(word)));
}
/** Canonical names first. */
export function toolWords() {
    return [...Object.keys(TOOLS), ...Object.keys(TOOL_WORDS)];
}
/** The alternatives, where they are plain names: `Bash`, `^Bash$`, `Write|Edit`, `^(Write|Edit)$`. */
function wordsOf(pattern) {
    const [, inner = pattern] = /^\^\((?:\?:)?([^()]*)\)\$$/.exec(pattern) ?? [];
    const words = inner.split('|').map((word) => word.replace(/^\^/, '').replace(/\$$/, ''));
    return words.every((word) => /^[\w-]+$/.test(word)) ? words : undefined;
}
