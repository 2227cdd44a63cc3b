/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.gemini/config/plugins', '.gemini/antigravity-cli/settings.json'],
    project: ['.agent/hooks.json', '_agents/hooks.json', '_agent/hooks.json'],
  },
  secrets: ['.gemini/antigravity-cli/oauth_creds.json'],
  programs: {
    agy: { changes: ['plugin install', 'plugin remove', 'plugin disable', 'mcp add', 'mcp remove'] },
  },
}
