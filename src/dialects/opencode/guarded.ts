/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.config/opencode/plugins', '.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
    project: ['.opencode/plugins', 'opencode.json', 'opencode.jsonc'],
  },
  secrets: [
    '.local/share/opencode/auth.json',
    '.local/share/opencode/mcp-auth.json',
    '.local/share/opencode/opencode*.db*',
  ],
  programs: {
    opencode: {
      unguarded: '--pure',
      variables: [
        'OPENCODE_CONFIG',
        'OPENCODE_CONFIG_DIR',
        'OPENCODE_CONFIG_CONTENT',
        'OPENCODE_DISABLE_DEFAULT_PLUGINS',
      ],
      changes: ['plugin', 'mcp add'],
    },
  },
}
