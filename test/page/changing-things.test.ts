/** From one thing to the next without a reload, and the host going away and coming back: nothing is shown for what it is not, nothing typed is lost. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { closeBrowser, type Host, killHost, signedIn, startAgain, startHost } from './browser.ts'
import { putHooks, sendCalls } from './seed.ts'
import { goTo, withHistory } from './workshop.ts'

afterAll(closeBrowser)

/** Answers at these addresses wait until the function that comes back is called. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await gate.promise
    await route.continue()
  })
  return () => gate.resolve()
}

async function hookIds(page: Page): Promise<Record<string, string>> {
  const { hooks } = (await page.evaluate(async () => (await fetch('/v1/hooks')).json())) as {
    hooks: { id: string; name: string }[]
  }
  return Object.fromEntries(hooks.map(({ name, id }) => [name, id]))
}

const projectHook = (name: string) =>
  `---\nname: ${name}\ndescription: Is ${name}.\ntrigger: before_tool\nrun: { command: echo ${name} }\n---\n`

describe('a view of one thing', () => {
  it('shows no button and no file of the hook before while the next one is read', async () => {
    const host = await startHost()
    for (const name of ['first-hook', 'second-hook'])
      host.put(`project/.agents/hooks/${name}/HOOK.md`, projectHook(name))
    await host.crosshook(['daemon', 'start'])
    await sendCalls(host, 1)
    const { page } = await signedIn(host)
    const ids = await hookIds(page)
    await goTo(page, `/hooks/${ids['first-hook']}`)
    await page.getByRole('button', { name: /let it run/ }).waitFor()
    const release = await hold(page, new RegExp(`/v1/hooks/${ids['second-hook']}/trust$`))
    await goTo(page, `/hooks/${ids['second-hook']}`)
    await page.getByRole('heading', { name: 'Hooks / second-hook' }).waitFor()
    expect(await page.getByRole('button', { name: /let it run/ }).count()).toBe(0)
    expect(await page.textContent('#view')).not.toContain('first-hook')
    release()
    await page.getByRole('button', { name: /let it run/ }).click()
    await page.getByRole('heading', { name: 'You trust it' }).waitFor()
    const list = JSON.parse(await host.crosshook(['list', '--json'])) as { name: string; trust: string }[]
    expect(Object.fromEntries(list.map(({ name, trust }) => [name, trust]))).toEqual({
      'first-hook': 'untrusted',
      'second-hook': 'trusted',
    })
  })

  it('leaves the trouble with the switch of one hook behind', async () => {
    const host = await startHost()
    putHooks(host)
    await host.crosshook(['daemon', 'start'])
    const { page } = await signedIn(host)
    const ids = await hookIds(page)
    const [one, other] = Object.keys(ids)
    await goTo(page, `/hooks/${ids[one!]}`)
    const refusal = { status: 409, code: 'busy', detail: `only ${one} is busy` }
    await page.route(/\/switch$/, (route) =>
      route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(refusal) }),
    )
    await page.getByRole('switch').click()
    await page.getByText(refusal.detail).waitFor()
    await goTo(page, `/hooks/${ids[other!]}`)
    await page.getByRole('heading', { name: `Hooks / ${other}` }).waitFor()
    expect(await page.getByText(refusal.detail).count()).toBe(0)
  })

  it('shows nothing of the event before while the next one is read, or cannot be', async () => {
    const host = await startHost()
    putHooks(host)
    await host.crosshook(['daemon', 'start'])
    await sendCalls(host)
    const { page } = await signedIn(host)
    await goTo(page, '/events/7')
    await page.getByText('git push --force origin main').first().waitFor()
    const release = await hold(page, /\/v1\/journal\/8$/)
    await goTo(page, '/events/8')
    await page.getByText('Looking…').waitFor()
    expect(await page.textContent('#view')).not.toContain('git push --force origin main')
    release()
    await page.getByRole('heading', { name: 'What the agent got' }).waitFor()
    await page.route(/\/v1\/journal\/9$/, (route) => route.fulfill({ status: 500, body: 'no' }))
    await goTo(page, '/events/9')
    await page.getByText('The host answered 500').waitFor()
    expect(await page.getByRole('heading', { name: 'What the agent got' }).count()).toBe(0)
  })
})

describe('what was typed into the builder', () => {
  const open = async (host: Host) => {
    await withHistory(host, 8)
    const opened = await signedIn(host)
    await goTo(opened.page, '/builder/no-force-push?scope=user')
    await opened.page.locator('.cm-content').first().waitFor()
    await opened.page.getByLabel('Name', { exact: true }).waitFor()
    return opened
  }
  const text = (page: Page) => page.locator('.cm-content').first().innerText()

  it('is still there, and counts, when the host was gone and has come back', async () => {
    const host = await startHost()
    const { page, complaints } = await open(host)
    await page.locator('.cm-line', { hasText: 'Use a branch of your own' }).click()
    await page.keyboard.press('End')
    await page.keyboard.type(' Typed before.')
    await killHost(host)
    await page.keyboard.type(' Typed meanwhile.')
    await page.getByLabel('What it is for').fill('Written while nobody was there.')
    await page.getByText('The host does not answer.').first().waitFor()
    await startAgain(host)
    await page.locator('.connection[data-state=connected]').waitFor()
    await expect.poll(() => text(page)).toContain('description: Written while nobody was there.')
    expect(await text(page)).toContain('Use a branch of your own. Typed before. Typed meanwhile.')
    expect(await page.getByLabel('What it is for').inputValue()).toBe('Written while nobody was there.')
    await page.getByText('The host does not answer.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('saved', { exact: true }).waitFor()
    const file = join(host.root, 'config/agents/hooks/no-force-push/HOOK.md')
    expect(readFileSync(file, 'utf8')).toContain('description: Written while nobody was there.')
    expect(complaints).toEqual([])
  })

  it('is still there after a look at another view, until one starts over', async () => {
    const host = await startHost()
    const { page } = await open(host)
    await page.getByLabel('What it is for').fill('Half a thought.')
    await expect.poll(() => text(page)).toContain('Half a thought.')
    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByRole('listbox').waitFor()
    await page.goBack()
    await expect.poll(() => text(page)).toContain('Half a thought.')
    await goTo(page, '/builder/never-seen?scope=user')
    await expect.poll(() => text(page)).toContain('name: never-seen')
    expect(await text(page)).not.toContain('Half a thought.')
    await page.goBack()
    await expect.poll(() => text(page)).toContain('Half a thought.')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.poll(() => text(page)).toContain('Refuses forced pushes.')
    expect(await text(page)).not.toContain('Half a thought.')
  })
})
