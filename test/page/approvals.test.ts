import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { closeBrowser, type Host, openPage, ROOT, signedIn, startHost } from './browser.ts'
import { looksRight } from './look.ts'

afterAll(closeBrowser)

const HOOK = `---
name: asks
description: asks
trigger: before_tool
matcher: {command: deploy}
outcome: {decision: ask, reason: deploying needs a yes}
---
`

/** An agent's call that waits for an answer; nothing is set up but the hook: the open page is what makes it wait. */
function call(host: Host, command: string): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/cli/main.cjs'), 'hook', 'codex', 'PreToolUse'], {
    env: host.env,
    cwd: host.project,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(
    JSON.stringify({
      session_id: 's1',
      cwd: host.project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    }),
  )
  return new Promise((resolve) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    child.on('close', () => resolve(text))
  })
}

async function open({ hook = HOOK, at = '127.0.0.1' } = {}) {
  const host = await startHost()
  host.put('config/agents/hooks/asks/HOOK.md', hook)
  const opened = await signedIn({ ...host, link: async () => (await host.link()).replace('127.0.0.1', at) })
  await opened.page.goto(`${new URL(opened.page.url()).origin}/approvals`)
  await opened.page.getByText('No agent waits for you').waitFor()
  return { host, ...opened }
}

describe('the view of approvals', () => {
  it('shows a question with a countdown, and yes lets the call go on', async () => {
    const { host, page, complaints } = await open()
    const asked = call(host, './deploy.sh "<img src=x onerror=alert(1)>"')
    const card = page.locator('.approval')
    await card.waitFor()
    expect(await card.textContent()).toMatch(/Codex asks.*left.*deploying needs a yes/s)
    expect(await card.locator('pre').textContent()).toBe('./deploy.sh "<img src=x onerror=alert(1)>"')
    expect(await page.locator('.count').textContent()).toBe(' 1')
    await looksRight(page, 'approvals')
    await card.getByRole('button', { name: 'Allow' }).click()
    expect(await asked).not.toContain('deny')
    await page.getByText('No agent waits for you').waitFor()
    expect(complaints).toEqual([])
  })

  it('takes no with the words of the person, and yes for a session makes a grant that can be revoked', async () => {
    const { host, page } = await open()
    const refused = call(host, './deploy.sh 1')
    const card = page.locator('.approval')
    await card.getByRole('textbox').fill('not on friday')
    await card.getByRole('button', { name: 'Deny' }).click()
    expect(await refused).toContain('not on friday')
    const asked = call(host, './deploy.sh 2')
    // The card of the first question may still be there.
    const next = page.locator('.approval', { hasText: './deploy.sh 2' })
    await next.getByRole('combobox').selectOption('session')
    await next.getByRole('button', { name: 'Allow' }).click()
    expect(await asked).not.toContain('deny')
    expect(await call(host, './deploy.sh 2')).not.toContain('deny')
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.locator('[data-grant]').waitFor({ state: 'detached' })
    expect(JSON.parse(await host.crosshook(['grants', '--json']))).toEqual([])
  })
})

interface Answered {
  subject: string
  decision: string
  approval?: { by: string; via: string; signature: string }
}

