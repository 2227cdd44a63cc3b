/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.qwen/extensions'],
    project: ['.qwen/extensions'],
  },
  secrets: ['.qwen/oauth_creds.json'],
  programs: {
    qwen: {
      unasked: ['--yolo', '-y', '--approval-mode=yolo'],
      unguarded: '--bare',
      variables: ['QWEN_CODE_SYSTEM_SETTINGS_PATH', 'QWEN_CODE_SYSTEM_DEFAULTS_PATH'],
      changes: [
        'hooks disable',
        'extensions install',
        'extensions uninstall',
        'extensions disable',
        'mcp add',
        'mcp remove',
      ],
    },
  },
}
