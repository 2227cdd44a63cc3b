/** Antigravity's tools and their canonical equivalents, from its documentation. */

import type { ToolTable } from '../../spec/tool.ts'

export const tools: ToolTable = {
  run_command: { name: 'Shell', fields: { CommandLine: 'command' } },
  view_file: { name: 'ReadFile', fields: { AbsolutePath: 'path' } },
  write_to_file: { name: 'WriteFile', fields: { TargetFile: 'path', CodeContent: 'content' } },
  replace_file_content: {
    name: 'EditFile',
    fields: { TargetFile: 'path', TargetContent: 'old_string', ReplacementContent: 'new_string' },
  },
  multi_replace_file_content: {
    name: 'EditFile',
    fields: { TargetFile: 'path', ReplacementChunks: 'edits' },
  },
  grep_search: { name: 'Search', fields: { Query: 'pattern', SearchPath: 'path' } },
  find_by_name: { name: 'FindFiles', fields: { Pattern: 'pattern', SearchDirectory: 'path' } },
  list_dir: { name: 'ListFolder', fields: { DirectoryPath: 'path' } },
  read_url_content: { name: 'WebFetch', fields: { Url: 'url' } },
  search_web: { name: 'WebSearch' },
}
