import { afterAll, describe, expect, it } from 'vitest'
import { closeBrowser, killHost, signedIn, startAgain, startHost } from './browser.ts'
import { looksRight } from './look.ts'

afterAll(closeBrowser)

const HOOK = `---
name: no-force
description: no forced pushes
trigger: before_tool
matcher: {does: rewrite_history}
outcome: {decision: deny, reason: no forced pushes}
---
`

function line(id: string, command: string): string {
  const content = [{ type: 'tool_use', id, name: 'Bash', input: { command } }]
  return `${JSON.stringify({ type: 'assistant', uuid: id, sessionId: 's1', cwd: '/x', message: { content } })}\n`
}

describe('the view of replays', () => {
  it('says what was read, what changes, and opens a call in its session', async () => {
    const host = await startHost()
    host.put('config/agents/hooks/no-force/HOOK.md', HOOK)
    const hostile = 'echo "<img src=x onerror=alert(1)>"'
    host.put(
      'home/.claude/projects/x/s1.jsonl',
      line('1', 'ls') + line('2', 'git push --force') + line('3', hostile),
    )
    const { page, complaints } = await signedIn(host)
    await page.goto(`${new URL(page.url()).origin}/replay`)
    const coverage = page.getByLabel('Coverage')
    await coverage.waitFor()
    expect(await coverage.textContent()).toMatch(/3 calls of claude-code.*1 transcript:.*3 replayed/s)
    const row = page.getByRole('row', { name: /git push --force/ })
    expect(await row.textContent()).toMatch(/allow.*deny.*no-force/s)
    await looksRight(page, 'replay')
    await row.getByRole('button', { name: 'Open in its session' }).click()
    const session = page.getByLabel('Session', { exact: true })
    await session.getByText('onerror').waitFor()
    expect(await session.locator('[aria-current=true]').textContent()).toContain('git push --force')
    expect(await page.locator('img[src=x]').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it.each([
    ['/replay', 'There is nothing to replay'],
    ['/approvals', 'No agent waits for you'],
  ])(
    '%s says that there is nothing, that the host is gone, and goes on when it is back',
    async (path, words) => {
      const host = await startHost()
      const { page, complaints } = await signedIn(host)
      await page.goto(`${new URL(page.url()).origin}${path}`)
      await page.getByText(words).waitFor()
      await killHost(host)
      await page.getByText('The host does not answer.').waitFor()
      await startAgain(host)
      await page.getByText('The host does not answer.').waitFor({ state: 'detached' })
      await page.getByText(words).waitFor()
      expect(complaints).toEqual([])
    },
  )
})
