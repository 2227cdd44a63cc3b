/** Devin CLI's tools and their canonical equivalents, from its documentation. */

import type { ToolTable } from '../../spec/tool.ts'

const PATH = { file_path: 'path' } as const

export const tools: ToolTable = {
  exec: { name: 'Shell' },
  read: { name: 'ReadFile', fields: PATH },
  write: { name: 'WriteFile', fields: PATH },
  edit: { name: 'EditFile', fields: PATH },
  grep: { name: 'Search' },
  glob: { name: 'FindFiles' },
}
