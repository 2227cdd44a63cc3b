/** OpenClaw's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

export const tools: ToolTable = {
  exec: { name: 'Shell' },
  read: { name: 'ReadFile' },
  write: { name: 'WriteFile' },
  edit: { name: 'EditFile' },
  apply_patch: { name: 'EditFile', fields: { input: 'patch' } },
  grep: { name: 'Search' },
  find: { name: 'FindFiles' },
  ls: { name: 'ListFolder' },
  web_fetch: { name: 'WebFetch' },
  web_search: { name: 'WebSearch' },
  sessions_spawn: { name: 'Subagent', fields: { task: 'prompt', agentId: 'subagent_type' } },
}
