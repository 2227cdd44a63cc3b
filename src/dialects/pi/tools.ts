/** pi's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

export const tools: ToolTable = {
  bash: { name: 'Shell' },
  powershell: { name: 'Shell' },
  read: { name: 'ReadFile' },
  write: { name: 'WriteFile' },
  edit: { name: 'EditFile' },
  grep: { name: 'Search' },
  find: { name: 'FindFiles' },
  ls: { name: 'ListFolder' },
}
