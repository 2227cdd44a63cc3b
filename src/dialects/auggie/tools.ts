/** Auggie's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

export const tools: ToolTable = {
  'launch-process': { name: 'Shell' },
  view: { name: 'ReadFile' },
  'save-file': { name: 'WriteFile', fields: { file_content: 'content' } },
  'str-replace-editor': {
    name: 'EditFile',
    fields: { old_str_1: 'old_string', new_str_1: 'new_string' },
  },
  'remove-files': { name: 'DeleteFile', fields: { file_paths: 'paths' } },
  'codebase-retrieval': { name: 'Search', fields: { information_request: 'pattern' } },
  'web-fetch': { name: 'WebFetch' },
  'web-search': { name: 'WebSearch' },
}
