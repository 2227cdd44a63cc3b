/** How large the page is, and how it does with many events. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { closeBrowser, openPage, ROOT, signedIn, startHost } from './browser.ts'
import { fillJournal, putHooks } from './seed.ts'

afterAll(closeBrowser)

const folder = join(ROOT, 'dist/page')
const zipped = (name: string) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length

describe('the page', () => {
  it('is 60 KB for the first view and 250 KB as a whole, compressed', async () => {
    const host = await startHost()
    const { page } = await openPage()
    const loaded = new Set<string>()
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/assets/')) loaded.add(pathname.slice('/assets/'.length))
    })
    await page.goto(await host.link())
    await page.getByRole('heading', { name: /Nothing needs you|need/ }).waitFor()
    const first = [...loaded].reduce((sum, name) => sum + zipped(name), 0)
    const all = readdirSync(folder).reduce((sum, name) => sum + zipped(name), 0)
    console.log(`first view ${first} bytes, all ${all} bytes, compressed`)
    expect(first).toBeLessThan(60 * 1024)
    expect(all).toBeLessThan(250 * 1024)
    expect([...loaded].filter((name) => name.startsWith('events'))).toEqual([])
  })
})

describe('with 100,000 events', () => {
  it('scrolling keeps up, and memory stays bounded', async () => {
    const host = await startHost()
    putHooks(host)
    fillJournal(host, 100_000)
    const { page, complaints } = await signedIn(host)
    await page.goto(new URL('/events', page.url()).href)
    await page.getByText('100,000 events').waitFor()
    const list = page.getByRole('listbox')
    const rows = () => page.locator('.virtual [role=option]').count()
    const heap = async () => {
      const session = await page.context().newCDPSession(page)
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
      return usedSize / 1024 / 1024
    }
    const before = await heap()
    const slowest = await list.evaluate(async (box) => {
      // What a person does who drags: many steps, a frame each.
      let worst = 0
      let last = performance.now()
      const most = box.scrollHeight - box.clientHeight
      for (let step = 1; step <= 300; step++) {
        box.scrollTop = (most * step) / 300
        await new Promise((resolve) => requestAnimationFrame(resolve))
        const now = performance.now()
        worst = Math.max(worst, now - last)
        last = now
      }
      return worst
    })
    await page.getByText('# 0').first().waitFor()
    expect(await rows()).toBeLessThan(80)
    const after = await heap()
    console.log(
      `slowest frame ${Math.round(slowest)} ms; memory ${before.toFixed(1)} → ${after.toFixed(1)} MB`,
    )
    expect(slowest).toBeLessThan(500)
    expect(after - before).toBeLessThan(30)
    await list.press('Home')
    await page.getByText('# 9999').first().waitFor()
    expect(complaints).toEqual([])
  })
})

/** A million takes a minute to make; `PAGE_EVENTS` makes fewer. */
const EVENTS = Number(process.env.PAGE_EVENTS ?? 1_000_000)

describe(`with ${EVENTS} events in the journal`, () => {
  it('the first view is there in less than a second', async () => {
    const host = await startHost()
    putHooks(host)
    fillJournal(host, EVENTS)
    const { page } = await openPage()
    await page.goto(await host.link())
    await page.locator('.events .event').first().waitFor()
    const times: number[] = []
    for (let round = 0; round < 5; round++) {
      const start = performance.now()
      await page.goto(new URL('/', page.url()).href, { waitUntil: 'commit' })
      await page.locator('.events .event').first().waitFor()
      await page.getByRole('heading', { name: /need/ }).waitFor()
      times.push(performance.now() - start)
    }
    console.log(`first view after ${times.map(Math.round).join(', ')} ms`)
    // The machine may be busy with other things: the best of five is what the page needs.
    expect(Math.min(...times)).toBeLessThan(1000)
  })
})