describe('a passkey', () => {
  const APPROVED = HOOK.replace('outcome:', 'approvers: [alice]\noutcome:')

  /** Chromium's own authenticator, without a person. */
  async function authenticator(page: Page, isUserVerified = true) {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified,
        automaticPresenceSimulation: true,
      },
    })
    return {
      credentials: async () =>
        (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
      verify: (is: boolean) =>
        session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: is }),
    }
  }

  it('is made on the page, and its owner answers with it where nobody else may', async () => {
    const { host, page, complaints } = await open({ hook: APPROVED, at: 'localhost' })
    const device = await authenticator(page)
    await page.getByRole('button', { name: 'Add an approver with a passkey' }).click()
    await page.getByLabel('Name of the approver').fill('alice')
    await page.getByRole('button', { name: 'Make a passkey' }).click()
    await page.getByText('alice can answer so').waitFor()
    expect(await device.credentials()).toHaveLength(1)

    const asked = call(host, './deploy.sh 1')
    const card = page.locator('.approval')
    await card.waitFor()
    const id = await card.getAttribute('data-id')
    // A device that does not know who presses its button signs nothing that counts.
    await device.verify(false)
    await card.getByRole('button', { name: 'Allow' }).click()
    await card.locator('.problem').waitFor()
    await device.verify(true)
    await looksRight(page, 'approvals-passkey')
    await card.getByRole('textbox').fill('by alice')
    await card.getByRole('button', { name: 'Allow' }).click()
    expect(await asked).not.toContain('"deny"')
    await page.getByText('No agent waits for you').waitFor()
    const lines = (await host.crosshook(['log', '--event', 'approval', '--json'])).trim().split('\n')
    const records = lines.map((line) => JSON.parse(line) as Answered)
    expect(
      records.find(({ subject, decision }) => subject === id && decision === 'allow')?.approval,
    ).toMatchObject({
      by: 'alice',
      via: 'passkey',
      signature: expect.stringMatching(/^passkey:/),
    })
    // Her no counts as well; the person at this machine is not among the approvers.
    const refused = call(host, './deploy.sh 2')
    await card.getByRole('textbox').fill('not now')
    await card.getByRole('button', { name: 'Deny' }).click()
    expect(await refused).toContain('not now')
    expect(complaints).toEqual([])
  })

  it('is not made twice under one name, and not under the name of a channel', async () => {
    const { page } = await open({ at: 'localhost' })
    await authenticator(page)
    for (const [name, words] of [
      ['alice', undefined],
      ['alice', 'there is an approver "alice" already'],
      ['local', 'means something else'],
      ['ntfy', 'means something else'],
    ] as const) {
      await page.getByRole('button', { name: 'Add an approver with a passkey' }).click()
      await page.getByLabel('Name of the approver').fill(name)
      await page.getByRole('button', { name: 'Make a passkey' }).click()
      if (words === undefined) await page.getByText('alice can answer so').waitFor()
      else {
        await page.getByText(words).waitFor()
        await page.getByRole('button', { name: 'Cancel' }).click()
      }
    }
  })

  it('needs a host name, and the page says so at an address of numbers', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Add an approver with a passkey' }).click()
    await page.getByText('Browsers have passkeys for host names only').waitFor()
  })
})

describe('a notification', () => {
  it('comes when the person has allowed it by a click and looks elsewhere', async () => {
    const host = await startHost()
    host.put('config/agents/hooks/asks/HOOK.md', HOOK)
    const { page, complaints } = await openPage()
    const session = await page.context().newCDPSession(page)
    await session.send('Browser.setPermission', { permission: { name: 'notifications' }, setting: 'prompt' })
    // The real one is made; what it was made with is kept for the test.
    await page.addInitScript(() => {
      const made: unknown[] = []
      Object.assign(window, {
        made,
        Notification: new Proxy(Notification, {
          construct(target, [title, options]: [string, NotificationOptions]) {
            made.push({ title, ...options })
            return new target(title, options)
          },
        }),
      })
    })
    const made = () => page.evaluate(() => (window as unknown as { made: unknown[] }).made)
    await page.goto(await host.link())
    await page.locator('.connection[data-state=connected]').waitFor()
    await page.goto(`${new URL(page.url()).origin}/approvals`)
    const button = page.getByRole('button', { name: 'Tell me on the desktop' })
    await button.waitFor()
    await page.context().grantPermissions(['notifications'])
    await button.click()
    await button.waitFor({ state: 'detached' })

    const card = page.locator('.approval')
    const seen = call(host, './deploy.sh seen')
    await card.waitFor()
    // The page is in sight: the card itself is enough.
    expect(await made()).toEqual([])
    await card.getByRole('button', { name: 'Deny' }).click()
    await seen

    await session.send('Emulation.setFocusEmulationEnabled', { enabled: false })
    const other = await page.context().newPage()
    await other.bringToFront()
    const asked = call(host, './deploy.sh unseen')
    await card.waitFor()
    expect(await made()).toMatchObject([
      { title: 'Codex asks', body: expect.stringContaining('./deploy.sh unseen'), requireInteraction: true },
    ])
    await card.getByRole('button', { name: 'Deny' }).click()
    await asked
    expect(complaints).toEqual([])
  })
})
