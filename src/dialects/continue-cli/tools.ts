/** The tools of Continue's command line in canonical words. */

import type { ToolTable } from '../../spec/tool.ts'

export const tools: ToolTable = {
  Bash: { name: 'Shell' },
  Read: { name: 'ReadFile', fields: { filepath: 'path' } },
  Write: { name: 'WriteFile', fields: { filepath: 'path' } },
  Edit: { name: 'EditFile', fields: { file_path: 'path' } },
  MultiEdit: { name: 'EditFile', fields: { file_path: 'path' } },
  Search: { name: 'Search' },
  List: { name: 'ListFolder', fields: { dirpath: 'path' } },
  Fetch: { name: 'WebFetch' },
  Checklist: { name: 'Todo' },
}
