/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  programs: {
    q: {
      changes: ['mcp add', 'mcp remove', 'agent set-default'],
    },
  },
}
