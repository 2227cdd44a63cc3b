/** From the files where records come in to the database: each record once, whoever does it and whenever it is killed. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { messageOf } from '../../spec/errors.ts';
import { collectSessions } from '../session-state.ts';
import { addUp } from '../summary.ts';
import { writeAnchor } from './anchors.ts';
import { chained, hashOf, NO_CHAIN } from './chain.ts';
import { addCounts } from './counters.ts';
import { createLinkCheck } from './link-check.ts';
import { metaOf, setMeta } from './meta.ts';
import { createRollups, dropOldSums } from './rollups.ts';
import { eachLine, FULL, hasLostHead, intakePath, knownSummary, putAside, readLines, remember, segmentsIn, } from './segments.ts';
import { prepared, read, write } from './store.ts';
import { explain } from './store-errors.ts';
/** A process that opened the file just before it was put aside has long written by then. */
const STRAGGLERS = 10000;
/** So much may wait before a process that has little time takes it in. */
const PATIENCE = 4 * FULL;
/** Takes in what has come. A failure is returned: the rest can still be read. */
function takeIn(store, { leave, isPiece }, limits = {}) {
    const bounds = { ...store.limits, ...limits };
    try {
        nameTheNameless(store);
        const segments = segmentsIn(store.stateDir);
        const positions = read(store, positionsIn);
        const waiting = ({ id, size }) => Math.max(0, size - (positions.get(id) ?? 0));
        let after = segments.reduce((sum, segment) => sum + waiting(segment), 0);
        const first = firstKept(segments, after, bounds);
        for (const [i, segment] of segments.entries()) {
            if (after <= leave)
                break;
            after -= waiting(segment);
            // What would be removed at once, since more has come after it than is kept, is only counted.
            const isKept = i >= first && after < bounds.bytes;
            for (;;) {
                const taken = takePiece(store, segment, bounds, isKept);
                if (taken === 0)
                    break;
                if (isPiece)
                    return { more: true };
            }
        }
        pruneByAge(store, bounds);
        removeOld(store, segments);
        anchor(store);
        collectOnceADay(store, bounds);
        store.waiting = after;
        // Put aside by another process while we read it: what came at its end is found at the next look.
        const more = leave === 0 && segmentsIn(store.stateDir).at(-1)?.id !== segments.at(-1)?.id;
        return more && !isPiece ? takeIn(store, { leave, isPiece }, limits) : { more };
    }
    catch (error) {
        return { more: true, error: explain(store.stateDir, error) };
    }
}
/** No record is shorter. */
const SHORTEST = 100;
/** The first segment after which there are not as many records as are kept. */
function firstKept(segments, waiting, { records }) {
    if (waiting < records * SHORTEST)
        return 0;
    // The last one still grows: it would have to be looked at again and again.
    let first = segments.length - 2;
    for (let after = 0; first > 0; first--) {
        after += summaryOf(segments[first]).records;
        if (after >= records)
            break;
    }
    return Math.max(first, 0);
}
function summaryOf(segment) {
    return knownSummary(segment) ?? remember(segment, summarized(readLines(segment, 0, segment.size).lines));
}
/** For those who read: what cannot be taken in now is said, and what is there is shown. */
export function catchUp(store, limits = {}) {
    const { error } = takeIn(store, { leave: 0, isPiece: false }, limits);
    if (error)
        store.warnings.push(`The newest records are missing here: ${error.message}`);
}
/**
 * Bit by bit, so that what else goes on need not wait for all of it. Whoever has time to spare takes in everything;
 * others only what is too much. It stops when it is no longer wanted.
 */
