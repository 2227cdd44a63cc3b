/** Are the links of the lines of one file whole? What breaks them is named; the records are kept all the same. */
import { fstatSync } from 'node:fs';
import { hashEndingAt, hashOf, NO_CHAIN, parsePrev, tailOf } from './chain.ts';
export function createLinkCheck(file, close) {
    const hashes = new Map();
    let previous;
    /** Lines that cannot be read, until the next one tells whether they were ever whole. */
    let open = [];
    const hashAt = (end) => hashes.get(end) ?? hashEndingAt(file, end, fstatSync(file).size);
    return {
        next({ start, end, bytes, line }) {
            const hash = hashOf(bytes);
            hashes.set(end, hash);
            if (line === undefined) {
                open.push({ start, end });
                previous = { end, hash, id: undefined };
                return [];
            }
            const breaks = line.entry ? [...unreadable(line), ...linkBreaks(line, start)] : [];
            open = line.entry ? [] : open;
            previous = { end, hash, id: line.entry && line.id };
            return breaks;
        },
        over() {
            const breaks = open.map(({ start, end }) => ({ place: start, what: 'unreadable', message: garbage(start, end) }));
            open = [];
            return breaks;
        },
        close,
    };
    /** The lines before it that cannot be read: torn, unless this one saw them whole. */
    function unreadable(line) {
        const link = line.prev === undefined ? undefined : parsePrev(line.prev);
        return open.map(({ start, end }) => {
            const wasTorn = link?.end !== undefined && link.end <= start;
            return wasTorn
                ? { place: start, what: 'torn', message: `bytes ${start} to ${end} hold a write that was cut off` }
                : { place: start, what: 'unreadable', message: garbage(start, end) };
        });
    }
    function linkBreaks(line, start) {
        if (line.prev === undefined)
            return [];
        const link = parsePrev(line.prev);
        if (!link)
            return [{ place: start, what: 'altered', message: `record ${line.id} has a link that cannot be read` }];
        const isFollowing = link.end === undefined;
        const found = isFollowing
            ? (previous?.hash ?? tailOf(file, start)?.hash)
            : link.end === 0
                ? NO_CHAIN
                : hashAt(link.end);
        if (link.end !== undefined && link.end > start)
            return [
                {
                    place: start,
                    what: 'removed',
                    message: `before record ${line.id} at byte ${start}, ${link.end - start} bytes are missing or were moved`,
                },
            ];
        if (found === link.hash)
            return [];
        // A line that cannot be read has been named already.
        if (open.some(({ end }) => end === (link.end ?? previous?.end)))
            return [];
        const before = (isFollowing || previous?.end === link.end) && previous?.id ? `record ${previous.id}` : 'the record';
        return [
            {
                place: start,
                what: found === undefined ? 'removed' : 'altered',
                message: found === undefined
                    ? `the record that came before ${line.id} is not where it was: removed or reordered`
                    : `${before} before ${line.id} is not what it was when ${line.id} was written: altered, removed or reordered`,
            },
        ];
    }
}
function garbage(start, end) {
    return `bytes ${start} to ${end} cannot be read: altered, or not written by crosshook`;
}
