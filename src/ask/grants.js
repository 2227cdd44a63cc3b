/** A yes that outlives its question: bound to the digest of exactly what was asked, with a scope and an end. */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../config/make-folder.ts';
import { stateKey } from '../config/state-key.ts';
import { uniqueHex } from '../journal/unique.ts';
import { createSealed, readSealed } from './sealed-file.ts';
import { satisfies } from './who.ts';
const FILE = /^([0-9a-f]{8})\.grant$/;
export function openGrants(stateDir) {
    const folder = join(stateDir, 'grants');
    const sealing = () => ({ key: stateKey(stateDir) });
    const file = (id) => join(folder, `${id}.grant`);
    function all() {
        let names;
        try {
            names = readdirSync(folder);
        }
        catch (error) {
            if (error.code === 'ENOENT')
                return [];
            throw error;
        }
        const seal = names.length > 0 ? sealing() : undefined;
        return names
            .filter((name) => FILE.test(name))
            .flatMap((name) => {
            const found = readSealed(join(folder, name), seal);
            return found === undefined || found === 'forged' ? [] : [found];
        })
            .sort((a, b) => a.at.localeCompare(b.at));
    }
    function current(now) {
        return all().filter((grant) => {
            if (Date.parse(grant.until) > now)
                return true;
            rmSync(file(grant.id), { force: true });
            return false;
        });
    }
    return {
        give(given) {
            makeFolder(folder);
            const grant = { ...given, id: uniqueHex(8) };
            if (!createSealed(file(grant.id), grant, sealing()))
                throw new Error(`grant ${grant.id} exists already`);
            return grant;
        },
        list: () => current(Date.now()),
        use(asked, required, now = Date.now()) {
            return current(now).find((grant) => reaches(grant, asked) && satisfies(grant.by, required) && isOurs(grant));
        },
        revoke(id) {
            if (!FILE.test(`${id}.grant`) || !all().some((grant) => grant.id === id))
                return false;
            rmSync(file(id), { force: true });
            return true;
        },
    };
    /** Of several calls at once, one gets a grant for a single call. */
    function isOurs({ id, scope }) {
        if (scope !== 'once')
            return true;
        try {
            renameSync(file(id), join(folder, `${id}.used`));
            rmSync(join(folder, `${id}.used`), { force: true });
            return true;
        }
        catch (error) {
            if (error.code === 'ENOENT')
                return false;
            throw error;
        }
    }
}
function reaches(grant, { digest, agent, session_id, project }) {
    if (grant.digest !== digest || grant.agent !== agent)
        return false;
    return grant.scope === 'project' ? grant.project === project : grant.session_id === session_id;
}
