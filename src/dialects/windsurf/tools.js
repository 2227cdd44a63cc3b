/** Windsurf's tools in canonical words. It never names them: the event is the kind of tool. */
import { mcpName } from '../../spec/tool.ts';
import { record, string } from '../lib/payload.ts';
export const tools = {
    run_command: { name: 'Shell', fields: { command_line: 'command' } },
    read_code: { name: 'ReadFile', fields: { file_path: 'path' } },
    write_code: { name: 'EditFile', fields: { file_path: 'path' } },
};
export const MCP = 'mcp_tool_use';
/** `pre_run_command` → `run_command`. */
export function toolOf(event) {
    const name = event.replace(/^(?:pre|post)_/, '');
    return name === MCP || Object.hasOwn(tools, name) ? name : undefined;
}
/** A tool of an MCP server in canonical words. */
export function mcpCall(info) {
    const name = mcpName(string(info.mcp_server_name) ?? 'unknown', string(info.mcp_tool_name) ?? 'unknown');
    return { name, input: record(info.mcp_tool_arguments) };
}
