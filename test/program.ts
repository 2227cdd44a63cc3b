/** The built program, which starts in half the time of its sources. `npm test` builds it first. */

import { join } from 'node:path'

export const PROGRAM = join(import.meta.dirname, '../dist/cli/main.cjs')
