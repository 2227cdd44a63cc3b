/** Goose's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

const EDIT = { before: 'old_string', after: 'new_string' } as const

export const tools: ToolTable = {
  developer__shell: { name: 'Shell' },
  shell: { name: 'Shell' },
  developer__write: { name: 'WriteFile' },
  write: { name: 'WriteFile' },
  developer__edit: { name: 'EditFile', fields: EDIT },
  edit: { name: 'EditFile', fields: EDIT },
  developer__text_editor: { name: 'EditFile', fields: { old_str: 'old_string', new_str: 'new_string' } },
  developer__tree: { name: 'ListFolder' },
  tree: { name: 'ListFolder' },
  todo__write: { name: 'Todo' },
  subagent: { name: 'Subagent' },
  delegate: { name: 'Subagent' },
}

/** `extension__tool` of extensions that are not built in is a tool of an MCP server. */
const BUILT_IN = new Set(['developer', 'todo', 'platform', 'subagent', 'memory'])

export function canonicalName(native: string): string {
  const [, extension, tool] = /^(.+?)__(.+)$/.exec(native) ?? []
  return extension === undefined || BUILT_IN.has(extension) ? native : `mcp__${extension}__${tool}`
}
