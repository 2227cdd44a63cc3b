/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.pi/agent/settings.json'],
    project: ['.pi/settings.json'],
  },
  secrets: ['.pi/agent/auth.json'],
  programs: {
    pi: {
      unguarded: '--no-extensions -ne',
      changes: ['install', 'remove', 'uninstall'],
    },
  },
}
