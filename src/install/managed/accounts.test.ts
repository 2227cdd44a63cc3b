import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { processesOf } from './accounts.ts'

it('knows what a user runs, until it has ended', async () => {
  const own = process.getuid!()
  const child = spawn('sleep', ['600'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  expect(processesOf(own)).toContainEqual({ pid: child.pid, name: expect.any(String) })
  expect(processesOf(4_000_000_000)).toEqual([])
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(processesOf(own).map(({ pid }) => pid)).not.toContain(child.pid)
})
