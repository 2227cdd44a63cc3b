/** Analytics, builder, gallery and templates in a real browser. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { loadableHook } from '../../src/dialects/agenthooks/generated-hooks.testing.ts'
import { closeBrowser, type Host, killHost, ROOT, signedIn, startAgain, startHost } from './browser.ts'
import { GUARD, goTo, withHistory } from './workshop.ts'

afterAll(closeBrowser)

const SHOTS = join(ROOT, 'docs/page')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe holds to be serious or worse. The page's own policy forbids foreign scripts, so it comes in over the debugger. */
async function axe(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() =>
    (
      window as unknown as {
        axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
      }
    ).axe.run(),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 160)}`)
}

async function openHook(page: Page, name: string): Promise<void> {
  await goTo(page, `/builder/${name}?scope=user`)
  await page.locator(`.head .soft`, { hasText: `/${name}/HOOK.md` }).waitFor()
  await page.getByLabel('Name', { exact: true }).waitFor()
}

const fileOf = (host: Host, name: string) => join(host.root, 'config/agents/hooks', name, 'HOOK.md')

const VIEWS: readonly { name: string; path: string; ready: (page: Page) => Promise<unknown> }[] = [
  {
    name: 'analytics',
    path: '/analytics?since=30d',
    ready: async (page) => {
      await page.locator('.plot canvas').nth(1).waitFor()
      await page.locator('section .table').first().waitFor()
    },
  },
  {
    name: 'builder',
    path: '/builder/no-force-push?scope=user',
    ready: async (page) => {
      await page.getByLabel('Name', { exact: true }).waitFor()
      await page.getByText('No decision would have changed').waitFor()
      if (page.viewportSize()!.width > 1000) await page.locator('.cm-line.problem-line').waitFor()
    },
  },
  {
    name: 'gallery',
    path: '/gallery',
    ready: (page) => page.getByRole('link', { name: 'git-guard', exact: true }).waitFor(),
  },
  {
    name: 'templates',
    path: '/templates',
    ready: (page) => page.getByRole('link', { name: 'approval', exact: true }).waitFor(),
  },
]

/** ROUND_TRIPS=200 for all of them, which takes five minutes. */
const GENERATED = Number(process.env.ROUND_TRIPS ?? 20)

describe('every view', () => {
  it('is shown in both schemes and on a phone, breaks no policy, and axe finds nothing serious', async () => {
    const host = await startHost()
    await withHistory(host)
    mkdirSync(SHOTS, { recursive: true })
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 375],
    ] as const) {
      const { page, complaints } = await signedIn(host, { colorScheme, viewport: { width, height: 860 } })
      for (const { name, path, ready } of VIEWS) {
        await goTo(page, path)
        await ready(page)
        expect([name, await axe(page)]).toEqual([name, []])
        const [content, view] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
        expect([name, content! <= view!]).toEqual([name, true])
        const kind = width === 375 ? '-phone' : colorScheme === 'dark' ? '-dark' : ''
        await picture(page, `${name}${kind}.png`)
      }
      expect(complaints).toEqual([])
    }
  })

  it('says what to do where there is nothing yet, and goes on when the host was gone', async () => {
    const host = await startHost()
    const { page, complaints } = await signedIn(host)
    await goTo(page, '/analytics')
    await page.getByText('Nothing was recorded in this time').waitFor()
    await goTo(page, '/gallery/git-guard')
    await page.getByText('The journal has no event of this kind yet').waitFor()
    await goTo(page, '/templates')
    await page.getByRole('link', { name: 'approval', exact: true }).waitFor()
    await goTo(page, '/analytics')
    await killHost(host)
    await goTo(page, '/templates')
    await page.getByRole('alert').first().waitFor()
    await startAgain(host)
    await page.getByRole('link', { name: 'approval', exact: true }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('analytics', () => {
  it('zooms by dragging, the table below follows, and a row narrows everything to itself', async () => {
    const host = await startHost()
    await withHistory(host)
    const { page } = await signedIn(host)
    await goTo(page, '/analytics?since=30d')
    const over = page.locator('.plot .u-over').first()
    await over.waitFor()
    const before = await page
      .getByText(/^Table: \d+ days$/)
      .first()
      .textContent()
    const { x, y, width, height } = (await over.boundingBox())!
    await page.mouse.move(x + width * 0.3, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Show all' }).first().waitFor()
    const after = await page
      .getByText(/^Table: \d+ days$/)
      .first()
      .textContent()
    const days = (text: string | null) => Number(/\d+/.exec(text!)![0])
    expect(days(after)).toBeLessThan(days(before) / 2)
    await page.getByRole('button', { name: 'Show all' }).first().click()
    await expect
      .poll(() =>
        page
          .getByText(/^Table: \d+ days$/)
          .first()
          .textContent(),
      )
      .toBe(before)
    await page.getByRole('link', { name: 'ask-before-publish' }).first().click()
    await expect.poll(() => page.url()).toContain('hook=ask-before-publish')
    await expect.poll(() => page.locator('section .table tbody tr').count()).toBe(1)
    await page.getByRole('radio', { name: 'agent' }).check({ force: true })
    await page.locator('tbody th', { hasText: 'codex' }).waitFor()
  })
})

describe('the builder', () => {
  it('keeps form, text and canvas in step, tries while one types, and saves only what loads', async () => {
    const host = await startHost()
    await withHistory(host)
    const { page, complaints } = await signedIn(host)
    await openHook(page, 'no-force-push')
    const text = page.locator('.cm-content')
    await text.waitFor()
    // Form → text, every other byte kept.
    await page.getByLabel('The reason that the model reads').fill('Ask: "first" # please')
    await text
      .getByText('reason: "Ask', { exact: false })
      .or(text.getByText("reason: 'Ask", { exact: false }))
      .waitFor()
    await text.getByText('# also with --force-with-lease', { exact: false }).waitFor()
    // Text → form.
    await text.getByText('trigger: before_tool').click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('timeout: 20', { delay: 20 })
    await expect.poll(() => page.getByLabel('Time limit (ms)').inputValue()).toBe('20')
    await page.locator('.cm-line.problem-line.error').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.keyboard.type('00', { delay: 20 })
    await expect.poll(() => page.locator('.problem-line.error').count()).toBe(0)
    // Tried while typing: what would have become another decision.
    await page.getByLabel('command', { exact: true }).fill('^git push')
    await page.getByText('would differ from the hook as it is saved').waitFor()
    await page.locator('.changes li', { hasText: 'git push origin work' }).first().waitFor()
    // The canvas shows the order, and a line drawn from one hook to another is a chain.
    await page.getByRole('tab', { name: 'Canvas' }).click()
    const out = page.locator('[data-id="ask-before-publish"] .chain.out')
    const into = page.locator('[data-id="no-force-push"] .chain.in')
    await out.waitFor()
    const [a, b] = [(await out.boundingBox())!, (await into.boundingBox())!]
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2)
    await page.mouse.down()
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 12 })
    await page.mouse.up()
    await text.getByText('after: [ask-before-publish]').waitFor()
    await page.getByText('data', { exact: true }).waitFor()
    await picture(page, 'builder-canvas.png')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('saved').waitFor()
    const saved = readFileSync(fileOf(host, 'no-force-push'), 'utf8')
    const expected = GUARD.replace('trigger: before_tool\n', 'trigger: before_tool\ntimeout: 2000\n')
      .replace("'^git push.*--force'", "'^git push'")
      .replace('x-owner: platform\n', 'x-owner: platform\nafter: [ask-before-publish]\n')
    expect(saved.replace(/reason: .*\n/, '')).toBe(expected.replace(/reason: .*\n/, ''))
    expect(saved).toMatch(/reason: ('Ask: "first" # please'|"Ask: \\"first\\" # please")\n/)
    expect(complaints).toEqual([])
  })

  it('completes fields and values from the schema, and takes back what was typed', async () => {
    const host = await startHost()
    const { page, complaints } = await signedIn(host)
    await goTo(page, '/builder')
    const text = page.locator('.cm-content')
    await text.waitFor()
    const before = await text.textContent()
    await text.getByText('trigger: before_tool').click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('on_f', { delay: 30 })
    await page.locator('.completions [role=option]', { hasText: 'on_failure' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('cl', { delay: 30 })
    await page.locator('.completions [role=option]', { hasText: 'closed' }).click()
    await expect.poll(() => page.getByLabel('The operation').inputValue()).toBe('closed')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Space')
    await page.locator('.completions [role=option]', { hasText: 'sandbox' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.completions').count()).toBe(0)
    // A change of the form is taken back in the text too.
    await page.getByLabel('Retries').fill('2')
    await text.getByText('retries: 2').waitFor()
    await text.getByText('name: my-hook').first().click()
    for (let i = 0; i < 30 && (await text.textContent()) !== before; i++)
      await page.keyboard.press('ControlOrMeta+z')
    expect(await text.textContent()).toBe(before)
    await page.keyboard.press('Control+y')
    await expect.poll(() => text.textContent()).not.toBe(before)
    expect(complaints).toEqual([])
  })

  it('makes a hook of a template with the keyboard alone, and saves it with its cases', async () => {
    const host = await startHost()
    const { page } = await signedIn(host)
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    const open = page
      .locator('li', { hasText: 'approval' })
      .getByRole('link', { name: 'Open in the builder' })
    await open.waitFor()
    await tabTo(page, open)
    await page.keyboard.press('Enter')
    const name = page.getByLabel('Name', { exact: true })
    await name.waitFor()
    await tabTo(page, name)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('ask-first')
    await page.locator('.cm-line', { hasText: 'name: ask-first' }).waitFor()
    const save = page.getByRole('button', { name: 'Save' })
    await expect.poll(() => save.isEnabled()).toBe(true)
    await page.locator('.cases li').nth(2).waitFor()
    await tabTo(page, save, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('saved').waitFor()
    expect(await host.crosshook(['test', 'ask-first'])).toContain('3 cases passed')
  })

  it(`gives back every hook of the gallery and ${GENERATED} others byte for byte, and changes one line for one field`, {
    timeout: 900_000,
  }, async () => {
    const host = await startHost()
    const hooks = new Map<string, string>()
    for (const name of (JSON.parse(await host.crosshook(['gallery', '--json'])) as { name: string }[]).map(
      (each) => each.name,
    ))
      hooks.set(name, readFileSync(join(ROOT, 'gallery', name, 'HOOK.md'), 'utf8'))
    for (let i = 0; i < GENERATED; i++)
      hooks.set(`made-${i}`, fc.sample(loadableHook(`made-${i}`), { numRuns: 1, seed: 4711 + i })[0]!.text)
    for (const [name, text] of hooks) {
      mkdirSync(dirname(fileOf(host, name)), { recursive: true })
      writeFileSync(fileOf(host, name), text)
    }
    const { page, complaints } = await signedIn(host)
    const save = page.getByRole('button', { name: 'Save' })
    for (const [name, text] of hooks) {
      await openHook(page, name)
      const kept = page.getByLabel('Answer kept (s)')
      const unsaved = page.locator('.head', { hasText: 'not saved' })
      const had = await kept.inputValue()
      await kept.fill('77')
      await unsaved.waitFor()
      await save.click()
      await page.getByRole('status').getByText('saved').waitFor()
      const changed = readFileSync(fileOf(host, name), 'utf8')
      expect([
        name,
        changed
          .split('\n')
          .filter((line) => !line.startsWith('cache: 77'))
          .join('\n'),
      ]).toEqual([
        name,
        text
          .split('\n')
          .filter((line) => !line.startsWith('cache:'))
          .join('\n'),
      ])
      expect([name, changed]).not.toEqual([name, text])
      await kept.fill(had)
      await unsaved.waitFor()
      await save.click()
      await expect.poll(() => readFileSync(fileOf(host, name), 'utf8') === text || name).toBe(true)
    }
    expect(complaints).toEqual([])
  })
})

/** For docs/: made anew with UPDATE_PICTURES=1, or where it is missing. */
async function picture(page: Page, name: string): Promise<void> {
  const path = join(SHOTS, name)
  if (process.env.UPDATE_PICTURES === '1' || !existsSync(path)) await page.screenshot({ path })
}

/** Only with the key that people have for it. */
async function tabTo(page: Page, target: ReturnType<Page['locator']>, key = 'Tab'): Promise<void> {
  for (let i = 0; i < 120; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error('it cannot be reached with the Tab key')
}

describe('the gallery', () => {
  it('is searched, shows rights and what a hook would have done, and adds it with one click', async () => {
    const host = await startHost()
    await withHistory(host)
    const { page, complaints } = await signedIn(host)
    await goTo(page, '/gallery')
    await page.getByLabel('search').fill('history others')
    await expect.poll(() => page.locator('.shelf li').count()).toBe(1)
    await page.getByRole('link', { name: 'git-guard' }).click()
    await page.getByText('starts nothing').first().waitFor()
    await page
      .locator('.two')
      .getByText(/applies to/)
      .waitFor()
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('installed for you').waitFor()
    const list = JSON.parse(await host.crosshook(['list', '--json'])) as
      | { name: string }[]
      | { hooks: { name: string }[] }
    expect((Array.isArray(list) ? list : list.hooks).map(({ name }) => name)).toContain('git-guard')
    expect(complaints).toEqual([])
  })
})
