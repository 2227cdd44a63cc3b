/** The settings file, `config.toml`: what a user or an administrator sets for all hooks. */
import { readFileSync } from 'node:fs';
import { isSystemError, messageOf } from '../spec/errors.ts';
import { firstUnsafe } from './ownership.ts';
import { isThere } from './there.ts';
export const CHANNELS = ['agent', 'page', 'terminal', 'webhook', 'ntfy', 'slack', 'hub'];
export const NO_SETTINGS = {
    sources: [],
    allowed_hosts: [],
    disabled: [],
    shadow: [],
    models: {},
    journal: {},
    daemon: {},
    approvals: {},
    packs: {},
    updates: {},
    managed_only: false,
    self_protection: true,
};
/** Managed settings come last: what they say stands. A broken file is a problem and counts as empty. */
export async function readSettings(files, home) {
    let settings = NO_SETTINGS;
    const problems = [];
    for (const file of files) {
        try {
            if (!isThere(file))
                continue;
            const unsafe = firstUnsafe([file], home);
            if (unsafe) {
                const { message, fix } = unsafe;
                problems.push({
                    level: 'error',
                    file,
                    message: `${message}: until it is mended it counts as empty`,
                    fix,
                });
                continue;
            }
            const { parseSettings } = await import('./settings-schema.ts');
            const found = parseSettings(readFileSync(file, 'utf8'), file, home);
            problems.push(...found.problems);
            settings = combine(settings, found.settings);
        }
        catch (error) {
            problems.push({
                level: 'error',
                file,
                message: messageOf(error),
                fix: 'Correct the file; until then it counts as empty.',
                ...(isSystemError(error) ? { unread: true } : {}),
            });
        }
    }
    return { settings, problems };
}
function combine(low, high) {
    return {
        sources: [...low.sources, ...(high.sources ?? [])],
        allowed_hosts: [...low.allowed_hosts, ...(high.allowed_hosts ?? [])],
        disabled: [...low.disabled, ...(high.disabled ?? [])],
        shadow: [...low.shadow, ...(high.shadow ?? [])],
        models: { ...low.models, ...high.models },
        journal: { ...low.journal, ...high.journal },
        daemon: { ...low.daemon, ...high.daemon },
        approvals: combineApprovals(low.approvals, high.approvals),
        packs: { ...low.packs, ...high.packs },
        updates: { ...low.updates, ...high.updates },
        managed_only: low.managed_only || (high.managed_only ?? false),
        self_protection: high.self_protection ?? low.self_protection,
    };
}
/** Who may answer is joined by name: a name that managed settings give away means nobody else. */
function combineApprovals(low, high = {}) {
    const named = new Set(high.approvers?.map(({ name }) => name));
    const approvers = [
        ...(low.approvers ?? []).filter(({ name }) => !named.has(name)),
        ...(high.approvers ?? []),
    ];
    return { ...low, ...high, ...(approvers.length > 0 ? { approvers } : {}) };
}
