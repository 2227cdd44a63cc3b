/** What the tests of the page share: a host of its own, a browser, and a page that has signed in there. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'dist/cli/main.cjs');
export async function startHost() {
    const root = mkdtempSync(join(tmpdir(), 'crosshook-page-'));
    const project = join(root, 'project');
    const env = {
        PATH: process.env.PATH,
        HOME: join(root, 'home'),
        XDG_CONFIG_HOME: join(root, 'config'),
        XDG_STATE_HOME: join(root, 'state'),
        XDG_CACHE_HOME: join(root, 'cache'),
        XDG_RUNTIME_DIR: join(root, 'run'),
        CROSSHOOK_MANAGED_DIR: join(root, 'managed'),
    };
    for (const folder of [project, env.HOME])
        mkdirSync(folder, { recursive: true });
    const host = {
        root,
        project,
        env,
        async crosshook(args, { cwd = project, code = 0, input } = {}) {
            const running = promisify(execFile)(process.execPath, [MAIN, ...args], {
                cwd,
                env,
                maxBuffer: 64 * 1024 * 1024,
            });
            running.child.stdin.end(input ?? '');
            const { stdout, exit, stderr } = await running.then(({ stdout, stderr }) => ({ stdout, stderr, exit: 0 }), (error) => ({ ...error, exit: error.code }));
            if (exit !== code)
                throw new Error(`crosshook ${args.join(' ')} ended with ${exit}: ${stdout}${stderr}`);
            return stdout;
        },
        put(path, text, mode = 0o644) {
            const file = join(root, path);
            mkdirSync(dirname(file), { recursive: true });
            writeFileSync(file, text, { mode });
            return file;
        },
        link: async () => JSON.parse(await host.crosshook(['ui', '--json'])).url,
        status: async () => JSON.parse(await host.crosshook(['daemon', 'status', '--json'])),
    };
    onTestFinished(async () => {
        await host.crosshook(['daemon', 'stop']);
        rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    });
    return host;
}
let browser;
/** One for all tests of a file. */
function theBrowser() {
    browser ??= chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
    return browser;
}
export async function closeBrowser() {
    await (await browser)?.close();
    browser = undefined;
}
function chromiumPath() {
    const found = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
    if (found === undefined)
        throw new Error('the tests of the page need chromium: apt-get install chromium');
    return found;
}
/** Nobody has signed in yet. */
export async function openPage(options = {}) {
    const context = await (await theBrowser()).newContext({
        viewport: { width: 1280, height: 800 },
        ...options,
    });
    onTestFinished(() => context.close());
    const complaints = [];
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
        if (/Content Security Policy|Trusted ?Type/i.test(message.text()))
            complaints.push(message.text());
    });
    await page.exposeFunction('tellViolation', (words) => complaints.push(words));
    await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => window.tellViolation(`violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    });
    return { page, complaints };
}
export async function signedIn(host, options = {}) {
    const opened = await openPage(options);
    await opened.page.goto(await host.link());
    await opened.page.locator('.connection[data-state=connected]').waitFor();
    return opened;
}
/** Ends the host at once, as a crash would. */
export async function killHost(host) {
    const { pid } = await host.status();
    process.kill(pid, 'SIGKILL');
    while ((await host.status()).running)
        ;
}
/** Keeps its address: an open page finds it again. */
export async function startAgain(host) {
    await host.crosshook(['daemon', 'start']);
}
