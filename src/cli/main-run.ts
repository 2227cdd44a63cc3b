/** Entry point of `dist/cli/fire.cjs` and `dist/cli/commands.cjs`: all but agents' calls. */

import './node-version.ts'
import { run } from './run.ts'
import { start } from './start.ts'

void start(run)
