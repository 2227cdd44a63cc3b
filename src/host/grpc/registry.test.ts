import { expect, test } from 'vitest'
import { NO_LOG } from '../log.ts'
import { place, runningDaemon } from '../testing.ts'

test('settings that have no effect are told by the log when the daemon starts, and by its status', async () => {
  const at = place()
  at.configure('crosshook/a3s.json', { maxTotalHooks: 100 })
  const lines: string[] = []
  const { ask } = await runningDaemon({ at, log: { ...NO_LOG, warn: (line) => lines.push(line) } })
  const what = expect.stringMatching(/a3s\.json:1: `maxTotalHooks` is outside of the `hooks` block/)
  expect(lines).toEqual([what])
  expect(lines[0]).toContain('{"hooks": {"maxTotalHooks": 100}}')
  const { body } = await ask('GET', '/v1/status')
  expect(body.health).toEqual({
    warnings: [
      {
        severity: 'warning',
        code: 'registered_hook_settings',
        message: what,
        action: expect.stringContaining('{"hooks": {"maxTotalHooks": 100}}'),
      },
    ],
  })
  at.configure('crosshook/a3s.json', { hooks: { maxTotalHooks: 100 } })
  expect((await ask('GET', '/v1/status')).body.health).toEqual({ warnings: [] })
})
