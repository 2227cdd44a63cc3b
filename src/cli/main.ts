#!/usr/bin/env node
/** Entry point of the command line: finds the command, runs it, reports errors. Only here does the program end. */

import { ownEnvironment } from '../host/environment.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `crosshook needs Node 22.18 or later; this is ${process.versions.node}. Install a newer Node.\n`,
  )
  process.exit(1)
}

const args = process.argv.slice(2)
const env = ownEnvironment()
// The hot path: agents call these at every step, so nothing else is loaded.
const ANSWERS = new Set(['hook', 'run-hook', 'fire'])
const isHook = args[0] === 'hook' && !args.includes('--help') && !args.includes('-h')
const door = isHook ? import('./hook.ts') : import('./run.ts')
door
  .then(({ run }) => run(args, env))
  .then((code) => {
    // An agent waits for the end of the process. Everything is written, and cleaning up would take milliseconds.
    if (ANSWERS.has(args[0]!)) process.exit(code)
    process.exitCode = code
  })
