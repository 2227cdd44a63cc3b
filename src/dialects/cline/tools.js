/** Cline's tools in canonical words, those of its command line and those of its editor extension. */
import { toCanonicalTool, toNativeInput } from '../../spec/tool.ts';
import { isRecord, record, string } from '../lib/payload.ts';
export const tools = {
    run_commands: { name: 'Shell' },
    execute_command: { name: 'Shell' },
    read_files: { name: 'ReadFile' },
    read_file: { name: 'ReadFile' },
    write_to_file: { name: 'WriteFile' },
    editor: { name: 'EditFile', fields: { old_text: 'old_string', new_text: 'new_string' } },
    replace_in_file: { name: 'EditFile', fields: { diff: 'patch' } },
    search_codebase: { name: 'Search' },
    search_files: { name: 'Search', fields: { regex: 'pattern' } },
    list_files: { name: 'ListFolder' },
    fetch_web_content: { name: 'WebFetch' },
    web_fetch: { name: 'WebFetch' },
    web_search: { name: 'WebSearch' },
    spawn_agent: { name: 'Subagent', fields: { task: 'prompt' } },
    use_subagents: { name: 'Subagent' },
};
/** Lists become the one text or path that hooks look at, and stay beside it. */
export function toCanonical(name, input) {
    if (name === 'run_commands')
        return { name: 'Shell', input: { command: commandText(input.commands), ...input } };
    if (name === 'read_files') {
        const path = pathsOf(input.files)[0];
        return { name: 'ReadFile', input: path === undefined ? input : { path, ...input } };
    }
    if (name === 'search_codebase' && Array.isArray(input.queries))
        return { name: 'Search', input: { pattern: input.queries.join('\n'), ...input } };
    if (name === 'fetch_web_content' && Array.isArray(input.requests)) {
        const url = string(record(input.requests[0]).url);
        return { name: 'WebFetch', input: url === undefined ? input : { url, ...input } };
    }
    if (name === 'editor' && isWholeFile(input)) {
        const { new_text, ...rest } = input;
        return { name: 'WriteFile', input: { ...rest, content: new_text } };
    }
    return toCanonicalTool(tools, name, input);
}
/** A rewritten canonical input as the whole native one: Cline puts it in the place of the old. */
export function toNative(name, updated, original) {
    if (name === 'run_commands') {
        const { command, commands = original.commands, ...rest } = updated;
        const text = string(command);
        const isChanged = text !== undefined && text !== commandText(original.commands);
        return { ...original, ...rest, commands: isChanged ? [text] : commands };
    }
    if (name === 'read_files') {
        const { path, files = original.files, ...rest } = updated;
        const isChanged = string(path) !== undefined && path !== pathsOf(original.files)[0];
        return { ...original, ...rest, files: isChanged ? [{ path }] : files };
    }
    if (name === 'fetch_web_content') {
        const { url, requests = original.requests, ...rest } = updated;
        const [first, ...others] = Array.isArray(requests) ? requests : [];
        return {
            ...original,
            ...rest,
            requests: string(url) === undefined ? requests : [{ ...record(first), url }, ...others],
        };
    }
    if (name === 'search_codebase') {
        const { pattern, queries = original.queries, ...rest } = updated;
        const text = string(pattern);
        const isChanged = text !== undefined && Array.isArray(original.queries) && text !== original.queries.join('\n');
        return { ...original, ...rest, queries: isChanged ? [text] : queries };
    }
    if (name === 'editor' && isWholeFile(original)) {
        const { content, ...rest } = updated;
        return { ...original, ...rest, ...(content === undefined ? {} : { new_text: content }) };
    }
    return { ...original, ...toNativeInput(tools, name, updated) };
}
/** The call that stands for a canonical one, for hooks written for Cline. */
export function toNativeCall(name, input) {
    if (name === 'Shell')
        return { name: 'run_commands', input: { commands: [input.command] } };
    if (name === 'ReadFile')
        return { name: 'read_files', input: { files: [{ path: input.path }] } };
    if (name === 'WriteFile')
        return { name: 'editor', input: { path: input.path, new_text: input.content } };
    if (name === 'WebFetch')
        return { name: 'fetch_web_content', input: { requests: [{ url: input.url }] } };
    if (name === 'Search')
        return { name: 'search_codebase', input: { queries: [input.pattern] } };
    const native = Object.keys(tools).find((key) => tools[key].name === name);
    return native === undefined ? { name, input } : { name: native, input: toNativeInput(tools, native, input) };
}
function isWholeFile(input) {
    return input.old_text === undefined && input.insert_line === undefined;
}
function commandText(commands) {
    if (!Array.isArray(commands))
        return string(commands) ?? '';
    return commands
        .map((command) => (isRecord(command) ? (string(command.command) ?? '') : String(command)))
        .join('\n');
}
function pathsOf(files) {
    if (!Array.isArray(files))
        return [];
    return files.flatMap((file) => string(file) ?? string(record(file).path) ?? []);
}
