/** One program, until it ends: its exit counts, not its pipes, which left-over children may hold open. */

import { spawn } from 'node:child_process'

export interface Ended {
  exit: number | null
  stdout: string
  stderr: string
}

export function run(argv: string[], cwd: string, env: NodeJS.ProcessEnv, limit: number): Promise<Ended> {
  const [program = '', ...args] = argv
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const ended: Ended = { exit: null, stdout: '', stderr: '' }
    child.stdout.on('data', (data) => {
      ended.stdout += data
    })
    child.stderr.on('data', (data) => {
      ended.stderr += data
    })
    const timer = setTimeout(() => {
      ended.stderr += `\n(ended by the test after ${limit} ms)`
      process.kill(-child.pid!, 'SIGKILL')
    }, limit)
    child.on('error', reject)
    child.on('exit', (exit) => {
      clearTimeout(timer)
      // What is still in the pipes comes before the next turn of the loop.
      setImmediate(() => resolve({ ...ended, exit }))
    })
  })
}
