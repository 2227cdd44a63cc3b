/** Claude Code's tools in canonical words. The first of several with one canonical name stands for it. */

import type { ToolTable } from '../../spec/tool.ts'

const PATH = { file_path: 'path' } as const

export const tools: ToolTable = {
  Bash: { name: 'Shell' },
  Read: { name: 'ReadFile', fields: PATH },
  Write: { name: 'WriteFile', fields: PATH },
  Edit: { name: 'EditFile', fields: PATH },
  MultiEdit: { name: 'EditFile', fields: PATH },
  NotebookEdit: { name: 'EditFile', fields: { notebook_path: 'path', new_source: 'new_string' } },
  Grep: { name: 'Search' },
  Glob: { name: 'FindFiles' },
  LS: { name: 'ListFolder' },
  WebFetch: { name: 'WebFetch' },
  WebSearch: { name: 'WebSearch' },
  Agent: { name: 'Subagent' },
  Task: { name: 'Subagent' },
  TodoWrite: { name: 'Todo' },
}
