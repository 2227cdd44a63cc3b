/** Letta Code's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

const PATH = { file_path: 'path' } as const

export const tools: ToolTable = {
  Bash: { name: 'Shell' },
  Read: { name: 'ReadFile', fields: PATH },
  Write: { name: 'WriteFile', fields: PATH },
  Edit: { name: 'EditFile', fields: PATH },
  MultiEdit: { name: 'EditFile', fields: PATH },
  Grep: { name: 'Search' },
  Glob: { name: 'FindFiles' },
  LS: { name: 'ListFolder' },
  Agent: { name: 'Subagent' },
  Task: { name: 'Subagent' },
  TodoWrite: { name: 'Todo' },
}
