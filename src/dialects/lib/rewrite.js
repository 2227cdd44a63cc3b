/** A rewritten canonical input as the whole native one: what the agent sent, with the rewritten fields in it. */
import { toCanonicalTool, toNativeInput, toNativeTool } from '../../spec/tool.ts';
import { record } from './payload.ts';
export function wholeNativeInput(tools, event, updated, original = record(event.native).tool_input) {
    const name = event.native_tool_name ?? '';
    return { ...record(original), ...toNativeInput(tools, name, updated) };
}
/** An input that a hook of this format rewrote, in canonical fields. */
export function canonicalInput(tools, event, input) {
    const canonical = typeof event.tool_name === 'string' ? event.tool_name : '';
    const native = event.native_tool_name ?? '';
    const name = Object.hasOwn(tools, native) && tools[native].name === canonical
        ? native
        : toNativeTool(tools, canonical, {}).name;
    return toCanonicalTool(tools, name, input).input;
}
