/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.copilot/settings.json', '.copilot/config.json'],
    project: ['.github/copilot', '.github/extensions'],
  },
  secrets: ['.copilot/config.json', '.copilot/mcp-oauth-config', '.copilot/mcp-secrets'],
  programs: {
    copilot: {
      unasked: ['--allow-all-tools', '--allow-all', '--yolo'],
      changes: ['plugin install', 'plugin uninstall', 'plugin marketplace add'],
    },
  },
}
