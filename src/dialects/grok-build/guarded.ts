/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: [
      '.grok/config.toml',
      '.grok/managed_config.toml',
      '.grok/requirements.toml',
      '.grok/disabled-hooks',
      '.grok/trusted_folders.toml',
      '.grok/plugins',
      '.grok/installed-plugins',
    ],
    project: ['.grok/config.toml', '.grok/plugins'],
  },
  secrets: ['.grok/auth.json'],
  programs: {
    grok: {
      unasked: ['--always-approve'],
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
