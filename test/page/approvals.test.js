import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, ROOT, signedIn, startHost } from './browser.ts';
import { looksRight } from './look.ts';
afterAll(closeBrowser);
const HOOK = `---
name: asks
description: asks
trigger: before_tool
matcher: {command: deploy}
outcome: {decision: ask, reason: deploying needs a yes}
---
`;
/** An agent's call that waits for an answer; nothing is set up but the hook: the open page is what makes it wait. */
function call(host, command) {
    const child = spawn(process.execPath, [join(ROOT, 'dist/cli/main.cjs'), 'hook', 'codex', 'PreToolUse'], {
        env: host.env,
        cwd: host.project,
        stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify({
        session_id: 's1',
        cwd: host.project,
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command },
    }));
    return new Promise((resolve) => {
        let text = '';
        child.stdout.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
        });
        child.on('close', () => resolve(text));
    });
}
async function open() {
    const host = await startHost();
    host.put('config/agents/hooks/asks/HOOK.md', HOOK);
    const opened = await signedIn(host);
    await opened.page.goto(`${new URL(opened.page.url()).origin}/approvals`);
    await opened.page.getByText('No agent waits for you').waitFor();
    return { host, ...opened };
}
describe('the view of approvals', () => {
    it('shows a question with a countdown, and yes lets the call go on', async () => {
        const { host, page, complaints } = await open();
        const asked = call(host, './deploy.sh "<img src=x onerror=alert(1)>"');
        const card = page.locator('.approval');
        await card.waitFor();
        expect(await card.textContent()).toMatch(/Codex asks.*left.*deploying needs a yes/s);
        expect(await card.locator('pre').textContent()).toBe('./deploy.sh "<img src=x onerror=alert(1)>"');
        expect(await page.locator('.count').textContent()).toBe(' 1');
        await looksRight(page, 'approvals');
        await card.getByRole('button', { name: 'Allow' }).click();
        expect(await asked).not.toContain('deny');
        await page.getByText('No agent waits for you').waitFor();
        expect(complaints).toEqual([]);
    });
    it('takes no with the words of the person, and yes for a session makes a grant that can be revoked', async () => {
        const { host, page } = await open();
        const refused = call(host, './deploy.sh 1');
        const card = page.locator('.approval');
        await card.getByRole('textbox').fill('not on friday');
        await card.getByRole('button', { name: 'Deny' }).click();
        expect(await refused).toContain('not on friday');
        const asked = call(host, './deploy.sh 2');
        await card.getByRole('combobox').selectOption('session');
        await card.getByRole('button', { name: 'Allow' }).click();
        expect(await asked).not.toContain('deny');
        expect(await call(host, './deploy.sh 2')).not.toContain('deny');
        await page.getByRole('button', { name: 'Revoke' }).click();
        await page.locator('[data-grant]').waitFor({ state: 'detached' });
        expect(JSON.parse(await host.crosshook(['grants', '--json']))).toEqual([]);
    });
});
