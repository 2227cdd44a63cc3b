/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: { user: ['.openclaw/openclaw.json', '.openclaw/extensions'] },
  secrets: ['.openclaw/credentials', '.openclaw/agents/*/agent/auth-profiles.json', '.openclaw/.env'],
  programs: {
    openclaw: {
      unguarded: '--profile --dev',
      changes: [
        // It runs the agent without any plugin.
        'agent exec',
        'config set',
        'config unset',
        'config patch',
        'configure',
        'plugins disable',
        'plugins install',
        'plugins uninstall',
        'reset',
        'uninstall',
      ],
    },
  },
}
