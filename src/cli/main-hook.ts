/** Entry point of `dist/cli/hot.cjs`: agents' calls. */

import './node-version.ts'
import { run } from './hook.ts'
import { start } from './start.ts'

void start(run)
