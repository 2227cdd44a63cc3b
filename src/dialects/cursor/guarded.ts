/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.cursor/mcp.json'],
    project: ['.cursor/mcp.json'],
  },
  secrets: ['.cursor/auth.json', '.cursor/projects/*/mcp-auth.json', '.config/cursor/auth.json'],
  programs: {
    'cursor-agent': {
      unasked: ['--force', '-f', '--yolo'],
      changes: ['mcp enable', 'mcp login'],
    },
  },
}
