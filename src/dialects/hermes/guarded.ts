/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: { user: ['.hermes/shell-hooks-allowlist.json', '.hermes/plugins', '.hermes/hooks'] },
  secrets: ['.hermes/.env', '.hermes/auth.json'],
  programs: {
    hermes: {
      unasked: ['--yolo'],
      unguarded: '--safe-mode --ignore-user-config',
      changes: [
        'hooks revoke',
        'hooks remove',
        'config set',
        'config unset',
        'plugins install',
        'plugins remove',
        'plugins disable',
        'mcp add',
        'mcp remove',
      ],
    },
  },
}
