/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.codeium/windsurf/mcp_config.json'],
    project: ['.windsurf/hooks.json'],
  },
}
