/** OpenHands' tools in canonical words. One tool reads, makes and edits files: its command says which. */
import { toCanonicalTool, toNativeInput } from '../../spec/tool.ts';
const FILE = { old_str: 'old_string', new_str: 'new_string', file_text: 'content' };
export const tools = {
    terminal: { name: 'Shell' },
    execute_bash: { name: 'Shell' },
    file_editor: { name: 'EditFile', fields: FILE },
    str_replace_editor: { name: 'EditFile', fields: FILE },
    grep: { name: 'Search' },
    glob: { name: 'FindFiles' },
    delegate: { name: 'Subagent' },
    task: { name: 'Subagent' },
    task_tracker: { name: 'Todo', fields: { task_list: 'todos' } },
};
const EDITORS = new Set(['file_editor', 'str_replace_editor']);
export function toCanonical(name, input) {
    const call = toCanonicalTool(tools, name, input);
    if (!EDITORS.has(name))
        return call;
    const kind = input.command === 'view' ? 'ReadFile' : input.command === 'create' ? 'WriteFile' : 'EditFile';
    return { name: kind, input: call.input };
}
const COMMANDS = {
    ReadFile: 'view',
    WriteFile: 'create',
    EditFile: 'str_replace',
};
/** The call that stands for a canonical one, for hooks written for OpenHands. */
export function toNativeCall(name, input) {
    const command = COMMANDS[name];
    if (command !== undefined)
        return { name: 'file_editor', input: { command, ...toNativeInput(tools, 'file_editor', input) } };
    const native = Object.keys(tools).find((key) => tools[key].name === name);
    return native === undefined ? { name, input } : { name: native, input: toNativeInput(tools, native, input) };
}
