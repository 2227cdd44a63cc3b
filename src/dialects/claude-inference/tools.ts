/** Tools that the provider's own products offer, in canonical words; others keep their names. */

import type { ToolTable } from '../../spec/tool.ts'

const PATH = { file_path: 'path' } as const

export const tools: ToolTable = {
  Bash: { name: 'Shell' },
  bash: { name: 'Shell' },
  bash_tool: { name: 'Shell' },
  Read: { name: 'ReadFile', fields: PATH },
  Write: { name: 'WriteFile', fields: PATH },
  Edit: { name: 'EditFile', fields: PATH },
  Grep: { name: 'Search' },
  Glob: { name: 'FindFiles' },
  WebFetch: { name: 'WebFetch' },
  web_fetch: { name: 'WebFetch' },
  WebSearch: { name: 'WebSearch' },
  web_search: { name: 'WebSearch' },
  Task: { name: 'Subagent' },
}
