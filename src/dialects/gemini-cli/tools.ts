/** Gemini CLI's tools in canonical words. The first of several with one canonical name stands for it. */

import { mcpName, parseMcpName, type ToolTable } from '../../spec/tool.ts'
import { type Payload, record, string } from '../lib/payload.ts'

const FILE = { file_path: 'path' } as const
const FOLDER = { dir_path: 'path' } as const

export const tools: ToolTable = {
  run_shell_command: { name: 'Shell' },
  read_file: { name: 'ReadFile', fields: FILE },
  write_file: { name: 'WriteFile', fields: FILE },
  replace: { name: 'EditFile', fields: FILE },
  grep_search: { name: 'Search', fields: FOLDER },
  search_file_content: { name: 'Search', fields: FOLDER },
  glob: { name: 'FindFiles', fields: FOLDER },
  list_directory: { name: 'ListFolder', fields: FOLDER },
  web_fetch: { name: 'WebFetch' },
  google_web_search: { name: 'WebSearch' },
  invoke_agent: { name: 'Subagent', fields: { agent_name: 'subagent_type' } },
  write_todos: { name: 'Todo' },
}

/** `mcp_SERVER_TOOL` cannot be split reliably; the payload has server and tool separately. */
export function canonicalToolName(native: string, payload: Payload): string {
  const { server_name, tool_name } = record(payload.mcp_context)
  const server = string(server_name)
  const tool = string(tool_name)
  return server && tool ? mcpName(server, tool) : native
}

export function nativeToolName(canonical: string): string {
  const found = parseMcpName(canonical)
  return found ? `mcp_${found.server}_${found.tool}` : canonical
}
