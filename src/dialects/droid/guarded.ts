/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.factory/plugins', '.factory/settings.local.json'],
    project: ['.factory/plugins', '.factory/settings.local.json'],
  },
  secrets: ['.factory/auth.json', '.factory/auth.encrypted'],
  programs: {
    droid: {
      unasked: ['--skip-permissions-unsafe'],
      changes: [
        'plugin install',
        'plugin remove',
        'plugin uninstall',
        'plugin disable',
        'mcp add',
        'mcp remove',
      ],
    },
  },
}
