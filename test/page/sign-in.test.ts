import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { closeBrowser, type Host, killHost, openPage, signedIn, startAgain, startHost } from './browser.ts'

afterAll(closeBrowser)

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A request with exactly these headers. */
function raw(url: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> {
  const { port, pathname, search, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path: pathname + search, headers: { host, ...headers } },
      (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text: string) => (body += text))
        response.once('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers as Answer['headers'], body }),
        )
      },
    )
    sent.once('error', reject)
    sent.end(method === 'POST' ? '{}' : undefined)
  })
}

/** The cookie of somebody who used a link, and the token for changes. */
async function session(host: Host): Promise<{ http: string; cookie: string; csrf: string }> {
  const url = await host.link()
  const { headers } = await raw(url)
  const cookie = String(headers['set-cookie']).split(';')[0]!
  const http = new URL(url).origin
  const { body } = await raw(`${http}/v1/page/session`, 'GET', { cookie })
  return { http, cookie, csrf: (JSON.parse(body) as { csrf: string }).csrf }
}

describe('the link', () => {
  it('signs in, and leaves nothing secret in the address or the history', async () => {
    const host = await startHost()
    const { page, complaints } = await signedIn(host)
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/')
    await page.goBack()
    expect(page.url()).not.toContain('code=')
    expect(complaints).toEqual([])
  })

  it('works once: a stolen copy is refused', async () => {
    const host = await startHost()
    const url = await host.link()
    expect((await raw(url)).status).toBe(303)
    const again = await raw(url)
    expect(again.status).toBe(403)
    expect(again.headers['set-cookie']).toBeUndefined()
    const { page } = await openPage()
    await page.goto(url)
    expect(await page.textContent('h1')).toBe('This link does not work')
  })

  it('is not used up by a look at its head', async () => {
    const host = await startHost()
    const url = await host.link()
    expect((await raw(url, 'HEAD')).status).toBe(403)
    expect((await raw(url)).status).toBe(303)
  })

  it('gives a cookie that scripts and other sites cannot use', async () => {
    const host = await startHost()
    const cookie = String((await raw(await host.link())).headers['set-cookie'])
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=3600$/)
    expect(cookie).toContain('; Path=/;')
  })
})

describe('the API', () => {
  it('refuses a made-up cookie, and one whose end was put off', async () => {
    const host = await startHost()
    const { http, cookie } = await session(host)
    const ask = (value: string) => raw(`${http}/v1/journal`, 'GET', { cookie: value })
    expect((await ask(cookie)).status).toBe(200)
    const [name, value] = cookie.split('=') as [string, string]
    const later = [(Date.now() + 9e9).toString(36), ...value.split('.').slice(1)].join('.')
    for (const forged of [`${name}=${later}`, `${name}=`, `${name}=a.b.c.d`, 'crosshook_00000000=x'])
      expect((await ask(forged)).status).toBe(401)
  })

  it('refuses another origin, another host and another site, cookie or not', async () => {
    const host = await startHost()
    const { http, cookie, csrf } = await session(host)
    const headers = { cookie, 'x-crosshook-csrf': csrf }
    const refused = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { host: 'evil.example' },
      { host: `evil.example:${new URL(http).port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      // Only the page's own document may be opened from elsewhere.
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ]
    for (const more of refused) {
      expect([more, (await raw(`${http}/v1/journal`, 'GET', { ...headers, ...more })).status]).toEqual([
        more,
        403,
      ])
      expect([more, (await raw(`${http}/v1/page/sign-out`, 'POST', { ...headers, ...more })).status]).toEqual(
        [more, 403],
      )
    }
    for (const more of refused.slice(0, 5)) expect((await raw(`${http}/`, 'GET', more)).status).toBe(403)
    expect((await raw(`${http}/v1/journal`, 'GET', headers)).status).toBe(200)
  })

  it('refuses a change without the token that only the page knows', async () => {
    const host = await startHost()
    const { http, cookie, csrf } = await session(host)
    const change = (more: Record<string, string>) =>
      raw(`${http}/v1/page/sign-out`, 'POST', { cookie, origin: http, ...more })
    expect((await change({})).status).toBe(403)
    expect((await change({ 'x-crosshook-csrf': 'x'.repeat(csrf.length) })).status).toBe(403)
    expect((await change({ 'x-crosshook-csrf': csrf })).status).toBe(200)
    // Signed out: the same cookie is worth nothing now.
    expect((await raw(`${http}/v1/journal`, 'GET', { cookie })).status).toBe(401)
  })

  it('keeps a signed-out cookie worthless, and a good one good, when the host starts anew', async () => {
    const host = await startHost()
    const old = await session(host)
    await host.crosshook(['ui', '--sign-out'])
    const young = await session(host)
    await killHost(host)
    await startAgain(host)
    const ask = (cookie: string) => raw(`${young.http}/v1/journal`, 'GET', { cookie })
    expect((await ask(young.cookie)).status).toBe(200)
    expect((await ask(old.cookie)).status).toBe(401)
  })
})

describe('the document', () => {
  it('is sent with a policy that allows nothing but this host, with a nonce of its own each time', async () => {
    const host = await startHost()
    const http = new URL(await host.link()).origin
    const [one, two] = await Promise.all([raw(`${http}/`), raw(`${http}/`)])
    const policy = String(one.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'nonce-[\w+/=]{20,}'/)
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(two.headers['content-security-policy']).not.toBe(policy)
    expect(one.body).not.toMatch(/<script(?![^>]* src=)|\sstyle=|\son\w+=/)
    expect(readFileSync((await host.status()).token_file, 'utf8').trim()).not.toBe('')
    expect(one.body).not.toContain(readFileSync((await host.status()).token_file, 'utf8').trim())
  })

  it('says what to do when nobody has signed in', async () => {
    const host = await startHost()
    const http = new URL(await host.link()).origin
    const { page } = await openPage()
    await page.goto(`${http}/events`)
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    expect(await page.textContent('main')).toContain('crosshook ui')
  })
})
