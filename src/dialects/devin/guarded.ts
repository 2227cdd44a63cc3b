/** What guards must know of this agent: where its hooks can be changed, where its credentials are, how it starts without hooks. */

import type { Guarded } from '../../spec/dialect.ts'

export const guarded: Guarded = {
  files: { user: ['.config/devin/config.json'], project: ['.devin/config.json', '.devin/config.local.json'] },
  secrets: ['.config/devin/credentials.json', '.local/share/devin/credentials.toml'],
}
