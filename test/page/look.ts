/** How a view looks: in both colour schemes, on a wide screen and on a phone. */

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ROOT } from './browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Serious findings of axe, in words. */
export async function axe(page: Page): Promise<string[]> {
  // The policy of the page lets no script in but its own: axe is put in by the browser itself.
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
}

/** What sticks out to the right of the screen. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** Those that docs/ shows. They are made anew with UPDATE_PICTURES=1, or where one is missing. */
const PICTURES =
  /^(?:\w+-wide-light|hub-(?:fleet|approvals)-wide-light|(?:now|event|hooks)-(?:wide-dark|narrow-light))\.png$/

export async function keepPicture(page: Page, name: string): Promise<void> {
  // To look at all of them.
  if (process.env.PAGE_PICTURES)
    await page.screenshot({ path: join(process.env.PAGE_PICTURES, name), fullPage: true })
  const path = join(ROOT, 'docs/page', name)
  const isWanted = PICTURES.test(name) && (process.env.UPDATE_PICTURES === '1' || !existsSync(path))
  const bytes = await page.screenshot(isWanted ? { path } : {})
  expect(bytes.length).toBeLessThan(200 * 1024)
}

export const FORMS = [
  ['wide', { width: 1280, height: 800 }],
  ['narrow', { width: 375, height: 760 }],
] as const

/** Nothing sticks out, and axe finds nothing serious, whatever the screen. */
export async function looksRight(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [form, viewport] of FORMS) {
      // Without motion: colours that are just changing have a contrast of their own.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      expect([name, form, colorScheme, await overflow(page)]).toEqual([name, form, colorScheme, 0])
      expect([name, form, colorScheme, await axe(page)]).toEqual([name, form, colorScheme, []])
      await keepPicture(page, `${name}-${form}-${colorScheme}.png`)
    }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
}