export async function takeInSoon(store, leave = store.patience ?? PATIENCE, isWanted = () => true) {
    // A little more than may wait, so that there is something to do.
    if (store.isTakingIn || (leave > 0 && (store.waiting ?? 0) <= leave + leave / 8))
        return [];
    store.isTakingIn = true;
    try {
        for (;;) {
            const { more, error } = takeIn(store, { leave, isPiece: true });
            if (error)
                return [error.message];
            if (!more || !isWanted())
                return [];
            await new Promise((resolve) => setImmediate(resolve));
        }
    }
    finally {
        store.isTakingIn = false;
    }
}
/** How many bytes are done with. */
function takePiece(store, segment, bounds, isKept) {
    const from = read(store, (db) => positionOf(db, segment));
    const { lines, end } = readLines(segment, from, ...(isKept ? [] : [2 * FULL]));
    if (end === from)
        return 0;
    const error = write(store, (db) => {
        // Another process may have been quicker; then its work is seen at the next look.
        if (positionOf(db, segment) !== from)
            return;
        insert(store, db, { segment, from, bytes: lines, isKept });
        prepared(db, SET_POSITION).run(segment.id, end);
        if (isKept)
            prune(store, db, bounds);
    });
    orThrow(error);
    return end - from;
}
function positionsIn(db) {
    const rows = prepared(db, 'SELECT segment, position FROM intake').all();
    return new Map(rows.map(({ segment, position }) => [String(segment), Number(position)]));
}
function positionOf(db, { id }) {
    return Number(prepared(db, 'SELECT position FROM intake WHERE segment = ?').get(id)?.position ?? 0);
}
const SET_POSITION = 'INSERT INTO intake (segment, position) VALUES (?, ?) ON CONFLICT (segment) DO UPDATE SET position = excluded.position';
const INSERT = 'INSERT INTO events (id, at_ms, event, session_id, decision, hooks, bytes, body, counts, prev, chain) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
function insert(store, db, { segment, from, bytes, isKept }) {
    const sum = { records: 0, counts: {} };
    const rollups = createRollups(db);
    const check = isKept ? linkCheck(segment) : undefined;
    const breaks = [];
    let chain = lastChain(db);
    let unreadable = 0;
    try {
        eachLine(bytes, (start, end) => {
            const text = bytes.toString('utf8', start, end);
            const line = parse(text);
            if (line === undefined)
                unreadable++;
            const found = check?.next({
                start: from + start,
                end: from + end + 1,
                bytes: bytes.subarray(start, end),
                line,
            });
            if (found)
                breaks.push(...found);
            if (!line?.entry)
                return;
            addUp(sum, { records: 1, counts: line.counts });
            rollups.add(line);
            if (isKept)
                chain = insertLine(db, line, text, chain);
        });
        if (check)
            breaks.push(...check.over());
    }
    finally {
        check?.close();
    }
    for (const each of breaks)
        prepared(db, 'INSERT OR IGNORE INTO breaks (segment, place, at_ms, what, message) VALUES (?, ?, ?, ?, ?)').run(segment.id, each.place, Date.now(), each.what, each.message);
    rollups.write();
    addCounts(db, sum.counts);
    if (unreadable > 0)
        store.warnings.push(`${unreadable} ${unreadable === 1 ? 'record' : 'records'} of the journal cannot be read: a process was stopped while it wrote, or the disk was full.`);
}
/** The chain after it. */
function insertLine(db, { id, at, entry, prev = '' }, text, before) {
    const body = text.slice(text.indexOf(ENTRY) + ENTRY.length, -1);
    const counts = text.slice(COUNTS.length, text.indexOf(',"id":'));
    const names = `\n${entry.hooks.map(({ name }) => name).join('\n')}\n`;
    const chain = chained(before, hashOf(lineOf({ counts, id, at, prev, body })));
    const { event, session_id, decision } = entry;
    prepared(db, INSERT).run(...[id, at, event, session_id, decision, names], ...[Buffer.byteLength(body), body, counts, prev, chain]);
    return chain;
}
/** The line of the intake that a record was, from its columns. */
export function lineOf(row) {
    const link = row.prev === '' ? '' : `,"prev":"${row.prev}"`;
    return `{"counts":${row.counts},"id":"${row.id}","at":${row.at}${link},"entry":${row.body}}`;
}
function linkCheck(segment) {
    try {
        const file = openSync(segment.path, 'r');
        return createLinkCheck(file, () => closeSync(file));
    }
    catch {
        return undefined; // it was put aside just now: its links are not checked, its records are kept
    }
}
/** Of the newest record, or of the newest that was removed because more came than are kept. */
export function lastChain(db) {
    const row = prepared(db, 'SELECT chain FROM events ORDER BY seq DESC LIMIT 1').get();
    return String(row?.chain || metaOf(db, 'pruned_chain') || NO_CHAIN);
}
/** Says in a second place how far the chain has come. */
function anchor(store) {
    const newest = read(store, (db) => ({
        row: prepared(db, 'SELECT seq, chain FROM events ORDER BY seq DESC LIMIT 1').get(),
        epoch: metaOf(db, 'epoch') ?? '',
        anchored: Number(metaOf(db, 'anchored') ?? 0),
    }));
    const seq = Number(newest.row?.seq ?? 0);
    if (seq <= newest.anchored || newest.row?.chain === '')
        return;
    const { epoch } = newest;
    const chain = String(newest.row?.chain);
    writeAnchor(store.stateDir, { kind: 'record', epoch, seq, chain, at: Date.now() }, store.seal);
    orThrow(write(store, (db) => setMeta(db, 'anchored', String(seq))));
}
/** It comes last in a line, and nothing before it can hold these letters. */
const ENTRY = '"entry":';
/** They come first. */
const COUNTS = '{"counts":';
const BRACE = 0x7d;
/** Many records count the same: each kind is read once. */
function summarized(lines) {
    const kinds = new Map();
    eachLine(lines, (start, end) => {
        const last = lines.indexOf(BRACE, start) + 1;
        const kind = last > 0 && last <= end ? lines.toString('latin1', start, last) : '';
        if (kind.startsWith(COUNTS))
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    });
    const sum = { records: 0, counts: {} };
    for (const [kind, times] of kinds)
        addUp(sum, { records: 1, counts: countsIn(kind.slice(COUNTS.length)) }, times);
    return sum;
}
function countsIn(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return {}; // of a record that was cut off, which counts for nothing
    }
}
/** Undefined for what is no record: it must not keep the others waiting. The first line of a file has no entry. */
function parse(text) {
    try {
        const line = JSON.parse(text);
        if (typeof line.segment === 'string')
            return {};
        const { id, at, counts, entry } = line;
        const texts = [id, entry?.event, entry?.session_id, entry?.decision];
        const isRecord = texts.every((each) => typeof each === 'string') && Number.isSafeInteger(at);
        const hasLists = typeof counts === 'object' && counts !== null && Array.isArray(entry?.hooks);
        return isRecord && hasLists && entry.hooks.every(isHook) ? line : undefined;
    }
    catch {
        return undefined;
    }
}
function isHook(hook) {
    return typeof hook === 'object' && hook !== null && typeof hook.name === 'string';
}
const FILE_SIZE = 'SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size';
/** Removes the oldest beyond the limits, and keeps where the chain goes on. */
function prune(store, db, bounds) {
    const last = Math.max(beyondCount(db, bounds), beyondBytes(db, bounds), beyondAge(db, bounds));
    if (last <= 0)
        return;
    const row = prepared(db, 'SELECT seq, chain FROM events WHERE seq <= ? ORDER BY seq DESC LIMIT 1').get(last);
    if (!row)
        return;
    const pruned = `${row.seq} ${row.chain}`;
    setMeta(db, 'pruned_seq', String(row.seq));
    setMeta(db, 'pruned_chain', String(row.chain));
    setMeta(db, 'pruned_seal', store.seal?.(`pruned ${pruned}`) ?? '');
    prepared(db, 'DELETE FROM events WHERE seq <= ?').run(last);
}
/** The number of the newest record to remove. */
function beyondCount(db, { records }) {
    return Number(prepared(db, 'SELECT max(seq) AS last FROM events').get()?.last ?? 0) - records;
}
function beyondBytes(db, { bytes }) {
    // The records are never more than the file that holds them: mostly there is nothing to add up.
    const { size } = prepared(db, FILE_SIZE).get();
    if (size <= bytes)
        return 0;
    const { total } = db.prepare('SELECT sum(bytes) AS total FROM events').get();
    if (total <= bytes)
        return 0;
    const row = db
        .prepare(`SELECT max(seq) AS last FROM
         (SELECT seq, sum(bytes) OVER (ORDER BY seq DESC) AS total FROM events) WHERE total > ?`)
        .get(bytes);
    return Number(row?.last ?? 0);
}
function beyondAge(db, { age }) {
    if (age === Number.POSITIVE_INFINITY)
        return 0;
    const oldest = Date.now() - age;
    const kept = prepared(db, 'SELECT seq FROM events WHERE at_ms >= ? ORDER BY seq LIMIT 1').get(oldest);
    if (kept)
        return Number(kept.seq) - 1;
    return Number(prepared(db, 'SELECT max(seq) AS last FROM events').get()?.last ?? 0);
}
/** Also when nothing new comes. */
function pruneByAge(store, bounds) {
    if (bounds.age === Number.POSITIVE_INFINITY || read(store, (db) => beyondAge(db, bounds)) <= 0)
        return;
    orThrow(write(store, (db) => prune(store, db, bounds)));
}
/** A file that has lost its first line is known by its name from then on. In a transaction: only one process does it. */
function nameTheNameless(store) {
    const { stateDir } = store;
    if (hasLostHead(stateDir))
        orThrow(write(store, () => void (hasLostHead(stateDir) && putAside(store))));
}
/** How long a file that was taken in is remembered, in milliseconds. */
const REMEMBERED = 90 * 86400000;
const DAY = 86400000;
/** Old sums and what is left of sessions that did not end go. */
function collectOnceADay(store, bounds) {
    const today = String(Math.floor(Date.now() / DAY));
    if (read(store, (db) => metaOf(db, 'collected')) === today)
        return;
    orThrow(write(store, (db) => {
        setMeta(db, 'collected', today);
        dropOldSums(db, bounds.statsAge);
    }));
    try {
        collectSessions(store.stateDir);
    }
    catch (error) {
        store.warnings.push(`What hooks remembered of old sessions could not be removed: ${messageOf(error)}`);
    }
}
/** Files from which nothing can come any more. */
function removeOld(store, segments) {
    const now = Date.now();
    for (const segment of segments) {
        if (segment.path === intakePath(store.stateDir) || now - segment.changed < STRAGGLERS)
            continue;
        const position = read(store, (db) => positionOf(db, segment));
        if (readLines(segment, position).lines.length > 0)
            continue;
        rmSync(segment.path, { force: true });
        orThrow(write(store, (db) => {
            prepared(db, 'DELETE FROM intake WHERE segment = ?').run(segment.id);
            prepared(db, 'INSERT OR REPLACE INTO segments_done (segment, at_ms) VALUES (?, ?)').run(segment.id, now);
            prepared(db, 'DELETE FROM segments_done WHERE at_ms < ?').run(now - REMEMBERED);
        }));
    }
}
function orThrow(error) {
    if (error)
        throw error;
}
