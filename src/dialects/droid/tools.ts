/** Droid's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

const PATH = { file_path: 'path' } as const

export const tools: ToolTable = {
  Execute: { name: 'Shell' },
  Read: { name: 'ReadFile', fields: PATH },
  Create: { name: 'WriteFile', fields: PATH },
  Edit: { name: 'EditFile', fields: { file_path: 'path', old_str: 'old_string', new_str: 'new_string' } },
  ApplyPatch: { name: 'EditFile', fields: { input: 'patch' } },
  Grep: { name: 'Search' },
  Glob: { name: 'FindFiles', fields: { patterns: 'pattern', folder: 'path' } },
  LS: { name: 'ListFolder', fields: { directory_path: 'path' } },
  FetchUrl: { name: 'WebFetch' },
  WebSearch: { name: 'WebSearch' },
  Task: { name: 'Subagent' },
  TodoWrite: { name: 'Todo' },
}
