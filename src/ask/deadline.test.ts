import { describe, expect, it } from 'vitest'
import { DIALECTS, loadDialect } from '../dialects/list.ts'
import { secondsFor } from '../install/entry-file.ts'
import { answerSeconds, deadlineOf } from './deadline.ts'

const agents = (await Promise.all(Object.keys(DIALECTS).map(loadDialect))).filter(
  ({ agent }) => agent?.install,
)

describe('the deadline', () => {
  it('is before the relay gives up, and that before the agent does, whatever the agent waits', () => {
    for (let waits = 2; waits <= 3600; waits++) {
      expect(answerSeconds(waits)).toBeLessThan(secondsFor(waits))
      expect(secondsFor(waits)).toBeLessThan(waits)
    }
  })

  it.each(agents.map(({ id }) => id))('of %s is within its limit for every event', async (id) => {
    const dialect = await loadDialect(id)
    const installer = await dialect.agent!.install!()
    for (const event of Object.keys(dialect.agent!.capabilities)) {
      const limit = 1000 * (installer.waitSeconds?.(event) ?? 600)
      const deadline = await deadlineOf(dialect, event, { began: 0 })
      expect(deadline).toBeGreaterThan(0)
      expect(deadline).toBeLessThan(limit)
      expect(await deadlineOf(dialect, event, { began: 0, most: 0.25 })).toBe(250)
    }
  })
})
