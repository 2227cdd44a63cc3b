/** Hooks and a history for the tests of analytics, builder, gallery and templates. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
export const GUARD = `---
name: no-force-push # ours
description: Refuses forced pushes.
trigger: before_tool
# What a team has agreed on.
matcher:
  command: '^git push.*--force' # also with --force-with-lease
outcome:
  decision: deny
  reason: Use a branch of your own.
x-owner: platform
---

# No force push
`;
const COMMANDS = [
    'git status',
    'git push --force origin main',
    'npm test',
    'rm -rf build',
    'ls -la',
    'git push origin work',
    'cat README.md',
    'npm publish',
];
/** A machine on which agents have worked for some weeks. */
export async function withHistory(host, events = 60) {
    host.put('config/agents/hooks/no-force-push/HOOK.md', GUARD);
    host.put('config/agents/hooks/ask-before-publish/HOOK.md', '---\nname: ask-before-publish\ndescription: Asks before packages are published.\ntrigger: before_tool\npriority: 90\nmatcher:\n  does: publish\noutcome:\n  decision: ask\n  reason: This leaves the machine.\n---\n');
    host.put('config/agents/hooks/never-seen/HOOK.md', '---\nname: never-seen\ndescription: Is for a tool that nobody has.\ntrigger: before_tool\nmatcher:\n  tool: Telescope\noutcome:\n  decision: deny\n---\n');
    await host.link();
    const { http, token_file } = await host.status();
    const token = readFileSync(token_file, 'utf8').trim();
    const fire = (event) => fetch(`${http}/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ session_id: 'session-1', work_dir: host.project, tool_name: 'Shell', ...event }),
    });
    for (let i = 0; i < events; i++) {
        const tool_input = { command: COMMANDS[i % COMMANDS.length] };
        await fire({ event_type: 'before_tool', tool_input });
        if (i % 8 === 7)
            await fire({ event_type: 'after_tool', tool_input });
    }
    // What was recorded is taken in, and the weeks before it are written into the sums.
    await fetch(`${http}/v1/stats`, { headers: { authorization: `Bearer ${token}` } });
    const db = new DatabaseSync(join(host.root, 'state/crosshook/journal.db'));
    const add = db.prepare('INSERT OR REPLACE INTO hook_sums VALUES (?, 24, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const addEvents = db.prepare('INSERT OR REPLACE INTO event_days VALUES (?, ?, ?, ?, ?, ?, ?)');
    const today = Math.floor(Date.now() / 86400000) * 24;
    for (let day = 1; day < 30; day++) {
        const at = today - day * 24;
        const busy = 20 + Math.round(60 * Math.abs(Math.sin(day * 1.7)));
        for (const [hook, agent, tool, deny, ask] of [
            ['no-force-push', 'claude-code', 'Shell', 0.1, 0],
            ['ask-before-publish', 'codex', 'Shell', 0, 0.3],
        ])
            for (const level of ['hook', 'agent', 'tool', 'project', 'all']) {
                const is = (name, value) => (level === name || level === 'all' ? value : '');
                const asks = Math.round(busy * ask);
                add.run(...[level, at, hook, is('agent', agent), is('tool', tool), is('project', host.project)], ...[busy, Math.round(busy * deny), asks, asks, 0, day % 9 === 0 ? 2 : 0, 0, busy * 4], JSON.stringify({ 10: Math.round(busy * 0.8), 25: Math.round(busy * 0.18), 45: 1 }));
            }
        addEvents.run(at, 'claude-code', 'Shell', 'allow', host.project, 'before_tool', busy * 2);
        addEvents.run(at, 'codex', 'Shell', 'deny', host.project, 'before_tool', Math.round(busy / 10));
    }
    db.close();
}
/** To another view without loading the page anew, as a link does. */
export async function goTo(page, path) {
    await page.evaluate((to) => {
        history.pushState(null, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
    }, path);
}
