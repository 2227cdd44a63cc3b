/** Codex's tools and their canonical equivalents. */

import type { ToolTable } from '../../spec/tool.ts'

export const tools: ToolTable = {
  Bash: { name: 'Shell' },
  apply_patch: { name: 'EditFile', fields: { command: 'patch' } },
  view_image: { name: 'ReadFile' },
  spawn_agent: { name: 'Subagent', fields: { message: 'prompt', agent_type: 'subagent_type' } },
}

/** Other names that matchers accept. */
export const aliases: Readonly<Record<string, readonly string[]>> = {
  Write: ['apply_patch'],
  Edit: ['apply_patch'],
  Agent: ['spawn_agent'],
}
