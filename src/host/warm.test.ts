import { expect, onTestFinished, test } from 'vitest'
import { NO_LOG } from './log.ts'
import { daemonOptions } from './options.ts'
import { ask, makeHome, reasonOf, shellCall } from './relay/testing.ts'
import { startDaemon } from './serve.ts'

test('the daemon answers the relay’s calls too, with the hooks that it knows', async () => {
  const home = makeHome()
  home.hook('guard', 'matcher: {tool: Shell}', {
    'scripts/run.sh': '#!/bin/sh\necho "not here" >&2\nexit 2\n',
  })
  const options = await daemonOptions(home.env)
  const daemon = await startDaemon({ ...options, log: NO_LOG })
  onTestFinished(() => daemon.stop())
  const answer = await ask(home, { payload: JSON.stringify(shellCall(home)) })
  expect(answer.status).toBe(0)
  expect(reasonOf(answer)).toContain('not here')
})

test('a socket path that is too long leaves the daemon without the relay, not without itself', async () => {
  const home = makeHome()
  const env = { ...home.env, XDG_RUNTIME_DIR: `${home.folder}/${'long/'.repeat(20)}` }
  const daemon = await startDaemon({ ...(await daemonOptions(env)), log: NO_LOG })
  onTestFinished(() => daemon.stop())
  expect(daemon.status.socket).toBeNull()
  expect((await fetch(`${daemon.status.http}/healthz`)).status).toBe(200)
})
