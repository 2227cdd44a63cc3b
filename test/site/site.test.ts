/** Every page of the built site opens, every link leads somewhere, search finds, and it can be read on a phone and in the dark. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

const SITE = join(import.meta.dirname, '../../site/dist')
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

let server: Server
let origin: string
let browser: Browser

beforeAll(async () => {
  if (!existsSync(join(SITE, 'index.html'))) throw new Error('there is no site: npm run site')
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    // Browsers ask for it by themselves; typedoc's pages name none.
    if (pathname === '/favicon.ico') return void response.writeHead(204).end()
    const file = fileFor(decodeURIComponent(pathname))
    if (file === undefined) return void response.writeHead(404).end('not found')
    response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    existsSync,
  )
  if (executablePath === undefined) throw new Error('these tests need chromium: apt-get install chromium')
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

/** As hosts of static pages serve them: `/cli` is `cli.html`, a folder its `index.html`. */
function fileFor(path: string): string | undefined {
  const plain = join(SITE, normalize(path))
  return [plain, `${plain}.html`, join(plain, 'index.html')].find(
    (file) => file.startsWith(SITE) && existsSync(file) && statSync(file).isFile(),
  )
}

async function withPage<T>(
  options: Parameters<Browser['newContext']>[0],
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(options)
  try {
    return await work(await context.newPage())
  } finally {
    await context.close()
  }
}

interface Seen {
  title: string
  links: string[]
  ids: string[]
}

test('every page opens without an error, and every link inside of the site leads somewhere', async () => {
  const problems: string[] = []
  const pages = new Map<string, Seen>()
  await withPage({ viewport: { width: 1280, height: 900 } }, async (page) => {
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`)
    })
    const waiting = ['/']
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (pages.has(path)) continue
      const answer = await page.goto(origin + path, { waitUntil: 'load' })
      if (answer?.status() !== 200) {
        problems.push(`${path}: ${answer?.status()}`)
        pages.set(path, { title: '', links: [], ids: [] })
        continue
      }
      // The reference of the API is typedoc's, which checks its own links.
      const isApi = path.startsWith('/api')
      const seen = await page.evaluate(() => ({
        title: document.title,
        links: [...document.querySelectorAll('a[href]')].map((link) => (link as HTMLAnchorElement).href),
        ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
      }))
      pages.set(path, seen)
      if (isApi) continue
      for (const link of seen.links) {
        const { origin: from, pathname } = new URL(link)
        if (from === origin && !pathname.startsWith('/assets') && !extname(pathname)) waiting.push(pathname)
      }
    }
  })
  for (const [path, { links }] of pages)
    for (const link of links) {
      const { origin: from, pathname, hash } = new URL(link)
      if (from !== origin || path.startsWith('/api')) continue
      if (fileFor(decodeURIComponent(pathname)) === undefined)
        problems.push(`${path} leads to ${pathname}, which is not there`)
      const target = pages.get(pathname)
      if (hash.length > 1 && target && !target.ids.includes(decodeURIComponent(hash.slice(1))))
        problems.push(`${path} leads to ${pathname}${hash}, where nothing has that name`)
    }
  expect([...new Set(problems)]).toEqual([])
  // The guides, the reference, and a page for each agent.
  expect(pages.size).toBeGreaterThan(60)
  for (const path of ['/hook-authors', '/agent-builders', '/teams', '/in/cursor', '/in/claude-code', '/api/'])
    expect([path, pages.get(path)?.title ?? '']).toEqual([path, expect.stringMatching(/crosshook/)])
})

test('search finds a page by a word in it, and opens it', async () => {
  await withPage({ viewport: { width: 1280, height: 900 } }, async (page) => {
    await page.goto(origin)
    const field = page.locator('.VPLocalSearchBox input')
    // Keys are heard once the page's script runs.
    const opened = async () => {
      await page.keyboard.press('Control+k')
      return field.isVisible()
    }
    await expect.poll(opened, { timeout: 30_000 }).toBe(true)
    await field.fill('before_stop')
    const first = page.locator('.VPLocalSearchBox .result').first()
    await first.waitFor()
    await first.click()
    await page.waitForURL((url) => url.pathname !== '/')
    expect(await page.locator('main').innerText()).toContain('before_stop')
  })
})

test.each([
  ['wide', 1280, 'light'],
  ['wide', 1280, 'dark'],
  ['narrow', 375, 'light'],
  ['narrow', 375, 'dark'],
] as const)(
  '%s (%i), %s: nothing stands over the edge, and the page has its colours',
  async (size, width, colorScheme) => {
    await withPage({ viewport: { width, height: 800 }, colorScheme }, async (page) => {
      for (const path of [
        '/',
        '/agents',
        '/in/claude-code',
        '/reference/hook-md',
        '/cookbook',
        '/agent-builders',
      ]) {
        await page.goto(origin + path)
        const { over, background } = await page.evaluate(() => ({
          over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          background: getComputedStyle(document.body).backgroundColor,
        }))
        expect([path, over]).toEqual([path, 0])
        const [red = 0] = (background.match(/\d+/g) ?? []).map(Number)
        expect([path, colorScheme === 'dark' ? red < 60 : red > 200]).toEqual([path, true])
        if (process.env.SITE_PICTURES)
          await page.screenshot({
            path: join(
              process.env.SITE_PICTURES,
              `${path.slice(1).replaceAll('/', '-') || 'index'}-${size}-${colorScheme}.png`,
            ),
          })
      }
    })
  },
)
