#!/usr/bin/env node
/** Entry point of the command line in the sources. The build has one for each kind of call: main-hook.ts and main-run.ts. */

import './node-version.ts'
import { isHookCall, start } from './start.ts'

const door = isHookCall(process.argv.slice(2)) ? import('./hook.ts') : import('./run.ts')
void door.then(({ run }) => start(run))
