/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.claude/plugins', '.claude.json', 'Library/Application Support/ClaudeCode/managed-settings.json'],
    project: ['.mcp.json', 'hooks/hooks.json', '.claude/plugins', 'managed-settings.json'],
  },
  secrets: ['.claude/.credentials.json', '.claude.json'],
  programs: {
    claude: {
      unasked: ['--dangerously-skip-permissions', '--permission-mode=bypassPermissions'],
      unguarded: '--safe-mode --bare --disable-hooks --no-hooks --setting-sources --settings',
      variables: ['CLAUDE_CODE_SIMPLE'],
      changes: [
        'mcp add',
        'mcp add-json',
        'mcp remove',
        'mcp add-from-claude-desktop',
        'config set',
        'config add',
        'config remove',
        'plugin install',
        'plugin i',
        'plugin uninstall',
        'plugin remove',
        'plugin disable',
        'plugin enable',
        'plugin update',
        'plugin marketplace add',
        'plugin marketplace remove',
        'plugin marketplace update',
      ],
    },
  },
}
