/** What the tests of the page share: a host of its own, a browser, and a page that has signed in there. */

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAIN = join(ROOT, 'dist/cli/main.cjs')

export interface Host {
  root: string
  project: string
  env: NodeJS.ProcessEnv
  /** Runs a command there; its exit code must be as told. */
  crosshook(args: readonly string[], more?: { cwd?: string; code?: number; input?: string }): Promise<string>
  /** A file below the root. */
  put(path: string, text: string, mode?: number): string
  /** An address that signs in once. */
  link(): Promise<string>
  status(): Promise<{ running: boolean; pid: number; http: string; token_file: string }>
}

export async function startHost(): Promise<Host> {
  const root = mkdtempSync(join(tmpdir(), 'crosshook-page-'))
  const project = join(root, 'project')
  const env = {
    PATH: process.env.PATH,
    HOME: join(root, 'home'),
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CACHE_HOME: join(root, 'cache'),
    XDG_RUNTIME_DIR: join(root, 'run'),
    CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
  }
  for (const folder of [project, env.HOME]) mkdirSync(folder, { recursive: true })
  const host: Host = {
    root,
    project,
    env,
    async crosshook(args, { cwd = project, code = 0, input } = {}) {
      const running = promisify(execFile)(process.execPath, [MAIN, ...args], {
        cwd,
        env,
        maxBuffer: 64 * 1024 * 1024,
      })
      running.child.stdin!.on('error', () => {}).end(input ?? '')
      const { stdout, exit, stderr } = await running.then(
        ({ stdout, stderr }) => ({ stdout, stderr, exit: 0 }),
        (error: { code: number; stdout: string; stderr: string }) => ({ ...error, exit: error.code }),
      )
      if (exit !== code) throw new Error(`crosshook ${args.join(' ')} ended with ${exit}: ${stdout}${stderr}`)
      return stdout
    },
    put(path, text, mode = 0o644) {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text, { mode })
      return file
    },
    link: async () => (JSON.parse(await host.crosshook(['ui', '--json'])) as { url: string }).url,
    status: async () => JSON.parse(await host.crosshook(['daemon', 'status', '--json'])),
  }
  onTestFinished(async () => {
    await host.crosshook(['daemon', 'stop'])
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  })
  return host
}

let browser: Promise<Browser> | undefined

/** One for all tests of a file. */
function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
  return browser
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

function chromiumPath(): string {
  const found = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
  if (found === undefined) throw new Error('the tests of the page need chromium: apt-get install chromium')
  return found
}

export interface Opened {
  page: Page
  /** What the page complained about: errors, and violations of its policy. */
  complaints: string[]
}

/** Nobody has signed in yet. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await (await theBrowser()).newContext({
    viewport: { width: 1280, height: 800 },
    ...options,
  })
  onTestFinished(() => context.close())
  const complaints: string[] = []
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) complaints.push(message.text())
  })
  await page.exposeFunction('tellViolation', (words: string) => complaints.push(words))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      (window as unknown as { tellViolation(words: string): void }).tellViolation(
        `violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`,
      ),
    )
  })
  return { page, complaints }
}

export async function signedIn(host: Host, options: BrowserContextOptions = {}): Promise<Opened> {
  const opened = await openPage(options)
  await opened.page.goto(await host.link())
  await opened.page.locator('.connection[data-state=connected]').waitFor()
  return opened
}

/** Ends the host at once, as a crash would. */
export async function killHost(host: Host): Promise<void> {
  const { pid } = await host.status()
  process.kill(pid, 'SIGKILL')
  while ((await host.status()).running);
}

/** Keeps its address: an open page finds it again. */
export async function startAgain(host: Host): Promise<void> {
  await host.crosshook(['daemon', 'start'])
}
