/** What happens on a machine where agents work: hooks of several kinds, calls, failures, things that need a person. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openJournal } from '../../src/journal/sqlite/open.ts';
function hookText(name, description, more) {
    return `---\nname: ${name}\ndescription: ${description}\ntrigger: before_tool\n${more}---\n\n# ${name}\n`;
}
/** Hooks of the person and of a project. */
export function putHooks(host) {
    const user = (name, description, more) => host.put(`config/agents/hooks/${name}/HOOK.md`, hookText(name, description, more));
    user('no-force-push', 'Nobody rewrites the history of a shared branch.', 'matcher:\n  command: "git push .*--force"\non_failure: closed\noutcome: { decision: deny, reason: "Force pushes rewrite what others have fetched." }\n');
    user('ask-before-publish', 'A person looks before anything is published.', 'matcher:\n  command: "npm publish"\noutcome: { decision: ask, reason: "Shall this be published?" }\n');
    user('check-licences', 'New dependencies need a known licence.', 'matcher:\n  command: "npm install"\non_failure: closed\n');
    host.put('config/agents/hooks/check-licences/scripts/run.sh', '#!/bin/sh\necho "licences.json: no such file" >&2\nexit 7\n', 0o755);
    host.put('project/.git/HEAD', 'ref: refs/heads/main\n');
    host.put('project/.agents/hooks/format-edits/HOOK.md', hookText('format-edits', 'Formats files after edits.', 'matcher:\n  tool: EditFile\n'));
    host.put('project/.agents/hooks/format-edits/scripts/run.sh', '#!/bin/sh\nexec npx prettier --write "$1"\n', 0o755);
}
const COMMANDS = [
    'git status --short',
    'npm test',
    'rg -n "createServer" src',
    'git push --force origin main',
    'sed -n 1,80p src/index.ts',
    'npm publish --access public',
    'ls -la',
    'npm install left-pad',
];
/** Calls of agents, through the host's API as over HTTP hooks. */
export async function sendCalls(host, rounds = 3) {
    const { http, token_file } = await host.status();
    const authorization = `Bearer ${readFileSync(token_file, 'utf8').trim()}`;
    const send = async (path, body) => {
        const response = await fetch(`${http}${path}`, {
            method: 'POST',
            headers: { authorization },
            body: JSON.stringify(body),
        });
        if (!response.ok)
            throw new Error(`${path}: ${response.status} ${await response.text()}`);
    };
    for (let round = 0; round < rounds; round++)
        for (const command of COMMANDS) {
            await send('/v1/agents/claude-code/PreToolUse', {
                hook_event_name: 'PreToolUse',
                session_id: `session-${round}`,
                cwd: host.project,
                tool_name: 'Bash',
                tool_input: { command },
            });
            await send('/v1/agents/codex/PostToolUse', {
                hook_event_name: 'PostToolUse',
                session_id: `other-${round}`,
                cwd: host.project,
                tool_name: 'Bash',
                tool_input: { command },
                tool_response: 'done',
            });
        }
}
/** An event that tries to be more than text. */
export const HOSTILE = {
    html: '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>',
    ansi: '\u001b[31mred\u001b[0m',
    bidi: 'safe\u202egnp.exe',
    long: 'A'.repeat(1000000),
};
export async function sendHostile(host) {
    const { http, token_file } = await host.status();
    const { html, ansi, bidi, long } = HOSTILE;
    await fetch(`${http}/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${readFileSync(token_file, 'utf8').trim()}` },
        body: JSON.stringify({
            event_type: 'before_tool',
            session_id: `${html} ${bidi}`,
            work_dir: host.project,
            tool_name: html,
            tool_input: { command: `${html} ${ansi} ${bidi} ${long}` },
        }),
    });
}
export function stateOf(host) {
    return join(host.env.XDG_STATE_HOME, 'crosshook');
}
/** Many records at once, before the host starts. The copies of the first thousands are made by the database. */
export function fillJournal(host, count) {
    host.put('config/crosshook/config.toml', '[journal]\nmax_records = 10000000\nmax_bytes = 100000000000\n');
    const state = stateOf(host);
    const journal = openJournal(state, { limits: { records: 1e7, bytes: 1e11 } });
    const first = Math.min(count, 10000);
    journal.appendTogether(() => {
        for (let i = 0; i < first; i++)
            journal.append(entry(host, i));
    });
    journal.search({}, { limit: 1, rows: 1 });
    journal.close();
    const db = new DatabaseSync(join(state, 'journal.db'));
    const columns = 'id, at_ms, event, session_id, decision, hooks, bytes, body, counts, prev, chain';
    for (let have = first; have < count; have *= 2)
        db.exec(`INSERT INTO events (${columns}) SELECT ${columns} FROM events WHERE seq <= ${Math.min(have, count - have)} ORDER BY seq`);
    db.close();
}
function entry(host, i) {
    const isDeny = i % 50 === 0;
    return {
        event: 'before_tool',
        agent: ['claude-code', 'codex', 'gemini-cli'][i % 3],
        session_id: `session-${Math.floor(i / 200)}`,
        work_dir: host.project,
        tool_name: 'Shell',
        subject: 'Shell',
        detail: `${COMMANDS[i % COMMANDS.length]} # ${i}`,
        decision: isDeny ? 'deny' : 'allow',
        reason: isDeny ? 'not here' : null,
        stop: null,
        duration_ms: 3.2,
        source: 'hook',
        hooks: [
            {
                name: 'no-force-push',
                format: 'agenthooks',
                scope: 'user',
                status: isDeny ? 'blocked' : 'allowed',
                exit_code: 0,
                duration_ms: 2.1,
                attempts: 1,
                reason: isDeny ? 'not here' : null,
                error: null,
                skipped: null,
            },
        ],
    };
}
