/** Grok Build's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

export const tools: ToolTable = {
  run_terminal_command: { name: 'Shell' },
  monitor: { name: 'Shell' },
  read_file: { name: 'ReadFile', fields: { target_file: 'path' } },
  write: { name: 'WriteFile', fields: { file_path: 'path' } },
  search_replace: { name: 'EditFile', fields: { file_path: 'path' } },
  grep: { name: 'Search' },
  list_dir: { name: 'ListFolder', fields: { target_directory: 'path' } },
  web_fetch: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
  spawn_subagent: { name: 'Subagent' },
  todo_write: { name: 'Todo' },
}

/** Aliases that Grok Build accepts in a matcher. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  Bash: ['run_terminal_command'],
  Read: ['read_file'],
  Edit: ['search_replace'],
  Write: ['search_replace', 'write'],
  MultiEdit: ['search_replace'],
  Grep: ['grep'],
  Glob: ['list_dir'],
  ListDir: ['list_dir'],
  WebSearch: ['web_search'],
  Task: ['spawn_subagent'],
}
