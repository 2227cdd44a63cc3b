/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.gemini/extensions', '.gemini/config/hooks.json'],
    project: ['.gemini/extensions'],
  },
  secrets: [
    '.gemini/oauth_creds.json',
    '.gemini/google_accounts.json',
    '.gemini/a2a-oauth-tokens.json',
    '.gemini/mcp-oauth-tokens*.json',
    '.gemini/gemini-credentials.json',
    '.gemini/config/hooks.json',
    '.gemini/config/mcp_config.json',
  ],
  programs: {
    gemini: {
      unasked: ['--yolo', '-y', '--approval-mode=yolo'],
      variables: ['GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH'],
      changes: [
        'hooks disable',
        'hooks enable',
        'extensions install',
        'extensions uninstall',
        'extensions disable',
        'extensions enable',
        'extensions link',
        'mcp add',
        'mcp remove',
      ],
    },
  },
}
