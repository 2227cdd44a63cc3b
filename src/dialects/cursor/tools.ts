/** Cursor's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

const PATH = { file_path: 'path' } as const

export const tools: ToolTable = {
  Shell: { name: 'Shell' },
  Read: { name: 'ReadFile', fields: PATH },
  Write: { name: 'WriteFile', fields: PATH },
  StrReplace: { name: 'EditFile', fields: PATH },
  Edit: { name: 'EditFile', fields: PATH },
  Delete: { name: 'DeleteFile', fields: PATH },
  Grep: { name: 'Search' },
  Glob: { name: 'FindFiles' },
  LS: { name: 'ListFolder' },
  WebFetch: { name: 'WebFetch' },
  WebSearch: { name: 'WebSearch' },
  Task: { name: 'Subagent' },
  TodoWrite: { name: 'Todo' },
}
