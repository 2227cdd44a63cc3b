/** One program, until it ends: its exit counts, not its pipes, which left-over children may hold open. */

import { spawn } from 'node:child_process'

export interface Ended {
  exit: number | null
  stdout: string
  stderr: string
}

export interface Limits {
  time: number
  /** Asked now and then: has it gone on for too long, by another measure than time? */
  isTooMuch?: () => boolean
}

export function run(argv: string[], cwd: string, env: NodeJS.ProcessEnv, limits: Limits): Promise<Ended> {
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
    const start = Date.now()
    const timer = setInterval(() => {
      const isLate = Date.now() - start > limits.time
      if (!isLate && !limits.isTooMuch?.()) return
      ended.stderr += `\n(ended by the test: ${isLate ? 'out of time' : 'no end in sight'})`
      process.kill(-child.pid!, 'SIGKILL')
    }, 250)
    child.on('error', reject)
    child.on('exit', (exit) => {
      clearInterval(timer)
      // What is still in the pipes comes before the next turn of the loop.
      setImmediate(() => resolve({ ...ended, exit }))
    })
  })
}
