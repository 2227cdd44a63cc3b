/** Organisations that share a hub, their people, and the keys that may sign their policy. */
import { CrosshookError } from '../../spec/errors.ts';
import { audit } from './audit.ts';
import { hashOf, newSecret } from './secrets.ts';
/** What a person may do: each role may also do what the ones before may. */
export const ROLES = ['viewer', 'approver', 'admin'];
export async function ensureTenant(db, tenant) {
    await db.shared(async (sql) => {
        await sql.run('INSERT INTO tenants (id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
            tenant,
            Date.now(),
        ]);
        await sql.run('INSERT INTO pulse (tenant, policy, asks, edges) VALUES ($1, 0, 0, 0) ON CONFLICT DO NOTHING', [tenant]);
    });
}
export function readPulse(db) {
    return db.shared((sql) => sql.all('SELECT tenant, policy, asks, edges FROM pulse'));
}
/** Tells every hub, by a hint now and by the counter at its next look. */
export async function changed(sql, tenant, what) {
    await sql.run(`UPDATE pulse SET ${what} = ${what} + 1 WHERE tenant = $1`, [tenant]);
    await sql.hint();
}
export async function tenantSettings(sql, tenant) {
    const [row] = await sql.all('SELECT settings FROM tenants WHERE id = $1', [tenant]);
    return row ? JSON.parse(row.settings) : {};
}
export async function changeSettings(sql, by, change) {
    const before = await tenantSettings(sql, by.tenant);
    const channels = Object.entries({ ...before.channels, ...change.channels }).filter(([, to]) => to !== null);
    const settings = { ...before, ...change, channels: Object.fromEntries(channels) };
    await sql.run('UPDATE tenants SET settings = $2 WHERE id = $1', [by.tenant, JSON.stringify(settings)]);
    await audit(sql, by.tenant, by.id, 'settings', { names: Object.keys(change) });
    return settings;
}
const PERSON_TOKEN = /^chp\.([\w.-]{1,64})\.([\w-]{32})$/;
/** The token is shown once; the hub keeps its hash. */
export async function addPerson(sql, by, { tenant, id, role }, subject = null) {
    const secret = newSecret();
    const added = await sql.run('INSERT INTO people (tenant, id, role, token_hash, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING', [tenant, id, role, hashOf(secret), subject, Date.now()]);
    if (added === 0)
        throw new CrosshookError('exists', `There is a person ${id} already.`);
    await audit(sql, tenant, by, 'person added', { id, role });
    return `chp.${tenant}.${secret}`;
}
export async function personByToken(db, token) {
    const [, tenant, secret] = PERSON_TOKEN.exec(token) ?? [];
    if (!tenant || !secret)
        return undefined;
    return db.within(tenant, async (sql) => {
        const [row] = await sql.all('SELECT id, role FROM people WHERE tenant = $1 AND token_hash = $2 AND revoked_at IS NULL', [tenant, hashOf(secret)]);
        return row && { tenant, ...row };
    });
}
export async function personById(sql, tenant, id) {
    const [row] = await sql.all('SELECT id, role, signed_out_at FROM people WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL', [tenant, id]);
    return row && { tenant, ...row };
}
/** Ends every session that began before now. */
export async function signOut(sql, { tenant, id }) {
    await sql.run('UPDATE people SET signed_out_at = $3 WHERE tenant = $1 AND id = $2', [
        tenant,
        id,
        Date.now(),
    ]);
}
export async function personBySubject(sql, tenant, subject) {
    const [row] = await sql.all('SELECT id, role FROM people WHERE tenant = $1 AND subject = $2 AND revoked_at IS NULL', [tenant, subject]);
    return row && { tenant, ...row };
}
export async function people(sql, tenant) {
    return sql.all('SELECT id, role, subject, created_at, revoked_at FROM people WHERE tenant = $1 ORDER BY id', [tenant]);
}
export async function removePerson(sql, by, id) {
    const removed = await sql.run('UPDATE people SET revoked_at = $3, token_hash = NULL WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL', [by.tenant, id, Date.now()]);
    if (removed > 0)
        await audit(sql, by.tenant, by.id, 'person removed', { id });
    return removed > 0;
}
/** Whose signatures count for the next revision: those that the newest one names, or those that were set up at first. */
export async function trustedKeys(sql, tenant) {
    const rows = await sql.all('SELECT public FROM keys WHERE tenant = $1 ORDER BY public', [tenant]);
    const { threshold = 1 } = await tenantSettings(sql, tenant);
    return { keys: rows.map((row) => row.public), threshold };
}
/** Only while there is no policy: later keys come with a signed revision. */
export async function setKeys(sql, tenant, who, { keys, threshold }) {
    const before = await trustedKeys(sql, tenant);
    if (before.threshold === threshold && `${before.keys}` === `${[...keys].sort()}`)
        return;
    await sql.run('DELETE FROM keys WHERE tenant = $1', [tenant]);
    await sql.insertMany('keys', { tenant: 'text', public: 'text', added_by: 'text', added_at: 'bigint' }, keys.map((key) => [tenant, key, who, Date.now()]));
    const settings = { ...(await tenantSettings(sql, tenant)), threshold };
    await sql.run('UPDATE tenants SET settings = $2 WHERE id = $1', [tenant, JSON.stringify(settings)]);
    await audit(sql, tenant, who, 'keys', { keys, threshold });
}
