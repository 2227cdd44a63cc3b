/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  secrets: [
    '.kimi-code/server.token',
    '.kimi-code/credentials',
    '.kimi-code/mcp-oauth',
    '.kimi/credentials',
    '.kimi/mcp-oauth',
    '.kimi/server.token',
  ],
  programs: {
    kimi: {
      unasked: ['--yolo'],
      changes: ['mcp add', 'mcp remove', 'plugin install', 'plugin remove'],
    },
  },
}
