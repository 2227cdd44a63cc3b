/** Revisions of the policy and how far each has been rolled out. */
import { digestOf, parseManifest, verifySigned } from '../../fleet/wire/policy.ts';
import { verify } from '../../sign/signature.ts';
import { CrosshookError } from '../../spec/errors.ts';
import { audit } from './audit.ts';
import { changed, setKeys, trustedKeys } from './tenants.ts';
const COLUMNS = 'revision, digest, manifest, author, created_at, state, stage, stage_since, why';
/** The next revision, by number: two that were made at once cannot both be it. */
export async function publish(sql, by, signed, archive) {
    const manifest = parseManifest(signed.manifest);
    const { tenant } = by;
    if (manifest.tenant !== tenant)
        throw refused(`The policy is for ${manifest.tenant}, not for ${tenant}.`);
    if (digestOf(archive) !== manifest.digest)
        throw refused('The archive is not the one that the manifest names.');
    await sql.run('UPDATE pulse SET edges = edges WHERE tenant = $1', [tenant]);
    const next = await nextRevision(sql, tenant);
    if (manifest.revision !== next)
        throw new CrosshookError('exists', `The next revision is ${next}, and this is ${manifest.revision}.`, {
            fix: 'Somebody else has published meanwhile. Look at `crosshook fleet status`, then publish again.',
        });
    const trusted = await trustedKeys(sql, tenant);
    // The first policy brings the keys that sign it; from then on they are checked against those before.
    if (trusted.keys.length === 0)
        await setKeys(sql, tenant, by.id, manifest);
    await sql.run('INSERT INTO blobs (tenant, digest, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
        tenant,
        manifest.digest,
        archive,
    ]);
    const now = Date.now();
    await sql.run(`INSERT INTO revisions (tenant, revision, digest, manifest, author, created_at, state, stage, stage_since)
     VALUES ($1, $2, $3, $4, $5, $6, 'pending', 0, $6)`, [tenant, next, manifest.digest, signed.manifest, by.id, now]);
    await audit(sql, tenant, by.id, 'published', {
        revision: next,
        digest: manifest.digest,
        author: manifest.author,
    });
    for (const { key, signature } of signed.signatures)
        await addSignature(sql, by, next, key, signature);
    return (await revisionOf(sql, tenant, next));
}
/** A database that was restored knows of fewer revisions than machines have taken: theirs are not given again. */
const MOST_FORGOTTEN = 1000;
/** By number: what comes after every revision, also after those that machines say they have. */
export async function nextRevision(sql, tenant) {
    const newest = async (table) => {
        const [row] = await sql.all(`SELECT max(revision) AS revision FROM ${table} WHERE tenant = $1`, [tenant]);
        return row?.revision ?? 0;
    };
    const [own, told] = [await newest('revisions'), await newest('edges')];
    // A machine that says nonsense must not use up all numbers.
    return (told > own && told - own <= MOST_FORGOTTEN ? told : own) + 1;
}
/** With the last signature that it needs the roll-out begins. One person signs with one key. */
export async function addSignature(sql, by, revision, key, signature) {
    const { tenant } = by;
    const found = await revisionOf(sql, tenant, revision);
    if (!found)
        throw new CrosshookError('not_found', `There is no revision ${revision}.`);
    const trusted = await trustedKeys(sql, tenant);
    if (!trusted.keys.includes(key) || !verify(key, 'bundle', found.manifest, signature))
        throw refused('This signature is not by one of the keys that may sign the policy, or not of this policy.');
    const [other] = await sql.all('SELECT public FROM signatures WHERE tenant = $1 AND revision = $2 AND person = $3 AND public <> $4', [tenant, revision, by.id, key]);
    if (other && trusted.threshold > 1)
        throw refused(`${by.id} has signed revision ${revision} already: another person must.`);
    await sql.run('INSERT INTO signatures (tenant, revision, public, signature, person, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING', [tenant, revision, key, signature, by.id, Date.now()]);
    await audit(sql, tenant, by.id, 'signed', { revision, key });
    const now = await revisionOf(sql, tenant, revision);
    if (now.state === 'pending' && now.signatures.length >= trusted.threshold)
        await begin(sql, by, now);
    return (await revisionOf(sql, tenant, revision));
}
async function begin(sql, by, revision) {
    const { tenant } = by;
    const manifest = verifySigned(revision, await trustedKeys(sql, tenant));
    for (const other of await revisionsIn(sql, tenant, ['running']))
        if (other.revision < revision.revision && parseManifest(other.manifest).selector === manifest.selector)
            await setState(sql, tenant, other.revision, 'superseded', `revision ${revision.revision} took its place`);
    await sql.run("UPDATE revisions SET state = 'running', stage = 0, stage_since = $3 WHERE tenant = $1 AND revision = $2", [tenant, revision.revision, Date.now()]);
    await setKeys(sql, tenant, by.id, manifest);
    await changed(sql, tenant, 'policy');
}
/** Whoever is first moves it: several hubs look at the same time. */
export async function advance(sql, tenant, who, { revision, stage, manifest }) {
    const { stages } = parseManifest(manifest);
    const isLast = stage + 1 >= stages.length;
    const moved = isLast
        ? await sql.run("UPDATE revisions SET state = 'done' WHERE tenant = $1 AND revision = $2 AND state = 'running' AND stage = $3", [tenant, revision, stage])
        : await sql.run("UPDATE revisions SET stage = stage + 1, stage_since = $4 WHERE tenant = $1 AND revision = $2 AND state = 'running' AND stage = $3", [tenant, revision, stage, Date.now()]);
    if (moved === 0)
        return false;
    await audit(sql, tenant, who, isLast ? 'rolled out' : 'next stage', {
        revision,
        stage: isLast ? stage : stage + 1,
    });
    await changed(sql, tenant, 'policy');
    return true;
}
/** Machines that have it keep it: taking it back is a new revision. */
export async function stop(sql, tenant, who, revision, why) {
    const stopped = await sql.run("UPDATE revisions SET state = 'stopped', why = $3 WHERE tenant = $1 AND revision = $2 AND state IN ('running', 'pending', 'done')", [tenant, revision, why]);
    if (stopped === 0)
        return false;
    await audit(sql, tenant, who, 'stopped', { revision, why });
    await changed(sql, tenant, 'policy');
    return true;
}
export async function resume(sql, by, revision) {
    const resumed = await sql.run("UPDATE revisions SET state = 'running', why = NULL, stage_since = $3 WHERE tenant = $1 AND revision = $2 AND state = 'stopped'", [by.tenant, revision, Date.now()]);
    if (resumed === 0)
        return false;
    await audit(sql, by.tenant, by.id, 'resumed', { revision });
    await changed(sql, by.tenant, 'policy');
    return true;
}
async function setState(sql, tenant, revision, state, why) {
    await sql.run('UPDATE revisions SET state = $3, why = $4 WHERE tenant = $1 AND revision = $2', [
        tenant,
        revision,
        state,
        why,
    ]);
}
export async function revisionOf(sql, tenant, revision) {
    const [row] = await sql.all(`SELECT ${COLUMNS} FROM revisions WHERE tenant = $1 AND revision = $2`, [tenant, revision]);
    return row && (await withSignatures(sql, tenant, [row]))[0];
}
/** Those that machines may have. */
export const OFFERED = ['running', 'done', 'superseded'];
/** Newest first. */
export async function revisionsIn(sql, tenant, states, limit = 100) {
    const rows = await sql.all(`SELECT ${COLUMNS} FROM revisions WHERE tenant = $1 AND state IN (${states.map((_, i) => `$${i + 3}`).join(', ')})
     ORDER BY revision DESC LIMIT $2`, [tenant, limit, ...states]);
    return withSignatures(sql, tenant, rows);
}
async function withSignatures(sql, tenant, rows) {
    if (rows.length === 0)
        return [];
    const found = await sql.all(`SELECT revision, public AS key, signature FROM signatures
     WHERE tenant = $1 AND revision IN (${rows.map((_, i) => `$${i + 2}`).join(', ')}) ORDER BY at`, [tenant, ...rows.map(({ revision }) => revision)]);
    const by = Map.groupBy(found, ({ revision }) => revision);
    return rows.map((row) => ({
        ...row,
        signatures: (by.get(row.revision) ?? []).map(({ key, signature }) => ({ key, signature })),
    }));
}
/** For machines that were away while the keys changed: oldest first, without those that were never signed by enough. */
export async function manifestsAfter(sql, tenant, after) {
    const rows = await sql.all(`SELECT ${COLUMNS} FROM revisions WHERE tenant = $1 AND revision > $2 AND state <> 'pending' ORDER BY revision LIMIT 1000`, [tenant, after]);
    return (await withSignatures(sql, tenant, rows)).map(({ manifest, signatures }) => ({
        manifest,
        signatures,
    }));
}
export async function blobOf(sql, tenant, digest) {
    const [row] = await sql.all('SELECT bytes FROM blobs WHERE tenant = $1 AND digest = $2', [tenant, digest]);
    return row?.bytes;
}
function refused(message) {
    return new CrosshookError('refused', message);
}
