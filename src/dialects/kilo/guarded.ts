/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: {
    user: ['.config/kilo/plugin', '.config/kilo/plugins'],
    project: ['.kilo/plugin', '.kilo/plugins', 'kilo.json', 'kilo.jsonc'],
  },
  secrets: ['.local/share/kilo/auth.json'],
  programs: {
    kilo: {
      unguarded: '--pure',
    },
  },
}
