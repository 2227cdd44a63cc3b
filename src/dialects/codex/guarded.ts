/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.codex/rules'],
    project: [],
  },
  secrets: ['.codex/auth.json', '.codex/secrets', '.codex/.sandbox-secrets'],
  programs: {
    codex: {
      unasked: ['--dangerously-bypass-approvals-and-sandbox', '--yolo'],
      unguarded: '--ignore-user-config --no-hooks --dangerously-bypass-hook-trust',
      settings: { options: '-c --config --disable --enable', begin: ['hooks', 'features', 'codex_hooks'] },
      changes: [
        'mcp add',
        'mcp remove',
        'plugin add',
        'plugin remove',
        'plugin marketplace add',
        'features disable',
        'features enable',
      ],
    },
  },
}
