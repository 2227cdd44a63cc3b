/** The journal of a state folder, as the settings want it and sealed with the folder's key. */
import { settingsFiles } from '../config/paths.ts';
import { readSettings } from '../config/settings.ts';
import { mac, stateKey } from '../config/state-key.ts';
import { hmacWith } from '../fast/hmac.ts';
import { openJournal } from '../journal/sqlite/open.ts';
/** For whoever learns the settings only with an event: see `journalOptions`. */
export function journalAt(stateDir) {
    return openJournal(stateDir, { seal: sealOf(stateDir) });
}
/** For commands: with the limits of the settings, since reading a journal also removes what is beyond them. */
export async function journalOf(where) {
    const { settings } = await readSettings(settingsFiles(where), where.home);
    const journal = journalAt(where.state);
    journal.use(journalOptions(settings.journal));
    return journal;
}
/** A key that cannot be used must not keep a record from being kept. */
function sealOf(stateDir) {
    let key;
    let quick;
    let seals = 0;
    return (text) => {
        key ??= keyOrNone(stateDir);
        if (!key)
            return UNSEALED;
        // Loading the library takes a short process longer than it saves.
        if (++seals < WORTH_LOADING)
            return mac(key, 'journal', text);
        quick ??= hmacWith(process.getBuiltinModule('node:crypto').hash, key);
        return quick([Buffer.from(`journal\0${text}`)]).toString('hex');
    };
}
const WORTH_LOADING = 32;
/** What stands in the place of a seal that could not be made. */
const UNSEALED = '-'.repeat(64);
function keyOrNone(stateDir) {
    try {
        return stateKey(stateDir);
    }
    catch {
        return undefined;
    }
}
/** Made once for each settings object. */
export function journalOptions(settings) {
    let known = options.get(settings);
    if (!known) {
        const { max_records, max_bytes, max_age, stats_age, durability } = settings;
        known = {
            limits: {
                ...(max_records === undefined ? {} : { records: max_records }),
                ...(max_bytes === undefined ? {} : { bytes: max_bytes }),
                ...(max_age === undefined ? {} : { age: milliseconds(max_age) }),
                ...(stats_age === undefined ? {} : { statsAge: milliseconds(stats_age) }),
            },
            ...(durability === undefined ? {} : { durability }),
        };
        options.set(settings, known);
    }
    return known;
}
const options = new WeakMap();
const UNITS = { m: 60000, h: 3600000, d: 86400000, w: 604800000 };
/** `90d`; the schema has checked it. */
function milliseconds(text) {
    return Number.parseInt(text, 10) * UNITS[text.at(-1)];
}
