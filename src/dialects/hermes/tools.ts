/** Hermes Agent's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

export const tools: ToolTable = {
  terminal: { name: 'Shell' },
  read_file: { name: 'ReadFile' },
  write_file: { name: 'WriteFile' },
  patch: { name: 'EditFile' },
  search_files: { name: 'Search' },
  web_extract: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
  delegate_task: { name: 'Subagent', fields: { goal: 'prompt' } },
  todo: { name: 'Todo' },
}
