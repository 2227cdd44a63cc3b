/** Crush's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

const PATH = { file_path: 'path' } as const

export const tools: ToolTable = {
  bash: { name: 'Shell' },
  view: { name: 'ReadFile', fields: PATH },
  write: { name: 'WriteFile', fields: PATH },
  edit: { name: 'EditFile', fields: PATH },
  multiedit: { name: 'EditFile', fields: PATH },
  grep: { name: 'Search' },
  glob: { name: 'FindFiles' },
  ls: { name: 'ListFolder' },
  fetch: { name: 'WebFetch' },
  agentic_fetch: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
  agent: { name: 'Subagent' },
  todos: { name: 'Todo' },
}
