/** Gives hooks of packs their settings: what config.toml says, checked against what the pack says can be set. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '../spec/nearest.ts';
import { settingsOf } from './pack-settings.ts';
/** The variable in which a hook of a pack finds its settings, as JSON. */
export const SETTINGS_VARIABLE = 'AGENT_HOOK_SETTINGS';
/** `bases` are folders of hooks that have a lock file. Defaults count for the person's own hooks only: see below. */
export function applyPackSettings(hooks, bases, { settings, file }) {
    const problems = [];
    const known = new Set();
    for (const { path, scope } of bases) {
        const lock = readLock(join(path, 'hooks.lock.json'));
        for (const [pack, { settings: rows = {} }] of Object.entries(lock.packs ?? {})) {
            known.add(pack);
            const given = settings.packs[pack] ?? {};
            // The lock file of a project is not among what a person trusts: it may not say anything to a trusted hook.
            const found = settingsOf(scope === 'user' ? rows : withoutDefaults(rows), given);
            for (const { setting, message, fix } of found.problems)
                problems.push({
                    level: 'error',
                    file,
                    field: `packs."${pack}".${setting}`,
                    message: `${pack}, ${setting}: ${message}`,
                    fix,
                });
            if (Object.keys(found.values).length === 0)
                continue;
            for (const hook of hooks)
                if (hook.scope === scope &&
                    hook.origin.dir?.startsWith(`${path}/`) &&
                    lock.hooks?.[hook.name]?.pack === pack)
                    hook.env = { ...hook.env, [SETTINGS_VARIABLE]: JSON.stringify(found.values) };
        }
    }
    for (const pack of Object.keys(settings.packs))
        if (!known.has(pack))
            problems.push({
                level: 'warning',
                file,
                field: `packs."${pack}"`,
                message: `there are settings for ${pack}, and no such pack is here.${didYouMean(pack, known)}`,
                fix: 'Correct its name, or take the settings away.',
            });
    return problems;
}
function withoutDefaults(rows) {
    return Object.fromEntries(Object.entries(rows).map(([name, { default: _, required: __, ...row }]) => [name, row]));
}
/** Whoever needs more of it says what is wrong with it. */
function readLock(file) {
    try {
        const found = JSON.parse(readFileSync(file, 'utf8'));
        return typeof found === 'object' && found !== null ? found : {};
    }
    catch {
        return {}; // no lock file, or one that `doctor` complains about
    }
}
