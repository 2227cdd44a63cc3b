/** Single values of the database. */
import { prepared } from './store.ts';
export function metaOf(db, name) {
    const value = prepared(db, 'SELECT value FROM meta WHERE name = ?').get(name)?.value;
    return value === undefined ? undefined : String(value);
}
export function setMeta(db, name, value) {
    prepared(db, 'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value').run(name, value);
}
