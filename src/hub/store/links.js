/** Links that sign a person in on the page, once, at whichever hub. */
import { CrosshookError } from '../../spec/errors.ts';
import { audit } from './audit.ts';
import { hashOf, newSecret } from './secrets.ts';
import { personById } from './tenants.ts';
const CODE = /^chl\.([\w.-]{1,64})\.([\w-]{32})$/;
/** One's own is used at once; one for somebody else has to reach them. In milliseconds. */
const OWN_LIFE = 2 * 60000;
const OTHER_LIFE = 24 * 3600000;
export async function makeLink(sql, by, person) {
    const { tenant } = by;
    if (!(await personById(sql, tenant, person)))
        throw new CrosshookError('not_found', `There is no person ${person}.`);
    const secret = newSecret();
    const ends = Date.now() + (person === by.id ? OWN_LIFE : OTHER_LIFE);
    await sql.run('DELETE FROM links WHERE tenant = $1 AND expires_at < $2', [tenant, Date.now()]);
    await sql.run('INSERT INTO links (tenant, hash, person, expires_at) VALUES ($1, $2, $3, $4)', [
        tenant,
        hashOf(secret),
        person,
        ends,
    ]);
    await audit(sql, tenant, by.id, 'sign-in link made', { person });
    return { code: `chl.${tenant}.${secret}`, ends };
}
export function tenantOfLink(code) {
    return CODE.exec(code)?.[1];
}
/** Of two who bring the same link one gets in. */
export async function useLink(sql, tenant, code) {
    const secret = CODE.exec(code)?.[2] ?? '';
    const [row] = await sql.all('DELETE FROM links WHERE tenant = $1 AND hash = $2 RETURNING person, expires_at', [tenant, hashOf(secret)]);
    if (!row || row.expires_at < Date.now())
        return undefined;
    const person = await personById(sql, tenant, row.person);
    if (!person)
        return undefined;
    await audit(sql, tenant, person.id, 'signed in', { by: 'link' });
    return { tenant, id: person.id, role: person.role };
}
